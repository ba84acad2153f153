/** The tree of a thread: what it and its children did, and what each part has cost. */
import type { Journal } from '@loom-agent/kernel'
import { createProjector, type Projector, type Span, skeleton, spansOf } from '@loom-agent/telemetry'
import type { Look, Style } from '../output/style.ts'
import { visibleLine } from '../output/visible.ts'
import { costWords, durationWords, tokenWords } from '../output/words.ts'

/** A span with what lies below it. The figures of a child are those of its whole tree, so those of the thread below it are not added once more. */
export interface TreeNode {
  readonly kind: Span['kind'] | 'thread'
  readonly name: string
  readonly status: string
  readonly ms: number | undefined
  readonly seq: number
  readonly tokens: number
  readonly cost: number
  readonly unpriced: number
  readonly nodes: readonly TreeNode[]
}

/** Levels that are shown where nobody says how many. */
const usualDepth = 8

/** Reads the tree of a thread. */
export async function readTree(journal: Journal, thread: string, { depth = usualDepth, now }: { depth?: number; now: number }): Promise<TreeNode> {
  return threadNode({ projector: createProjector(journal), now }, thread, depth)
}

/** The lines of a tree. */
export const treeLines = (root: TreeNode, style: Style): readonly string[] => [words(root, style), ...branches(root.nodes, '', style)]

interface Reading {
  readonly projector: Projector
  readonly now: number
}

type Below = ReadonlyMap<number, readonly Span[]>

async function threadNode(reading: Reading, thread: string, depth: number): Promise<TreeNode> {
  const { view, seq } = await reading.projector.view(skeleton, thread)
  const below: Below = Map.groupBy(spansOf(view), ({ parent }) => parent)
  const nodes = await nodesOf(reading, { below, spans: below.get(-1) ?? [], depth })
  return { kind: 'thread', name: thread, status: nodes.at(-1)?.status ?? 'idle', ms: undefined, seq, ...sumOf(nodes), nodes: depth > 0 ? nodes : [] }
}

async function nodesOf(
  reading: Reading,
  given: { readonly below: Below; readonly spans: readonly Span[]; readonly depth: number },
): Promise<readonly TreeNode[]> {
  const { below, spans, depth } = given
  const made: TreeNode[] = []
  for (const span of spans) {
    const parts = await nodesOf(reading, { below, spans: below.get(span.index) ?? [], depth: depth - 1 })
    const child = span.kind === 'child' && span.link !== undefined && depth > 1 ? [await threadNode(reading, span.link, depth - 1)] : []
    const own = { tokens: span.input + span.output, cost: span.cost ?? 0, unpriced: span.cost === undefined ? 1 : 0 }
    const { kind, name, status, from } = span
    const ms = (span.end ?? reading.now) - span.start
    made.push({ kind, name, status, ms, seq: from, ...sumOf([own, ...parts]), nodes: depth > 1 ? [...parts, ...child] : [] })
  }
  return made
}

type Sum = Pick<TreeNode, 'tokens' | 'cost' | 'unpriced'>

function sumOf(parts: readonly Sum[]): Sum {
  const total = { tokens: 0, cost: 0, unpriced: 0 }
  for (const { tokens, cost, unpriced } of parts) {
    total.tokens += tokens
    total.cost += cost
    total.unpriced += unpriced
  }
  return total
}

const looks: Readonly<Record<string, Look>> = { error: 'red', denied: 'red', lost: 'red', stopped: 'yellow', open: 'blue' }

function words({ kind, name, status, ms, seq, tokens, cost, unpriced }: TreeNode, style: Style): string {
  const look = looks[status]
  const figures = [
    ...(ms === undefined ? [] : [durationWords(ms)]),
    ...(tokens > 0 ? [`${tokenWords(tokens)} tok`, costWords(cost, unpriced)] : []),
    ...(status === 'ok' ? [] : [look ? style(look, status) : status]),
  ]
  return `${style('bold', kind)}${name === kind ? '' : ` ${visibleLine(name)}`} ${style('faint', `@${seq}`)}${figures.length > 0 ? `  ${figures.join(' · ')}` : ''}`
}

function branches(nodes: readonly TreeNode[], indent: string, style: Style): readonly string[] {
  return nodes.flatMap((node, index) => {
    const isLast = index === nodes.length - 1
    return [`${indent}${isLast ? '└─ ' : '├─ '}${words(node, style)}`, ...branches(node.nodes, `${indent}${isLast ? '   ' : '│  '}`, style)]
  })
}
