/**
 * Faults that are planted in the sources of Loom itself, to check that judges report them: a process loads a copy of one file in which one passage is
 * replaced. The product has no switches for it.
 *
 * A passage that is not in its file exactly once ends the process: whoever changes the file is told that the fault has to be written anew.
 */
import type { Program } from '../program.ts'
import { programOf } from '../program.ts'

/** A passage of a file below `packages`, and what stands there instead. */
export interface SourcePatch {
  /** What is wrong then, in one phrase. */
  readonly what: string
  readonly file: string
  readonly passage: string
  readonly instead: string
}

const patch = (what: string, file: string, passage: string, instead: string): SourcePatch => ({ what, file, passage, instead })

const sqliteFeed = 'journals/src/sqlite/feed.ts'
const postgresFeed = 'journals/src/postgres/feed.ts'

/** A fault in the sources. */
export type SourceFault =
  | 'sqlite-feed-skips'
  | 'sqlite-feed-repeats'
  | 'sqlite-feed-disorders'
  | 'postgres-feed-is-late'
  | 'postgres-feed-repeats'

/** What each fault replaces. */
export const sourceFaults: Readonly<Record<SourceFault, SourcePatch>> = {
  'sqlite-feed-skips': patch('the feed continues behind the next entry', sqliteFeed, 'where b.position > ? order', 'where b.position > ? + 1 order'),
  'sqlite-feed-repeats': patch('the feed continues with the last entry', sqliteFeed, 'where b.position > ? order', 'where b.position >= ? order'),
  'sqlite-feed-disorders': patch('a page is sorted by thread', sqliteFeed, 'order by b.position limit', 'order by b.thread, b.last desc limit'),
  'postgres-feed-is-late': patch(
    'the feed does not wait for transactions that are still open',
    postgresFeed,
    "'pg_snapshot_xmin(pg_current_snapshot())::text as horizon'",
    "'pg_snapshot_xmax(pg_current_snapshot())::text as horizon'",
  ),
  'postgres-feed-repeats': patch('the feed continues with the last entry', postgresFeed, 'e.last) > ($1', 'e.last) >= ($1'),
}

/** The variable that names the fault to a process. */
export const faultVariable = 'LOOM_SOURCE_FAULT'

/** The program with a fault in the sources that it loads; without one, the program as it is. */
export function withSourceFault({ args, env }: Program, fault: SourceFault | undefined): Program {
  if (fault === undefined) return { args, env }
  const { args: planting } = programOf(import.meta.url, 'plant-process')
  const file = planting.at(-1) ?? ''
  // Compiled sources are cached by their path: a process with a fault neither reads that cache nor fills it.
  return { args: ['--import', file, ...args], env: { ...env, [faultVariable]: fault, NODE_DISABLE_COMPILE_CACHE: '1' } }
}
