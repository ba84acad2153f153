/** Holes through which data would become something of Loom, and results and calls would pass unjudged. */
import type { Hole } from './hole.ts'

const inBand = 'test/attacks/in-band.test.ts'
const limit = 'test/attacks/output-limit.test.ts'
const textCalls = 'test/attacks/text-calls.test.ts'
const patterns = 'test/attacks/patterns.test.ts'
const summaries = 'test/attacks/summaries.test.ts'

export const inbandHoles: readonly Hole[] = [
  {
    what: 'content() is known by its look',
    file: 'agent/src/types/content.ts',
    passage: '  return Object.hasOwn(Object(value) as object, brand)',
    instead:
      "  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'content' && 'parts' in value && Object.assign(value, { [brand]: contentParts })",
    foundBy: inBand,
  },
  {
    what: 'decisions of hooks are known by their look',
    file: 'agent/src/hook/hook.ts',
    passage: '  return Object.hasOwn(Object(value) as object, decision)',
    instead: "  return typeof value === 'object' && value !== null && 'kind' in value",
    foundBy: inBand,
  },
  {
    what: 'tools are known by their look',
    file: 'agent/src/tool/define.ts',
    passage: "?.definition?.run === 'function'",
    instead: "?.kind !== 'function' && (value as { kind?: unknown })?.kind === 'tool'",
    foundBy: inBand,
  },
  {
    what: 'errors of Loom are known by their code',
    file: 'kernel/src/errors.ts',
    passage: '  return value instanceof Error && brand in value',
    instead: "  return value instanceof Error && 'code' in value && String(value.code).startsWith('LOOM_')",
    foundBy: inBand,
  },
  {
    what: 'a name of a blob counts, whichever thread brought it',
    file: 'journals/src/storage/blob-refs.ts',
    passage: '  return [...hashes].filter((hash) => own.has(hash))',
    instead: '  return [...hashes]',
    foundBy: inBand,
  },
  {
    what: 'the files of a result have no limit',
    file: 'agent/src/types/content-parts.ts',
    passage: 'bytes: Math.floor(data.length * 0.75)',
    instead: 'bytes: 0',
    foundBy: limit,
  },
  {
    what: 'each part of a result has the whole limit',
    file: 'agent/src/types/content-parts.ts',
    passage: 'characters = Math.max(0, characters - size.characters)',
    instead: 'characters = Math.max(0, characters)',
    foundBy: limit,
  },
  {
    what: 'data inside a result is weighed as a file',
    file: 'agent/src/model/estimate.ts',
    passage: 'JSON.stringify(Array.isArray(content) ? withoutFiles(content) : content)',
    instead: 'JSON.stringify(content, (_, value: unknown) => (isWireFile(value) ? null : value))',
    foundBy: limit,
  },
  {
    what: 'the look of a cut text counts as a cut',
    file: 'testing/src/regression/recorded-outcome.ts',
    passage: "  return typeof length === 'number' ? unshortened(text) : text",
    instead: '  return unshortened(text)',
    foundBy: limit,
  },
  {
    what: 'every block of a tool is a call, under whatever mark',
    file: 'models/src/text-tools/fences.ts',
    passage: 'words.trim() === mark)',
    instead: "(words.trim() === mark || words.trim().startsWith('tool')))",
    foundBy: textCalls,
  },
  {
    what: 'all requests have one mark',
    file: 'models/src/text-tools/marks.ts',
    passage: '  const known = marks.get(message) ?? randomMark()',
    instead: "  const known = marks.get(message) ?? 'samesamesame'",
    foundBy: textCalls,
  },
  {
    what: 'a pattern that denies lets other shapes pass',
    file: 'agent/src/permission/pattern.ts',
    passage: '  return !isOfShape(pattern, actual) || isMeantInside(pattern, actual)',
    instead: '  return isOfShape(pattern, actual) && isMeantInside(pattern, actual)',
    foundBy: patterns,
  },
  {
    what: 'a pattern that allows is met by what may be meant',
    file: 'agent/src/permission/pattern.ts',
    passage: 'every(([key, pattern]) => isNamed(pattern as Json, input && own(input, key)))',
    instead: 'every(([key, pattern]) => mayBeMeant(pattern as Json, input && own(input, key)))',
    foundBy: patterns,
  },
  {
    what: 'a text is judged with what cannot be seen in it',
    file: 'agent/src/platform/plain-text.ts',
    passage: ".normalize('NFKC')",
    instead: '',
    foundBy: patterns,
  },
  {
    what: 'what cannot be seen counts in a pattern',
    file: 'agent/src/platform/plain-text.ts',
    passage: ".replace(invisible, '')",
    instead: '',
    foundBy: patterns,
  },
  {
    what: 'the name of a tool begins a section of a summary',
    file: 'agent/src/context/extract.ts',
    passage: ".toWellFormed().replace(/\\s+/gu, ' ').trim()",
    instead: '.toWellFormed()',
    foundBy: summaries,
  },
  {
    what: 'a line of a result is a message for the model that summarizes',
    file: 'agent/src/context/summarize-by-model.ts',
    passage: "text.replace(/\\r\\n?|[\\n\\u2028\\u2029]/g, '\\n  ')",
    instead: 'text',
    foundBy: summaries,
  },
]
