/** What the plan of a strategy must be. */
import { type Expected, expected, type Shape } from '../platform/expected.ts'
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
  if (as === 'dropped') return expected.text.fits(rule) && expected.text.fits(reason)
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
    reason: required,
    segments: expected.list(segment, `a list of segments: ${segment.words}`),
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
