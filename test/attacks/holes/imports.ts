/** Holes in what guards imports, and in the quarantine. */
import type { Hole } from './hole.ts'

const runs = 'test/attacks/imports.test.ts'
const lines = 'test/attacks/forged-lines.test.ts'

export const importHoles: readonly Hole[] = [
  {
    what: 'the journal in memory takes contributors into a quarantined thread',
    file: 'agent/src/platform/memory-journal.ts',
    passage: 'if (summary.quarantined && !batch.isCopy',
    instead: 'if (summary.quarantined && batch.id === "" && !batch.isCopy',
    foundBy: runs,
  },
  {
    what: 'files and SQLite take everybody into a quarantined thread',
    file: 'journals/src/storage/judge-write.ts',
    passage: 'const isShut = head?.isQuarantined === true && batch.pass === null',
    instead: 'const isShut = head?.isQuarantined === true && batch.pass === null && seq < 0',
    foundBy: runs,
  },
  {
    what: 'an import is not quarantined',
    file: 'journals/src/transfer/import-checks.ts',
    passage: 'summaries.set(thread, { ...summary, quarantined: true })',
    instead: 'summaries.set(thread, summary)',
    foundBy: runs,
  },
  {
    what: 'forks of quarantined threads are not',
    file: 'agent/src/fork/fork.ts',
    passage: 'const summary = quarantined ? { ...summarize(after), quarantined } : summarize(after)',
    instead: 'const summary = summarize(after)',
    foundBy: runs,
  },
  {
    what: 'lines continue threads that are trusted',
    file: 'journals/src/transfer/import.ts',
    passage: 'if (news.length > 0 && known.isTrusted) throw',
    instead: 'if (news.length > 1e9 && known.isTrusted) throw',
    foundBy: runs,
  },
  {
    what: 'lines give children to threads that are trusted',
    file: 'journals/src/transfer/import.ts',
    passage: 'if (!known) await requireStranger(',
    instead: 'if (!part) await requireStranger(',
    foundBy: runs,
  },
  {
    what: 'the children of an adopted thread stay quarantined',
    file: 'agent/src/run/adopt-imported.ts',
    passage: 'for (const child of children.toReversed()) await',
    instead: 'for (const child of children.slice(0, 0)) await',
    foundBy: runs,
  },
  {
    what: 'lines may be nested without a bound',
    file: 'journals/src/transfer/import-lines.ts',
    passage: 'const deepestLine = 512',
    instead: 'const deepestLine = 1e9',
    foundBy: lines,
  },
  {
    what: 'lines need not be JSON as Loom writes it',
    file: 'journals/src/transfer/import-lines.ts',
    passage: 'return escaped(JSON.stringify(JSON.parse(line))) === escaped(line) ? undefined',
    instead: 'return JSON.parse(line) !== undefined ? undefined',
    foundBy: lines,
  },
  {
    what: 'a blob may have any name',
    file: 'journals/src/transfer/import-format-2.ts',
    passage: 'if (blobHash(bytes) !== blob) throw',
    instead: 'if (bytes.length < 0) throw',
    foundBy: lines,
  },
  {
    what: 'events may have any shape',
    file: 'journals/src/transfer/import-parts.ts',
    passage: 'event.v === versionOf(event.type) ? shapeProblem(event) :',
    instead: 'event.v === versionOf(event.type) ? undefined :',
    foundBy: lines,
  },
  {
    what: 'events may refer to what is not there',
    file: 'journals/src/transfer/import-checks.ts',
    passage: 'ofNobody.has(event.type) ? historyProblem(folding, event) :',
    instead: 'ofNobody.has(event.type) ? undefined :',
    foundBy: lines,
  },
  {
    what: 'events may name any run and turn',
    file: 'journals/src/transfer/import-checks.ts',
    passage: 'refuse(placeProblem(folding.frame, event))',
    instead: '',
    foundBy: lines,
  },
  {
    what: 'the summary is taken from the lines',
    file: 'journals/src/transfer/import-checks.ts',
    passage: 'const folded = summarize(frame)',
    instead: 'const folded = summarize(frame) && summary',
    foundBy: lines,
  },
  {
    what: 'an epoch is reached by as many claims',
    file: 'journals/src/transfer/import.ts',
    passage: 'force: true, copied: least })',
    instead: 'force: true, copied: 0 })',
    foundBy: lines,
  },
  {
    what: 'people are asked what only the lines of an import ask',
    file: 'agent/src/run/resume-input.ts',
    passage: '?.summary.quarantined) throw threadQuarantined(thread)',
    instead: '?.seq === -1) throw threadQuarantined(thread)',
    foundBy: 'test/attacks/imports.test.ts',
  },
]
