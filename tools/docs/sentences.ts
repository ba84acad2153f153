/** Every export, and every field of an exported type, has a sentence that editors show. */
import type { Declaration } from '../api/declarations.ts'

/** Entries in which nothing may be without a sentence. */
const complete = new Set([
  'loom-agent',
  '@loom-agent/agent',
  '@loom-agent/agent/kit',
  '@loom-agent/tools/net',
  '@loom-agent/journals',
  '@loom-agent/journals/file',
  '@loom-agent/journals/sqlite',
  '@loom-agent/journals/postgres',
  '@loom-agent/tools',
  '@loom-agent/testing',
  '@loom-agent/testing/crash',
])

interface Counted {
  readonly documented: number
  readonly all: number
  readonly missing: readonly string[]
}

/** What of an entry has a sentence. */
function countOf(names: ReadonlyMap<string, Declaration>): Counted {
  const counted = [...names].flatMap(([name, { sentence, members }]) => [
    { what: name, sentence },
    ...members.map((member) => ({ what: `${name}.${member.name}`, sentence: member.sentence })),
  ])
  const missing = counted.filter(({ sentence }) => sentence === '').map(({ what }) => what)
  return { all: counted.length, documented: counted.length - missing.length, missing }
}

/** How much is documented, by entry, and what is missing where nothing may be. */
export function checkSentences(exports: ReadonlyMap<string, ReadonlyMap<string, Declaration>>): {
  readonly problems: readonly string[]
  readonly missing: readonly string[]
  readonly summary: string
} {
  const counts = [...exports].map(([entry, names]) => ({ entry, ...countOf(names) }))
  return {
    missing: counts.flatMap(({ entry, missing }) => missing.map((what) => `${entry}: ${what}`)),
    problems: counts.flatMap(({ entry, missing }) => (complete.has(entry) ? missing.map((what) => `${entry}: ${what} has no JSDoc sentence`) : [])),
    summary: counts.map(({ entry, documented, all }) => `documented ${documented} of ${all} in ${entry}`).join('\n'),
  }
}
