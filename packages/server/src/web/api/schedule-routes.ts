/** Routes of schedules. */
import type { Input, ModelSettings } from '@loom-agent/agent'
import { type DueRun, type Limits, LoomError, type ScheduledStart, type Timing } from '@loom-agent/kernel'
import type { ScheduleOptions } from '../../schedule/schedule-options.ts'
import { getSchedule, listSchedules, pauseSchedule, removeSchedule, resumeSchedule, type Schedule, setSchedule } from '../../schedule/schedules.ts'
import { type Described, flag, list, named, object, oneOf, optional, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { mayUse } from '../service/find-thread.ts'
import { agentOf } from './agent-routes.ts'
import { ofAgent } from './schemas.ts'

const latest = Number.MAX_SAFE_INTEGER
const missed = oneOf('What happens to due times that nobody was there to start; default `once`.', 'skip', 'once', 'all')

const schedule: Described<Schedule> = object(
  {
    name: text('Its name.'),
    agent: text('The agent whose runs it starts.'),
    timing: named<Timing>('Timing', '@loom-agent/kernel', 'When it is due.'),
    start: named<ScheduledStart>('ScheduledStart', '@loom-agent/kernel', 'What its runs are started with.'),
    missed,
    most: whole('How many due times that were missed are started at most.'),
    grace: whole('Milliseconds after which a due time counts as missed.'),
    paused: flag('It is not due until somebody lets it go on.'),
    next: list('The next due times, in milliseconds since 1970.', whole('A due time.', { most: latest })),
    last: list(
      'What became of the due times that came last.',
      named<DueRun>('DueRun', '@loom-agent/kernel', 'A due time, and its run or why there is none.'),
    ),
  },
  'A schedule.',
)

/** Whether an identity may use a schedule: one that may use some threads only, if all its runs are on one of them. */
const mayUseSchedule = ({ identity }: Pick<Call, 'identity'>, { start }: Pick<Schedule, 'start'>): boolean =>
  identity.threads === undefined || (start.thread !== undefined && mayUse(identity, start.thread))

async function findSchedule(call: Call<{ readonly schedule: string }>, count?: number): Promise<Schedule> {
  const { service, params } = call
  const found = await getSchedule(service.journal, params.schedule, { ...(count !== undefined && { count }) })
  if (mayUseSchedule(call, found)) return found
  throw notFound(params.schedule)
}

function notFound(name: string): LoomError {
  return new LoomError('LOOM_THREAD_NOT_FOUND', `There is no schedule ${name} in this journal.`, { context: { schedule: name } })
}

const listRoute = route({
  name: 'listSchedules',
  method: 'GET',
  path: '/schedules',
  scope: 'read',
  summary: 'The schedules, by name, each with its next due times.',
  reply: { schema: object({ items: list('The schedules.', schedule) }) },
  async handle(call) {
    const items: Schedule[] = []
    for await (const one of listSchedules(call.service.journal)) if (mayUseSchedule(call, one)) items.push(one)
    return { items }
  },
})

const getRoute = route({
  name: 'getSchedule',
  method: 'GET',
  path: '/schedules/{schedule}',
  scope: 'read',
  summary: 'A schedule with its next due times.',
  query: object({ count: optional(whole('How many due times; default 3.', { least: 0, most: 100 })) }),
  reply: { schema: schedule },
  handle: (call) => findSchedule(call, call.query.count),
})

const scheduleBody = object({
  agent: text('The agent whose runs it starts.', { least: 1 }),
  input: ofAgent<Input>('Input', 'What each run is asked: a text, parts or messages.'),
  at: optional(whole('The one moment at which it is due, in milliseconds since 1970; or `every`.', { most: latest })),
  every: optional(text('A cron expression such as `0 8 * * 1-5`, or the time between two runs such as `90s`, `15m`, `24h` or `7d`.', { least: 1 })),
  zone: optional(text('The time zone of a cron expression; default `UTC`.', { least: 1 })),
  until: optional(whole('The last moment at which `every` may be due.', { most: latest })),
  thread: optional(text('The thread of all its runs; default: each has a new one.', { least: 1 })),
  whenBusy: optional(oneOf('What happens when that thread is busy; default `queue`.', 'queue', 'steer', 'reject')),
  limits: optional(named<Limits>('Limits', '@loom-agent/kernel', 'Limits of each run.')),
  settings: optional(ofAgent<ModelSettings>('ModelSettings', 'Settings of the model for each run.')),
  metadata: optional(named<{ readonly [key: string]: unknown }>('JsonObject', '@loom-agent/kernel', 'Journaled with each run.')),
  missed: optional(missed),
  most: optional(whole('With `missed: all`: how many are started at most; default 10.', { least: 1, most: 1000 })),
  grace: optional(whole('Milliseconds after which a due time counts as missed; default 60,000.', { most: latest })),
  paused: optional(flag('It is not due until somebody lets it go on.')),
})

const setRoute = route({
  name: 'setSchedule',
  method: 'PUT',
  path: '/schedules/{schedule}',
  scope: 'run',
  summary: 'Sets a schedule, or changes the one of this name. Due times from now on count.',
  body: scheduleBody,
  reply: { schema: schedule },
  async handle(call) {
    const { service, identity, params, body } = call
    agentOf(service, body.agent)
    if (identity.threads) {
      const isOwn = body.thread !== undefined && mayUse(identity, body.thread)
      if (!isOwn) throw threadNeeded(identity.name)
      const known = await getSchedule(service.journal, params.schedule).catch(() => undefined)
      // The name is taken by somebody else.
      if (known && !mayUseSchedule(call, known)) throw notFound(params.schedule)
    }
    const set = await setSchedule(service.journal, params.schedule, { ...body, by: identity.name } as ScheduleOptions)
    service.schedulesChanged()
    return set
  },
})

function threadNeeded(name: string): LoomError {
  const message = `${name} may use some threads only: name the one on which the runs are to start.`
  return new LoomError('LOOM_REQUEST_INVALID', message, { context: { name } })
}

const removeRoute = route({
  name: 'removeSchedule',
  method: 'DELETE',
  path: '/schedules/{schedule}',
  scope: 'run',
  summary: 'Removes a schedule and its record. The runs that it has started stay.',
  reply: { status: 204 },
  async handle(call) {
    await findSchedule(call)
    await removeSchedule(call.service.journal, call.params.schedule)
  },
})

const pauseRoute = route({
  name: 'pauseSchedule',
  method: 'POST',
  path: '/schedules/{schedule}/pause',
  scope: 'run',
  summary: 'Pauses a schedule: it starts nothing until it is let go on.',
  reply: { schema: schedule },
  async handle(call) {
    await findSchedule(call)
    return pauseSchedule(call.service.journal, call.params.schedule, { by: call.identity.name })
  },
})

const resumeRoute = route({
  name: 'resumeSchedule',
  method: 'POST',
  path: '/schedules/{schedule}/resume',
  scope: 'run',
  summary: 'Lets a paused schedule go on. Due times from now on count.',
  reply: { schema: schedule },
  async handle(call) {
    await findSchedule(call)
    const resumed = await resumeSchedule(call.service.journal, call.params.schedule, { by: call.identity.name })
    call.service.schedulesChanged()
    return resumed
  },
})

/** Schedules. */
export const scheduleRoutes: readonly Route[] = [listRoute, getRoute, setRoute, removeRoute, pauseRoute, resumeRoute]
