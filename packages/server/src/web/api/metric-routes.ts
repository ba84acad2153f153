/** Routes of figures over all threads. */
import { systemClock } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import {
  type Advice,
  adviceFor,
  type MetricsSeries,
  type MetricsSummary,
  prometheusOf,
  type RunMetrics,
  seriesOf,
  summarizeMetrics,
} from '@loom-agent/telemetry'
import { list, object, oneOf, optional, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { view } from './schemas.ts'

const query = object({
  agent: optional(text('Runs of this agent.')),
  since: optional(whole('Runs that started at this time or later, in milliseconds since 1970.')),
  before: optional(whole('Runs that started before this time.')),
})

/** The runs of all threads. Who may use some of them only gets none of these figures: they are of all. */
function runsOf({ service, identity }: Pick<Call, 'service' | 'identity'>, given: NonNullable<typeof query.type>): Promise<readonly RunMetrics[]> {
  if (!identity.threads) return service.metrics.runs(given)
  throw new LoomError('LOOM_ACCESS_DENIED', `${identity.name} may use some threads only, and these figures are of all.`, { context: { status: 403 } })
}

const getMetrics = route({
  name: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  scope: 'read',
  summary: 'Figures of the runs of all threads, and what they suggest.',
  query,
  reply: {
    schema: object({
      summary: view<MetricsSummary>('MetricsSummary', 'The figures.'),
      advice: list('What they suggest.', view<Advice>('Advice', 'Advice.')),
    }),
  },
  async handle(call) {
    const summary = summarizeMetrics(await runsOf(call, call.query))
    return { summary, advice: adviceFor(summary) }
  },
})

const getPrometheus = route({
  name: 'getPrometheus',
  method: 'GET',
  path: '/metrics/prometheus',
  scope: 'read',
  summary: 'The same figures as Prometheus reads them.',
  query,
  reply: { type: 'text/plain' },
  async handle(call) {
    return new Response(prometheusOf(await runsOf(call, call.query)), { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
  },
})

const hour = 3_600_000

const getSeries = route({
  name: 'getMetricsSeries',
  method: 'GET',
  path: '/metrics/series',
  scope: 'read',
  summary: 'Figures of runs over time, in equal steps, by when the runs started.',
  query: object({
    agent: optional(text('Runs of this agent.')),
    from: optional(whole('The beginning of the first step, in milliseconds since 1970; default: a day before the end.')),
    to: optional(whole('The end of the last step; default: now.')),
    step: optional(whole('Milliseconds of a step; default: an hour. Of more than 2,000 steps each is longer.', { least: 1 })),
    by: optional(oneOf('By what lines are told apart; default `all`.', 'all', 'agent', 'model', 'status')),
  }),
  reply: { schema: view<MetricsSeries>('MetricsSeries', 'Lines over the same steps.') },
  async handle(call) {
    const { agent, to = systemClock.now() + 1, from = to - 24 * hour, step = hour, by } = call.query
    if (from >= to) throw new LoomError('LOOM_REQUEST_INVALID', `The range from ${from} to ${to} is empty.`, { context: { from, to, status: 400 } })
    const runs = await runsOf(call, { agent, since: from, before: to })
    return seriesOf(runs, { from, to, step, ...(by && { by }) })
  },
})

/** Figures. */
export const metricRoutes: readonly Route[] = [getMetrics, getPrometheus, getSeries]
