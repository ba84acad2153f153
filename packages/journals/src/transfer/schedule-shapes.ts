/** What events about schedules and webhooks carry. */
import type { ScheduleData } from '@loom-agent/kernel'
import {
  amount,
  count,
  either,
  type Fields,
  type Fits,
  fielded,
  isSet,
  json,
  listOf,
  maybe,
  name,
  object,
  positive,
  text,
  threadName,
  word,
} from './event-fields.ts'

const wakeAt = maybe(amount)
const timing = either(
  fielded({ at: amount }),
  fielded({ cron: text, zone: text, until: maybe(amount) }),
  fielded({ interval: positive, from: amount, until: maybe(amount) }),
)
const dueRun = either(
  fielded({ time: amount, thread: threadName, run: name }),
  fielded({ time: amount, error: fielded({ code: text, message: text }) }),
)

/** The shapes of these events, with that of the limits that runs are started with. */
export const scheduleShapes = (limits: Fits): Readonly<Record<keyof ScheduleData, Fields>> => ({
  'schedule.set': {
    name,
    agent: name,
    timing,
    missed: word('skip', 'once', 'all'),
    most: count,
    grace: amount,
    from: amount,
    paused: isSet,
    by: maybe(text),
    wakeAt,
    start: fielded({
      input: json,
      thread: maybe(threadName),
      whenBusy: maybe(word('queue', 'steer', 'reject')),
      limits: maybe(limits),
      settings: maybe(object),
      metadata: maybe(object),
    }),
  },
  'schedule.due': {
    set: positive,
    to: amount,
    starts: listOf(amount),
    skipped: maybe(fielded({ from: amount, to: amount })),
    wakeAt,
  },
  'schedule.started': { runs: listOf(dueRun), wakeAt },
  'webhook.moved': {
    cursor: text,
    delivered: count,
    dropped: maybe(listOf(fielded({ id: text, thread: threadName, seq: positive, attempts: count, problem: text }))),
    stale: isSet,
  },
})
