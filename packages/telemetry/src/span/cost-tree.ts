/** What a thread has cost, and where: runs, turns, and what they paid for. */
import { type Columns, type Span, spanAt } from './columns.ts'

/** A place where tokens and money went, with those below it. */
export interface CostNode {
  /** The span; `undefined` for the whole thread. */
  readonly span: Span | undefined
  /** Tokens that were sent, here and below. */
  readonly input: number
  /** Tokens that came back, here and below. */
  readonly output: number
  /** Integer micro-units that are known, here and below. */
  readonly cost: number
  /** How many spans, here and below, used something whose price is not known: the cost is at least `cost`. */
  readonly unpriced: number
  /** What it was spent on. */
  readonly children: readonly CostNode[]
}

type Growing = { -readonly [K in keyof Omit<CostNode, 'children'>]: CostNode[K] } & { readonly children: Growing[] }

/**
 * The costs of a thread as a tree. The figures of a node are those of its span and the sums of its children: nothing is counted twice, nothing is left out.
 * What a child thread has used is in the span of the call that started it.
 */
export function costTreeOf(columns: Columns): CostNode {
  const nodeOf = (span: Span | undefined): Growing => ({
    span,
    input: span?.input ?? 0,
    output: span?.output ?? 0,
    cost: span?.cost ?? 0,
    unpriced: span && span.cost === undefined ? 1 : 0,
    children: [],
  })
  const root = nodeOf(undefined)
  const nodes = columns.kind.map((_, index) => nodeOf(spanAt(columns, index)))
  // Children come after their parents: from the last to the first, every node is complete when it is added to the one above it.
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const node = nodes[index] as Growing
    if (node.input + node.output + node.cost + node.unpriced === 0) continue
    const above = nodes[columns.parent[index] ?? -1] ?? root
    above.input += node.input
    above.output += node.output
    above.cost += node.cost
    above.unpriced += node.unpriced
    above.children.unshift(node)
  }
  return root
}
