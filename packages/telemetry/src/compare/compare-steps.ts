/** Two threads, or two moments of one, step by step. */
import { align } from './align.ts'
import type { Step } from './step.ts'

/** One line of a comparison: the same step, the same step done otherwise, or one that only the first or only the second has. */
export interface ComparedStep {
  /** Which of these it is, in this order: `=`, `~`, `-`, `+`. */
  readonly op: '=' | '~' | '-' | '+'
  /** The step of the first. */
  readonly a?: Step
  /** The step of the second. */
  readonly b?: Step
}

/** What two threads have in common, and where they differ. */
export interface StepComparison {
  /** With how many equal steps both begin; they are no rows. */
  readonly common: number
  /** The last of them. */
  readonly last?: { readonly a: Step; readonly b: Step }
  /** What comes after them, aligned. */
  readonly rows: readonly ComparedStep[]
  /** How many rows there are of each kind. */
  readonly counts: { readonly same: number; readonly changed: number; readonly removed: number; readonly added: number }
  /** The sums of each side behind what they have in common. A cost is absent where a price is unknown. */
  readonly totals: { readonly a: StepTotals; readonly b: StepTotals }
  /** Whether the alignment is the best one: of threads that differ in thousands of places it is not looked for. */
  readonly isBest: boolean
}

/** What some steps took. */
export interface StepTotals {
  /** How many there are. */
  readonly steps: number
  /** Tokens of their replies, both ways. */
  readonly tokens: number
  /** Integer micro-units. */
  readonly cost?: number
  /** Milliseconds from the first to the last. */
  readonly ms: number
}

function totalsOf(steps: readonly Step[]): StepTotals {
  const replies = steps.filter(({ kind }) => kind === 'reply')
  const isPriced = replies.every(({ cost }) => cost !== undefined)
  const first = steps[0]?.time ?? 0
  return {
    steps: steps.length,
    tokens: steps.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    ...(isPriced && { cost: steps.reduce((sum, { cost = 0 }) => sum + cost, 0) }),
    ms: Math.max(0, (steps.at(-1)?.time ?? first) - first),
  }
}

const isSameStep = (a: Step, b: Step): boolean => a.kind === b.kind && a.name === b.name && a.digest === b.digest

function rowOf(a: Step | undefined, b: Step | undefined): ComparedStep {
  if (!a || !b) return { op: a ? '-' : '+', ...(a && { a }), ...(b && { b }) }
  return { op: isSameStep(a, b) ? '=' : '~', a, b }
}

/** Compares the steps of two threads: what they begin with, and then by kind and name. */
export function compareSteps(a: readonly Step[], b: readonly Step[]): StepComparison {
  const both = (one: number, other: number, same: (a: Step, b: Step) => boolean): boolean => {
    const [first, second] = [a[one], b[other]]
    return first !== undefined && second !== undefined && same(first, second)
  }
  const { common, pairs, isBest } = align({
    lengths: [a.length, b.length],
    isSame: (one, other) => both(one, other, isSameStep),
    belongs: (one, other) => both(one, other, (first, second) => first.kind === second.kind && first.name === second.name),
  })
  const rows = pairs.map(([one, other]) => rowOf(one === undefined ? undefined : a[one], other === undefined ? undefined : b[other]))
  const countOf = (op: ComparedStep['op']): number => rows.filter((row) => row.op === op).length
  const [lastA, lastB] = [a[common - 1], b[common - 1]]
  return {
    common,
    ...(lastA && lastB && { last: { a: lastA, b: lastB } }),
    rows,
    counts: { same: countOf('='), changed: countOf('~'), removed: countOf('-'), added: countOf('+') },
    totals: { a: totalsOf(a.slice(common)), b: totalsOf(b.slice(common)) },
    isBest,
  }
}
