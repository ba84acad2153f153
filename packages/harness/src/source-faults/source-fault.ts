/**
 * Faults that are planted in the sources of Loom itself, to check that judges report them: a process loads a copy of one file in which one passage is
 * replaced. The product has no switches for it.
 *
 * A passage that is not in its file exactly once ends the process: a change of that file then shows that the fault has to be written anew.
 */
import { fileURLToPath } from 'node:url'
import { type Program, programOf } from '../process/program.ts'

/** A passage of a file below `packages`, and what stands there instead. */
export interface SourcePatch {
  /** What is wrong then, in one phrase. */
  readonly what: string
  readonly file: string
  readonly passage: string
  readonly instead: string
}

type PatchParts = readonly [what: string, file: string, passage: string, instead: string]

const patch = (...[what, file, passage, instead]: PatchParts): SourcePatch => ({ what, file, passage, instead })

const sqliteFeed = 'journals/src/sqlite/feed.ts'
const postgresFeed = 'journals/src/postgres/feed.ts'

/** A fault that makes runs stand still, forget or repeat. */
export type LivenessFault =
  | 'child-end-forgotten'
  | 'end-not-looked-for'
  | 'release-forgotten'
  | 'orphan-ends-recovery'
  | 'stop-comes-late'
  | 'waits-for-nothing'
  | 'drain-never-ends'
  | 'step-forgotten'
  | 'time-out-excused'

/** A fault in the sources. */
export type SourceFault =
  | 'sqlite-feed-skips'
  | 'sqlite-feed-repeats'
  | 'sqlite-feed-disorders'
  | 'postgres-feed-is-late'
  | 'postgres-feed-repeats'
  | LivenessFault

const livenessPatches: Readonly<Record<LivenessFault, SourcePatch>> = {
  'child-end-forgotten': patch(
    'the end of a child that its watch has recorded settles nothing',
    'agent/src/run/child-end.ts',
    '  if (known) return known\n',
    '  if (known) return undefined\n',
  ),
  'end-not-looked-for': patch(
    'a run that ended between the look and the follow is followed for ever',
    'agent/src/run/run-follower.ts',
    '      await lookBack(follower, frame)\n',
    '',
  ),
  'release-forgotten': patch(
    'a release that failed is not tried again',
    'agent/src/thread/lease.ts',
    '    unreleased.set(thread, lease)\n    return undefined\n',
    '    return undefined\n',
  ),
  'orphan-ends-recovery': patch(
    'a damaged orphan ends the recovery of all threads',
    'agent/src/run/recover.ts',
    'const queue = [...orphans, ...roots].filter(',
    "const { stopChild } = await import('./run-child.ts')\n  for (const orphan of orphans) await stopChild(instance, orphan, 'Nobody waits.')\n  const queue = [...roots].filter(",
  ),
  'stop-comes-late': patch(
    'a stop is appended after the thread is driven',
    'agent/src/run/start-run.ts',
    '{ ...request, stop: follower.stop }',
    '{ ...request, stop: undefined }',
  ),
  'waits-for-nothing': patch(
    'a run that is suspended while a child works counts as waiting',
    'agent/src/run/wait-of.ts',
    '  return reason && { reason,',
    "  return { reason: reason ?? 'question',",
  ),
  'drain-never-ends': patch(
    'a drain does not notice that everything is released',
    'agent/src/thread/drain.ts',
    '    if (drain.awaited.size === 0) for (const resolve of drain.onEmpty.splice(0)) resolve()\n',
    '',
  ),
  'step-forgotten': patch(
    'a stop forgets the unsafe steps of durable calls',
    'kernel/src/decide-calls.ts',
    'start?.durable ? keysInDoubt(call).length > 0 : mayHaveRun(start?.effect)',
    '!start?.durable && mayHaveRun(start?.effect)',
  ),
  'time-out-excused': patch(
    'the time-out of a durable body does not end it',
    'agent/src/call/durable-body.ts',
    'excused: () => entry.children > 0',
    'excused: () => true',
  ),
}

/** The faults that the liveness law must report. */
export const livenessFaults: readonly LivenessFault[] = Object.keys(livenessPatches) as LivenessFault[]

/** What each fault replaces. */
export const sourceFaults: Readonly<Record<SourceFault, SourcePatch>> = {
  ...livenessPatches,
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

/** The program of this name beside a module, with a fault in the sources that it loads; without one, the program as it is. */
export function programWith(module: string, name: string, fault: SourceFault | undefined): Program {
  if (fault === undefined) return programOf(module, name)
  // A program in one file has no sources to plant a fault in: this one is loaded file by file, without a cache of what was compiled.
  const path = fileURLToPath(new URL(`${name}.ts`, module))
  const planting = fileURLToPath(new URL('plant-process.ts', import.meta.url))
  const env = { ...process.env, [faultVariable]: fault, NODE_DISABLE_COMPILE_CACHE: '1' }
  return { args: ['--conditions=loom-source', '--import', planting, path], env }
}
