/** Routes of figures over all threads. */
import { LoomError } from '@loom-agent/kernel'
import { type Advice, adviceFor, type MetricsSummary, prometheusOf, type RunMetrics, summarizeMetrics } from '@loom-agent/telemetry'
import { list, object, optional, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { view } from './schemas.ts'

const query = object({
  agent: optional(text('Runs of this agent.')),
  since: optional(whole('Runs that started at this time or later, in milliseconds since 1970.')),
  before: optional(whole('Runs that started before this time.')),
})

/** The runs of all threads. Who may use some of them only gets none of these figures: they are of all. */
function runsOf({ service, identity, query: given }: Call<unknown, NonNullable<typeof query.type>>): Promise<readonly RunMetrics[]> {
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
    const summary = summarizeMetrics(await runsOf(call))
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
    return new Response(prometheusOf(await runsOf(call)), { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
  },
})

/** Figures. */
export const metricRoutes: readonly Route[] = [getMetrics, getPrometheus]
