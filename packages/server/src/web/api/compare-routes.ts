/** Two threads, or two moments of one, step by step. */
import { parseMoment } from '@loom-agent/agent'
import { type ComparedStep, compareSteps, type Step, type StepComparison, type StepTotals, steps } from '@loom-agent/telemetry'
import { flag, list, object, optional, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { findThread } from '../service/find-thread.ts'
import { view } from './schemas.ts'

const momentText = (description: string) => text(description, { least: 1, most: 1000 })

/** The steps of a thread up to a moment: `thread` or `thread@seq`. */
async function stepsAt(call: Call, moment: string): Promise<{ readonly at: string; readonly steps: readonly Step[] }> {
  const { thread, seq } = /@\d+$/.test(moment) ? parseMoment(moment) : { thread: moment, seq: undefined }
  const { head } = await findThread(call, thread)
  const { seq: at, view: found } = await call.service.projector.view(steps, head.thread, seq === undefined ? {} : { at: Math.min(seq, head.seq) })
  // What is held by the projector grows with the thread.
  return { at: `${head.thread}@${at}`, steps: [...found] }
}

/** Where two moments have been compared, so that the next page costs nothing. */
const recent = new WeakMap<Call['service'], { readonly key: string; readonly comparison: StepComparison }>()

async function comparisonOf(call: Call, given: { readonly a: string; readonly b: string }) {
  const [a, b] = await Promise.all([stepsAt(call, given.a), stepsAt(call, given.b)])
  const heads = await Promise.all([a, b].map(({ at }) => call.service.journal.head(parseMoment(at).thread)))
  const key = JSON.stringify([a.at, b.at, ...heads.map((head) => head?.incarnation)])
  const held = recent.get(call.service)
  const comparison = held?.key === key ? held.comparison : compareSteps(a.steps, b.steps)
  recent.set(call.service, { key, comparison })
  return { a: a.at, b: b.at, comparison }
}

const compareThreads = route({
  name: 'compareThreads',
  method: 'GET',
  path: '/comparison',
  scope: 'read',
  summary: 'Two threads, or two moments, step by step: what they begin with, and then aligned by what each step is.',
  query: object({
    a: momentText('The one: `thread`, or `thread@seq`.'),
    b: momentText('The other.'),
    from: optional(whole('The first row of the page; default 0.')),
    limit: optional(whole('Rows of a page; default 500.', { least: 1, most: 5000 })),
  }),
  reply: {
    schema: object({
      a: text('The moment of the one.', { most: 1000 }),
      b: text('The moment of the other.', { most: 1000 }),
      common: whole('With how many equal steps both begin.'),
      last: optional(object({ a: view<Step>('Step', 'The last of them in the one.'), b: view<Step>('Step', 'And in the other.') })),
      counts: object({
        same: whole('Rows that are the same.'),
        changed: whole('Rows that are the same step, done otherwise.'),
        removed: whole('Rows that only the one has.'),
        added: whole('Rows that only the other has.'),
      }),
      totals: object({
        a: view<StepTotals>('StepTotals', 'What the one took behind the common steps.'),
        b: view<StepTotals>('StepTotals', 'And the other.'),
      }),
      isBest: flag('The alignment is the best one; of threads that differ in thousands of places it is not looked for.'),
      items: list('The rows behind the common steps.', view<ComparedStep>('ComparedStep', 'A row.')),
      next: optional(whole('The row with which the next page begins.')),
    }),
  },
  async handle(call) {
    const { from = 0, limit = 500 } = call.query
    const { a, b, comparison } = await comparisonOf(call, call.query)
    const { rows, ...rest } = comparison
    const end = from + limit
    return { a, b, ...rest, items: rows.slice(from, end), ...(end < rows.length && { next: end }) }
  },
})

/** Comparisons. */
export const compareRoutes: readonly Route[] = [compareThreads]
