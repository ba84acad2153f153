/** What the plan of a strategy must be. */
import type { Frame } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ContextPlan } from './strategy.ts'

const required = expected.required(expected.text)
const isText = (value: unknown, key: string): boolean => typeof (value as Readonly<Record<string, unknown>>)[key] === 'string'

const segment: Expected = {
  words: "a segment, such as { to: 12, as: 'kept' } or { to: 40, as: 'dropped', rule: 'old', reason: 'It is old.' }",
  fits: (value) => isSegment(value),
}

/** Whether a value is a segment: a summary has a number or a text, and what is dropped says why. */
function isSegment(value: unknown): boolean {
  if (!expected.object.fits(value)) return false
  const { to, as, rule, reason, summary, text, trims = [] } = value as Readonly<Record<string, unknown>>
  if (!expected.whole(0).fits(to)) return false
  if (as === 'dropped') return expected.name.fits(rule) && expected.name.fits(reason)
  if (as === 'summary') return expected.whole(0).fits(summary) !== expected.text.fits(text)
  return as === 'kept' && expected.list(trim, '').fits(trims)
}

const trim: Expected = {
  words: 'a trim',
  fits: (value) => {
    if (!expected.object.fits(value)) return false
    const { rule, tools = [], over, head, tail } = value as Readonly<Record<string, unknown>>
    return expected.text.fits(rule) && expected.list(expected.text, '').fits(tools) && [over, head, tail].every(expected.whole(0).fits)
  },
}

/** What a plan must be. A cut may lie outside of the history: it is moved into it. */
export const planShape: Shape & Record<keyof ContextPlan, Expected> = {
  rebase: expected.options({
    reason: expected.required(expected.name),
    // Each of them is checked by itself, so that the message names it.
    segments: expected.list(expected.anything, `a list of segments: ${segment.words}`),
    keepFrom: { words: 'a whole number', fits: Number.isSafeInteger },
    lead: expected.text,
    budget: expected.options({
      max: expected.required(expected.finite(0)),
      before: expected.required(expected.finite(0)),
      after: expected.required(expected.finite(0)),
      window: expected.finite(0),
    }),
  }),
  items: expected.list(
    { words: 'an item', fits: (value) => expected.object.fits(value) && ['kind', 'id', 'origin', 'text'].every((key) => isText(value, key)) },
    'a list of items: { kind, id, origin, text }',
  ),
  compressed: expected.either(expected.object, expected.list(expected.object, 'a list of summaries')),
  compressionFailed: expected.options({
    code: required,
    message: required,
    recoverable: expected.required(expected.flag),
    context: expected.object,
  }),
  estimated: expected.flag,
  retrieved: expected.options({ query: required, documents: expected.required(expected.list(expected.object, 'a list of documents')) }),
}

/** Refuses a plan that cannot be carried out: what it says of a segment must be there, because nothing leaves the context without a reason. */
export function checkPlan(strategy: string, plan: unknown, { summaries }: Frame): void {
  const place = `The context strategy "${strategy}"`
  checkOptions(place, { plan }, { plan: expected.required(expected.options(planShape)) })
  const { rebase, compressed } = plan as ContextPlan
  const made = summaries.length + (compressed === undefined ? 0 : [compressed].flat().length)
  for (const [index, one] of (rebase?.segments ?? []).entries()) {
    const name = `plan.rebase.segments[${index}]`
    checkOptions(place, { [name]: one }, { [name]: expected.required(segment) })
    const words = `the number of a summary: with those of the plan there are ${made}`
    const fits = (number: unknown): boolean => Number(number) < made
    if (one.as === 'summary' && 'summary' in one) checkOptions(place, { [`${name}.summary`]: one.summary }, { [`${name}.summary`]: { words, fits } })
  }
}
