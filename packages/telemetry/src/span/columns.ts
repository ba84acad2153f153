/** Spans as columns: a hundred thousand of them are a few arrays of numbers, which a browser reads in milliseconds. */

/** What a span is the time of. */
export const spanKinds = ['run', 'turn', 'context', 'model', 'tool', 'step', 'question', 'child', 'wait', 'compression'] as const

/** What a span is the time of. */
export type SpanKind = (typeof spanKinds)[number]

/** How a span stands. `lost`: the process that performed it is gone, and something else came in its place. */
export const spanStatuses = ['open', 'ok', 'error', 'denied', 'stopped', 'lost'] as const

/** How a span stands. */
export type SpanStatus = (typeof spanStatuses)[number]

/**
 * Spans, one at each index of all columns. A parent comes before its children. Numbers stand for words: kinds and statuses by their place in `spanKinds` and
 * `spanStatuses`, names and links by their place in `words`.
 */
export interface Columns {
  /** Every name that a span has, once. */
  readonly words: string[]
  /** The time of the first event, in milliseconds since 1970. */
  base: number
  /** The place of each kind in `spanKinds`. */
  readonly kind: number[]
  /** The place of each name in `words`: of a tool, a model, an agent, a step. */
  readonly name: number[]
  /** The index of the span around it; -1 for a run. */
  readonly parent: number[]
  /** Which of the lanes of its turn: spans of one lane do not overlap. */
  readonly lane: number[]
  /** When it began, in milliseconds after `base`. */
  readonly start: number[]
  /** When it ended, in milliseconds after `base`; -1 while it is open. */
  readonly end: number[]
  /** The place of each status in `spanStatuses`. */
  readonly status: number[]
  /** Tokens that were sent, by the span itself: those of a child are of its whole tree. */
  readonly input: number[]
  /** Tokens that came back. */
  readonly output: number[]
  /** Integer micro-units; -1 where something was used and its price is not known. */
  readonly cost: number[]
  /** The seq of the event that opened it. */
  readonly from: number[]
  /** The seq of the last event that changed it: a reader that knows an earlier state takes the spans after that. */
  readonly to: number[]
  /** The place in `words` of the thread of a child, or of the id of a call or a question; -1 without one. */
  readonly link: number[]
}

/** No spans. */
export const emptyColumns = (): Columns => ({
  words: [],
  base: 0,
  ...{ kind: [], name: [], parent: [], lane: [], start: [], end: [], status: [] },
  ...{ input: [], output: [], cost: [], from: [], to: [], link: [] },
})

/** One span, in words. */
export interface Span {
  /** Its index in the columns. */
  readonly index: number
  /** What it is the time of. */
  readonly kind: SpanKind
  /** The tool, the model, the agent, the step. */
  readonly name: string
  /** The index of the span around it; -1 for a run. */
  readonly parent: number
  /** Which of the lanes of its turn. */
  readonly lane: number
  /** When it began, in milliseconds since 1970. */
  readonly start: number
  /** When it ended; `undefined` while it is open. */
  readonly end: number | undefined
  /** How it stands. */
  readonly status: SpanStatus
  /** Tokens that were sent. */
  readonly input: number
  /** Tokens that came back. */
  readonly output: number
  /** Integer micro-units; `undefined` where the price is not known. */
  readonly cost: number | undefined
  /** The seq of the event that opened it. */
  readonly from: number
  /** The seq of the last event that changed it. */
  readonly to: number
  /** The thread of a child, or the id of a call or a question. */
  readonly link: string | undefined
}

/** The span at an index, in words. */
export function spanAt(columns: Columns, index: number): Span {
  const at = (column: readonly number[]): number => column[index] ?? -1
  const end = at(columns.end)
  const cost = at(columns.cost)
  return {
    index,
    kind: spanKinds[at(columns.kind)] ?? 'run',
    name: columns.words[at(columns.name)] ?? '',
    parent: at(columns.parent),
    lane: at(columns.lane),
    start: columns.base + at(columns.start),
    end: end < 0 ? undefined : columns.base + end,
    status: spanStatuses[at(columns.status)] ?? 'open',
    input: at(columns.input),
    output: at(columns.output),
    cost: cost < 0 ? undefined : cost,
    from: at(columns.from),
    to: at(columns.to),
    link: columns.words[at(columns.link)],
  }
}

/** All spans, in words, in the order in which they began. */
export function* spansOf(columns: Columns): Generator<Span, void> {
  for (let index = 0; index < columns.kind.length; index += 1) yield spanAt(columns, index)
}
