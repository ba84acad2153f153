/**
 * A driver that stands still: it is stopped in the middle of a call, its lease runs out, another finishes its thread, and then it goes on.
 *
 * It must be fenced and append nothing. What it had begun outside it may still complete: fencing protects the journal, not the world, and only a key
 * closes that window.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { eventsOf } from './events-of.ts'
import type { PlantedFault } from './fault.ts'
import type { Finding } from './finding.ts'
import type { Job, Linger } from './job.ts'
import { judge } from './judge.ts'
import type { Outside } from './outside.ts'
import { bits } from './phase.ts'
import { databaseIn, type Ground, makePlace, openPlace, type Place } from './place.ts'
import { inputOf, type ToolName } from './plan.ts'
import { type Remains, startVictim, type Victim } from './victim.ts'

/** How a driver is made to stand still. */
export interface ZombieOptions extends Ground {
  readonly name: string
  readonly outside: Outside
  /** The call in the middle of which it is stopped, and where: before its effect, after it, or when its result is on its way to the journal. */
  readonly tool: ToolName
  readonly at: 'before' | 'after' | 'append'
  readonly faults?: readonly PlantedFault[]
}

/** What came of it. */
export interface ZombieReport {
  /** Whether the thread was held as long as the lease ran, and free afterwards. */
  readonly held: boolean
  readonly freed: boolean
  /** How often the effect of the call was asked for, and under how many keys. */
  readonly requests: number
  readonly keys: number
  /** What the zombie appended after it went on. */
  readonly appended: number
  /** How the run ended for whoever waited for it: in the process that took over, and in the zombie. */
  readonly endings: readonly string[]
  readonly findings: readonly Finding[]
}

/** Milliseconds that a call takes: long enough to be stopped in the middle. */
const slow = 500

/** Where a driver can be stopped: the bits it announces there, and what takes its time. */
const places: { readonly [At in ZombieOptions['at']]: { readonly mask: number; readonly linger: Linger } } = {
  before: { mask: bits.asked, linger: { before: slow, end: slow } },
  after: { mask: bits.done, linger: { after: slow, end: slow } },
  append: { mask: bits.done | bits.append, linger: { append: slow, end: slow } },
}

/** Makes a driver stand still and another take over. */
export async function zombie(options: ZombieOptions): Promise<ZombieReport> {
  const { name, outside, at } = options
  const place = await makePlace('sqlite', name, options)
  const thread = `${name}-1`
  const job = jobOf(options, { place, thread })
  const first = await stoppedAt(job, places[at].mask)
  const journal = await openPlace(place)
  const isHeld = async (): Promise<boolean> => (await journal.head(thread))?.holder !== undefined
  const held = await isHeld()
  expire(place, first.pid)
  const freed = !(await isHeld())
  const second = await startVictim({ ...job, process: 2, linger: {} }).gone
  const before = await eventsOf(journal, thread)
  // Its call is due when it goes on: it has no time to hear of the other before it acts.
  await pause(slow)
  first.signal('SIGCONT')
  const late = await first.gone
  const after = await eventsOf(journal, thread)
  for (const number of [1, 2]) await outside.gone(`${name}/${number}`)
  const deeds = await outside.deeds(name)
  const endings = [...(second.endings ?? []), ...(late.endings ?? [])]
  const told = [...late.told, ...second.told]
  const { findings } = await judge({ life: name, journal, errands: job.errands, told, deeds, endings })
  await journal.close()
  const own = deeds.filter(({ label }) => label === `${thread}/1.0`)
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
function jobOf({ name, outside, tool, at, faults = [] }: ZombieOptions, { place, thread }: { place: Place; thread: string }): Job {
  return {
    life: name,
    process: 1,
    place,
    port: outside.port,
    errands: [{ thread, input: inputOf({ seed: 1, only: [tool, 'send'] }) }],
    way: 'resume',
    attended: true,
    linger: places[at].linger,
    faults,
  }
}

/** Starts a process and stops it once it has announced the bits. */
async function stoppedAt(job: Job, wanted: number): Promise<Victim> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isStopped = false
  const onPhase = (mask: number): void => {
    if ((mask & wanted) !== wanted || isStopped) return
    isStopped = true
    victim.signal('SIGSTOP')
    resolve()
  }
  const victim = startVictim(job, onPhase)
  void victim.gone.then(({ failure }) => reject(new Error(`The process ended before it could be stopped. ${failure ?? ''}`)))
  await promise
  // The signal has been sent; the process stands still a moment later.
  await pause(50)
  return victim
}

/** As if the process had given no sign of life for a minute. */
function expire(place: Place, pid: number): void {
  const db = new DatabaseSync('folder' in place ? databaseIn(place.folder) : '')
  db.prepare('update instances set beat = beat - 60000 where pid = ?').run(pid)
  db.close()
}

const failures = (life: string, remains: readonly Remains[]): readonly Finding[] =>
  remains.flatMap(({ failure }) => (failure === undefined ? [] : [{ verdict: 'stuck', life, message: failure } as const]))
