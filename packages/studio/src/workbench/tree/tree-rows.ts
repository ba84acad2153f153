/** The tree of a thread: runs, turns, what they did, and the threads of children below the calls that started them. */
import { type Columns, type Span, spanAt } from '@loom-agent/telemetry'

/** A row of the tree. */
export interface TreeRow {
  /** Names the row while the tree changes. */
  readonly id: string
  readonly thread: string
  readonly span: Span
  readonly depth: number
  readonly hasChildren: boolean
  readonly isExpanded: boolean
}

/** What the tree shows. */
export interface TreeSource {
  readonly thread: string
  readonly columns: Columns
  /** The spans of children that were loaded, by their threads. */
  readonly children: ReadonlyMap<string, Columns>
  /** Rows whose state differs from what is usual: runs and children are expanded, turns are not when there are many. */
  readonly toggled: ReadonlySet<string>
  /** What lies after this event is left out. */
  readonly at: number
}

/** Turns of a thread that are all shown with what they did. */
const fewTurns = 12

interface Walk extends Omit<TreeSource, 'at'> {
  readonly rows: TreeRow[]
  readonly seen: ReadonlySet<string>
}

/** The rows that are visible. */
export function treeRows(source: TreeSource): readonly TreeRow[] {
  const rows: TreeRow[] = []
  walk({ ...source, rows, seen: new Set([source.thread]) }, { depth: 0, at: source.at })
  return rows
}

function below({ parent, from }: Columns, at: number): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const [index, above] of parent.entries()) {
    if ((from[index] ?? 0) > at) break
    const list = found.get(above)
    if (list) list.push(index)
    else found.set(above, [index])
  }
  return found
}

function walk(of: Walk, { depth, at }: { readonly depth: number; readonly at: number }): void {
  const inside = below(of.columns, at)
  const turns = of.columns.kind.filter((kind) => kind === 1).length
  const visit = (index: number, deep: number): void => {
    const span = spanAt(of.columns, index)
    const id = `${of.thread} ${index}`
    const spans = inside.get(index) ?? []
    const child = span.kind === 'child' && span.link !== undefined && !of.seen.has(span.link) ? span.link : undefined
    const usually = span.kind !== 'turn' || turns <= fewTurns
    const isExpanded = usually !== of.toggled.has(id)
    of.rows.push({ id, thread: of.thread, span, depth: deep, hasChildren: spans.length > 0 || child !== undefined, isExpanded })
    if (!isExpanded) return
    for (const each of spans) visit(each, deep + 1)
    const columns = child === undefined ? undefined : of.children.get(child)
    if (child === undefined || !columns) return
    walk({ ...of, thread: child, columns, seen: new Set([...of.seen, child]) }, { depth: deep + 1, at: Number.POSITIVE_INFINITY })
  }
  for (const index of inside.get(-1) ?? []) visit(index, depth)
}

/** The threads of children that are to be shown and are not loaded. */
export function missingChildren(rows: readonly TreeRow[], children: ReadonlyMap<string, Columns>): readonly string[] {
  return rows.flatMap(({ span, isExpanded }) =>
    span.kind === 'child' && isExpanded && span.link !== undefined && !children.has(span.link) ? [span.link] : [],
  )
}
