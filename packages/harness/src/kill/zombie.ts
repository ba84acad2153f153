/**
 * A driver that freezes: it is stopped in the middle of a call, its lease expires, another finishes its thread, and then it continues.
 *
 * It must be fenced and append nothing. It may still complete an effect that it had started: fencing protects the journal, not the world, and only a
 * key closes that window.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { eventsOf, type Finding } from '@loom-agent/testing/crash'
import { type CallKind, planInput } from '../plan/plan.ts'
import type { Delays, PlantedFault, WorkerJob } from './job.ts'
import { judgeProcesses } from './judge-processes.ts'
import { bits } from './phase.ts'
import { databaseIn, type JournalPlace, makePlace, openJournal, type Site } from './place.ts'
import { startWorker, type Worker, type WorkerEnd } from './worker.ts'
import type { WorldServer } from './world-server.ts'

/** How a driver is frozen. */
export interface ZombieOptions extends Site {
  readonly name: string
  readonly world: WorldServer
  /** The call in which it is stopped, and where: before its effect, after it, or when its result is on its way to the journal. */
  readonly call: CallKind
  readonly at: 'before' | 'after' | 'append'
  readonly faults?: readonly PlantedFault[]
}

/** What was found. */
export interface ZombieReport {
  /** Whether the thread was held as long as the lease ran, and free afterwards. */
  readonly held: boolean
  readonly freed: boolean
  /** How often the effect of the call was requested, and under how many keys. */
  readonly requests: number
  readonly keys: number
  /** Events that the zombie appended after it continued. */
  readonly appended: number
  /** How the run ended for its callers: in the process that took over, and in the zombie. */
  readonly endings: readonly string[]
  readonly findings: readonly Finding[]
}

/** Milliseconds that a call takes: long enough to be stopped in it. */
const slow = 500

/** Where a driver can be stopped: the bits that it reports there, and what is slow. */
const places: { readonly [At in ZombieOptions['at']]: { readonly mask: number; readonly delays: Delays } } = {
  before: { mask: bits.asked, delays: { before: slow, end: slow } },
  after: { mask: bits.done, delays: { after: slow, end: slow } },
  append: { mask: bits.done | bits.append, delays: { append: slow, end: slow } },
}

/** Freezes a driver and lets another take over. */
export async function zombie(options: ZombieOptions): Promise<ZombieReport> {
  const { name, world, at } = options
  const place = await makePlace('sqlite', name, options)
  const thread = `${name}-1`
  const job = jobOf(options, { place, thread })
  const first = await stoppedAt(job, places[at].mask)
  const journal = await openJournal(place)
  const isHeld = async (): Promise<boolean> => (await journal.head(thread))?.holder !== undefined
  const held = await isHeld()
  expire(place, first.pid)
  const freed = !(await isHeld())
  const second = await startWorker({ ...job, process: 2, delays: {} }).gone
  const before = await eventsOf(journal, thread)
  // Its call is due when it continues: it acts before it can learn of the other driver.
  await pause(slow)
  first.signal('SIGCONT')
  const late = await first.gone
  const after = await eventsOf(journal, thread)
  for (const number of [1, 2]) await world.gone(`${name}/${number}`)
  const effects = world.take(name)
  const endings = [...(second.endings ?? []), ...(late.endings ?? [])]
  const notified = [...late.notified, ...second.notified]
  const { findings } = await judgeProcesses({ journal, threads: job.threads, notified, effects, endings })
  await journal.close()
  const own = effects.filter(({ call }) => call === '1.0')
  return {
    held,
    freed,
    requests: own.length,
    keys: new Set(own.map(({ key }) => key)).size,
    appended: isDeepStrictEqual(after.slice(0, before.length), before) ? after.length - before.length : after.length,
    endings: endings.map(({ status }) => status),
    findings: [...failures(name, [second, late]), ...findings],
  }
}

/** Two calls: the zombie is stopped in the first, and must not begin the second. */
function jobOf({ name, world, call, at, faults = [] }: ZombieOptions, { place, thread }: { place: JournalPlace; thread: string }): WorkerJob {
  const turns = ([call, 'unsafe'] as const).map((kind) => [{ kind, ticks: 0 }])
  return {
    trial: name,
    process: 1,
    place,
    port: world.port,
    threads: [{ thread, input: planInput({ turns }) }],
    start: 'resume',
    attended: true,
    delays: places[at].delays,
    faults,
  }
}

/** Starts a worker and stops it once it has reported the bits. */
async function stoppedAt(job: WorkerJob, wanted: number): Promise<Worker> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isStopped = false
  const onPhase = (mask: number): void => {
    if ((mask & wanted) !== wanted || isStopped) return
    isStopped = true
    worker.signal('SIGSTOP')
    resolve()
  }
  const worker = startWorker(job, onPhase)
  void worker.gone.then(({ failure }) => reject(new Error(`The process ended before it could be stopped. ${failure ?? ''}`)))
  await promise
  // The signal has been sent; the process is stopped a moment later.
  await pause(50)
  return worker
}

/** As if the process had sent no heartbeat for a minute. */
function expire(place: JournalPlace, pid: number): void {
  const db = new DatabaseSync('folder' in place ? databaseIn(place.folder) : '')
  db.prepare('update instances set beat = beat - 60000, uptime = uptime - 60000 where pid = ?').run(pid)
  db.close()
}

const failures = (trial: string, ends: readonly WorkerEnd[]): readonly Finding[] =>
  ends.flatMap(({ failure }) => (failure === undefined ? [] : [{ kind: 'failed', at: trial, message: failure } as const]))
