/** What the plan of a strategy must be. */
import type { Frame } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ContextPlan } from './strategy.ts'

const required = expected.required(expected.text)
const count = expected.required(expected.whole(0))
const amount = expected.finite(0)
const isPinned: Expected = { words: 'true', fits: (value) => value === true }

const trim: Shape = { rule: required, tools: expected.list(expected.text, 'a list of names'), over: count, head: count, tail: count }

/** What a segment must be, by what it shows: a summary has a number or a text, and what is dropped says why. */
const segments = {
  kept: { to: count, as: expected.anything, trims: expected.list(expected.object, 'a list of trims: { rule, tools?, over, head, tail }') },
  dropped: { to: count, as: expected.anything, rule: expected.required(expected.name), reason: expected.required(expected.name) },
  number: { to: count, as: expected.anything, summary: count },
  text: { to: count, as: expected.anything, text: required, rule: expected.text },
} as const satisfies Readonly<Record<string, Shape>>

const item: Shape = {
  kind: required,
  id: required,
  origin: required,
  text: expected.required(expected.name),
  trust: expected.oneOf('untrusted'),
  priority: expected.finite(Number.MIN_SAFE_INTEGER),
  pin: isPinned,
}

const summary: Shape = {
  from: count,
  to: count,
  summary: expected.required(expected.name),
  tokensBefore: amount,
  tokensAfter: amount,
  turn: expected.whole(0),
  target: amount,
  by: expected.oneOf('model', 'extract'),
  model: expected.text,
  usage: expected.object,
  cost: amount,
  drops: expected.list(expected.text, 'a list of texts'),
}

const document: Shape = { id: required, title: expected.text, score: expected.finite(Number.MIN_SAFE_INTEGER), text: required }

const list = (words: string): Expected => expected.list(expected.object, words)

/** What a plan must be. A cut may lie outside of the history: it is moved into it. */
export const planShape: Shape & Record<keyof ContextPlan, Expected> = {
  rebase: expected.options({
    reason: expected.required(expected.name),
    // What is in a list is checked by itself, so that the message names it.
    segments: expected.list(expected.anything, `a list of segments, such as { to: 12, as: 'kept' }`),
    keepFrom: { words: 'a whole number', fits: Number.isSafeInteger },
    lead: expected.text,
    budget: expected.options({
      max: expected.required(expected.finite(0)),
      before: expected.required(expected.finite(0)),
      after: expected.required(expected.finite(0)),
      window: expected.finite(0),
    }),
  }),
  items: list('a list of items: { kind, id, origin, text }'),
  compressed: expected.either(expected.object, list('a list of summaries')),
  compressionFailed: expected.options({
    code: required,
    message: required,
    recoverable: expected.required(expected.flag),
    context: expected.object,
  }),
  estimated: expected.flag,
  retrieved: expected.options({ query: required, documents: expected.required(list('a list of documents: { id, title?, score?, text }')) }),
}

/**
 * Refuses a plan that cannot be carried out: what it says of a segment must be there, because nothing leaves the context without a reason. And one that
 * cannot be recorded: the journal of a thread is read by others.
 */
export function checkPlan(strategy: string, plan: unknown, { summaries }: Frame): void {
  const place = `The context strategy "${strategy}"`
  const check = (name: string, value: unknown, shape: Shape): void =>
    checkOptions(place, { [name]: value }, { [name]: expected.required(expected.options(shape)) })
  const checkEach = (name: string, values: readonly unknown[] | undefined, shape: Shape): void => {
    for (const [index, value] of (values ?? []).entries()) check(`${name}[${index}]`, value, shape)
  }
  check('plan', plan, planShape)
  const { rebase, items, compressed, retrieved } = plan as ContextPlan
  const made = compressed === undefined ? [] : [compressed].flat()
  checkEach('plan.items', items, item)
  checkEach('plan.compressed', made, summary)
  checkEach('plan.retrieved.documents', retrieved?.documents, document)
  for (const [index, one] of (rebase?.segments ?? []).entries()) {
    const name = `plan.rebase.segments[${index}]`
    check(name, one, shapeOf(place, name, one))
    if (one.as === 'kept') checkEach(`${name}.trims`, one.trims, trim)
    if (one.as !== 'summary' || !('summary' in one)) continue
    const known = summaries.length + made.length
    const fits = (number: unknown): boolean => Number(number) < known
    check(name, one, { ...segments.number, summary: { words: `the number of a summary: with those of the plan there are ${known}`, fits } })
  }
}

/** What a segment must be. */
function shapeOf(place: string, name: string, segment: unknown): Shape {
  const { as, ...rest } = Object(segment) as Readonly<Record<string, unknown>>
  const known = expected.required(expected.oneOf('kept', 'dropped', 'summary'))
  checkOptions(place, { [`${name}.as`]: as }, { [`${name}.as`]: known })
  if (as === 'summary') return 'text' in rest ? segments.text : segments.number
  return as === 'dropped' ? segments.dropped : segments.kept
}
