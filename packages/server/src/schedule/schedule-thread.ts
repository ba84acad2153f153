/**
 * A schedule as its thread has it: what was set last, how far it was decided about, and what is still to be started.
 *
 * SCHEDULE-1. A schedule is a thread of its own, `schedule:` and its name. Everything that is decided about it follows from its facts.
 */
import type { EventOf, Journal, LoomEvent, ScheduleSet } from '@loom-agent/kernel'
import { type KeptThread, readKept } from '../kept/kept-thread.ts'

/** The agent that the threads of schedules belong to. */
export const scheduleAgent = 'loom:schedules'

const prefix = 'schedule:'

/** The thread of a schedule. */
export const scheduleThread = (name: string): string => `${prefix}${name}`

/** A schedule with what its facts say. */
export interface KeptSchedule {
  readonly kept: KeptThread
  /** What was set last, and the seq of that event. */
  readonly set: ScheduleSet
  readonly setSeq: number
  /** Due times after this one are to be decided about. */
  readonly after: number
  /** Starts that were decided about and not recorded yet, and the event that has what they start with. */
  readonly left: { readonly starts: readonly number[]; readonly set: number } | undefined
  /** The last due times that came to something. */
  readonly last: EventOf<'schedule.started'> | undefined
}

const isSet = (event: LoomEvent): event is EventOf<'schedule.set'> => event.type === 'schedule.set'
const isDue = (event: LoomEvent): event is EventOf<'schedule.due'> => event.type === 'schedule.due'
const isStarted = (event: LoomEvent): event is EventOf<'schedule.started'> => event.type === 'schedule.started'

/** The last decision says which event set the schedule: nothing before it counts. */
const isEnough = (tail: readonly LoomEvent[]): boolean => tail.some(isDue)

/** Reads a schedule; undefined when there is none of this name. */
export async function readSchedule(journal: Pick<Journal, 'head' | 'read'>, name: string): Promise<KeptSchedule | undefined> {
  const kept = await readKept(journal, scheduleThread(name), isEnough)
  return kept && scheduleOf(journal, kept)
}

async function scheduleOf(journal: Pick<Journal, 'read'>, kept: KeptThread): Promise<KeptSchedule | undefined> {
  const { head, tail } = kept
  const due = tail.findLast(isDue)
  const set = tail.findLast(isSet) ?? (due && (await setAt(journal, kept, due.data.set)))
  if (!set || head.summary.agent !== scheduleAgent) return undefined
  const last = tail.findLast(isStarted)
  const isLeft = due !== undefined && due.data.starts.length > 0 && (last?.seq ?? 0) < due.seq
  const after = due && due.seq > set.seq ? due.data.to : set.data.from
  return { kept, set: set.data, setSeq: set.seq, after, left: isLeft ? due.data : undefined, last }
}

/** The event that set a schedule, by its seq. */
export async function setAt(journal: Pick<Journal, 'read'>, { head, tail }: KeptThread, seq: number): Promise<EventOf<'schedule.set'> | undefined> {
  const known = tail.find((event) => event.seq === seq)
  const [event] = known ? [known] : await journal.read(head.thread, { from: seq, limit: 1, incarnation: head.incarnation })
  return event && isSet(event) ? event : undefined
}
