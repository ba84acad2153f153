/**
 * Setting schedules and looking at them, with the journal alone.
 *
 * SCHEDULE-2. A schedule that is set again without a change goes on as it is: a program may set its schedules whenever it starts.
 * SCHEDULE-3. Due times while a schedule is paused are not made up for.
 */
import { type Draft, type DueRun, type Journal, LoomError, type ScheduleSet, type Timing } from '@loom-agent/kernel'
import { appendKept, beginKept, readKept, storeTime } from '../kept/kept-thread.ts'
import { dueTimes } from './due-times.ts'
import { checkName, isSame, type ScheduleOptions, toSchedule } from './schedule-options.ts'
import { type KeptSchedule, readSchedule, scheduleAgent, scheduleThread } from './schedule-thread.ts'

/** A schedule, and when it is due next. */
export interface Schedule {
  readonly name: string
  /** The agent whose runs it starts. */
  readonly agent: string
  /** When it is due. */
  readonly timing: Timing
  /** What its runs are started with. */
  readonly start: ScheduleSet['start']
  readonly missed: ScheduleSet['missed']
  readonly most: number
  readonly grace: number
  readonly paused: boolean
  /** The next due times, in milliseconds since 1970; none while it is paused. */
  readonly next: readonly number[]
  /** The due times that came last, with the runs that they started. */
  readonly last: readonly DueRun[]
}

const tries = 100

/** Sets a schedule, or changes the one of this name. Due times from now on count. */
export async function setSchedule(journal: Journal, name: string, options: ScheduleOptions): Promise<Schedule> {
  return change(journal, name, (known, now) => {
    if (known && isKept(known, { name, options, now })) return undefined
    return toSchedule(name, options, now)
  })
}

/** Whether what is set is there already, also where its only moment has passed. */
function isKept(
  { set }: KeptSchedule,
  { name, options, now }: { readonly name: string; readonly options: ScheduleOptions; readonly now: number },
): boolean {
  const since = 'at' in set.timing || ('until' in set.timing && set.timing.until !== undefined) ? Math.min(set.from, now) : now
  return isSame(set, toSchedule(name, options, since))
}

/** Pauses a schedule. */
export async function pauseSchedule(journal: Journal, name: string, options: { readonly by?: string } = {}): Promise<Schedule> {
  return change(journal, name, (known) => {
    const { set } = required(known, name)
    return set.paused ? undefined : { ...set, paused: true, ...options }
  })
}

/** Lets a paused schedule go on: due times from now on count. */
export async function resumeSchedule(journal: Journal, name: string, options: { readonly by?: string } = {}): Promise<Schedule> {
  return change(journal, name, (known, now) => {
    const { paused, ...set } = required(known, name).set
    return paused ? { ...set, from: now, ...options } : undefined
  })
}

/** Removes a schedule and its record. The runs that it has started stay. */
export async function removeSchedule(journal: Journal, name: string): Promise<void> {
  const { kept } = required(await readSchedule(journal, name), name)
  await journal.remove(kept.head.thread)
}

/** A schedule. Throws `LOOM_THREAD_NOT_FOUND` when there is none of this name. */
export async function getSchedule(journal: Journal, name: string, options: { readonly count?: number } = {}): Promise<Schedule> {
  return shown(required(await readSchedule(journal, name), name), options.count)
}

/** All schedules, by name. */
export async function* listSchedules(journal: Journal): AsyncGenerator<Schedule, void> {
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ agent: scheduleAgent, limit: 100, ...(after !== undefined && { after }) })
    for (const { thread } of page) {
      const known = await readSchedule(journal, thread.slice(scheduleThread('').length))
      if (known) yield shown(known)
    }
    after = page.at(-1)?.thread
    if (page.length < 100) return
  }
}

function required(known: KeptSchedule | undefined, name: string): KeptSchedule {
  if (known) return known
  checkName(name)
  throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no schedule ${name} in this journal.`, { context: { schedule: name } })
}

type Change = (known: KeptSchedule | undefined, now: number) => ScheduleSet | undefined

/** Appends what follows from a schedule; starts over when another process was faster. */
async function change(journal: Journal, name: string, changed: Change): Promise<Schedule> {
  checkName(name)
  const thread = scheduleThread(name)
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const known = await readSchedule(journal, name)
    const kept = known?.kept ?? (await readKept(journal, thread, () => true))
    if (!kept) {
      if ((await journal.head(thread))?.seq) throw foreign(name, thread)
      // What is wrong is refused before anything is stored; what counts is the time that the store has for the thread.
      changed(undefined, await storeTime(journal))
      await beginKept(journal, { thread, agent: scheduleAgent })
      continue
    }
    if (kept.head.summary.agent !== scheduleAgent) throw foreign(name, thread)
    const set = changed(known, kept.head.times.now)
    if (!set) return shown(required(known, name))
    const drafts: readonly Draft[] = [{ type: 'schedule.set', data: { ...set, ...wakeOf(set, known) } }]
    if (await appendKept(journal, kept, { drafts })) return getSchedule(journal, name)
  }
  throw new LoomError('LOOM_JOURNAL_CONFLICT', `The schedule ${name} is changed by others all the time. Try again.`, { context: { schedule: name } })
}

/** When it is looked at next: at once while there is something to start. */
function wakeOf(set: ScheduleSet, known: KeptSchedule | undefined): { readonly wakeAt?: number } {
  const wakeAt = known?.left ? known.left.starts[0] : set.paused ? undefined : dueTimes(set.timing).next(set.from)
  return wakeAt === undefined ? {} : { wakeAt }
}

function foreign(name: string, thread: string): LoomError {
  const message = `The thread ${thread} is no schedule, or was imported and not adopted. Adopt or remove it, or give the schedule another name.`
  return new LoomError('LOOM_SCHEDULE_INVALID', message, { context: { schedule: name, thread } })
}

function shown({ set, after, last, kept }: KeptSchedule, count = 3): Schedule {
  const { name, agent, timing, start, missed, most, grace, paused = false } = set
  return {
    name,
    agent,
    timing,
    start,
    missed,
    most,
    grace,
    paused,
    next: paused ? [] : nextTimes(timing, { after, now: kept.head.times.now, count }),
    last: last?.data.runs ?? [],
  }
}

/** The next due times: those that have come and were not decided about yet count as one. */
function nextTimes(
  timing: Timing,
  { after, now, count }: { readonly after: number; readonly now: number; readonly count: number },
): readonly number[] {
  const times = dueTimes(timing)
  const found: number[] = []
  for (let time = times.next(after); time !== undefined && found.length < count; time = times.next(Math.max(time, now))) found.push(time)
  return found
}
