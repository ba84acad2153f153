/** The threads as lines over one axis of time: a fork branches off the line of its parent, a child off the line that started it. */
import { compressedAxis } from '../axis/compressed-axis.ts'

/** A thread as lists have it. */
export interface ListedThread {
  readonly thread: string
  readonly status: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial'
  readonly agent?: string | undefined
  readonly parent?: string | undefined
  readonly forkOf?: string | undefined
  readonly seq: number
  readonly began: number
  readonly changed: number
}

/** A line: places are parts of the width, from 0 to 1. */
export interface LoomLine {
  readonly item: ListedThread
  readonly from: number
  readonly to: number
  /** The row of the line that it branches off; -1 for none. */
  readonly off: number
  readonly isFork: boolean
  /** How many lines are above it in its family. */
  readonly depth: number
}

/** The thread that another one came from, by the part before the last `@`. */
const nameOf = (moment: string): string => moment.replace(/@\d+$/, '')

/** The thread that a line branches off, where it is among the others. */
const originOf = ({ parent, forkOf }: ListedThread): string | undefined => {
  const origin = forkOf ?? parent
  return origin === undefined ? undefined : nameOf(origin)
}

/** The lines, family by family: the latest family first, and each line below the one that it branches off. */
export function loomLines(items: readonly ListedThread[], now: number): readonly LoomLine[] {
  const byName = new Map(items.map((item) => [item.thread, item]))
  const inside = new Map<string | undefined, ListedThread[]>()
  for (const item of items) {
    const origin = originOf(item)
    const key = origin !== undefined && origin !== item.thread && byName.has(origin) ? origin : undefined
    inside.set(key, [...(inside.get(key) ?? []), item])
  }
  const first = Math.min(now, ...items.map(({ began }) => began))
  const endOf = ({ status, changed }: ListedThread): number => (status === 'running' ? now : changed) - first
  const axis = compressedAxis(
    items.map((item) => [item.began - first, endOf(item)]),
    now - first,
  )
  const place = (time: number): number => axis.place(time) / Math.max(1, axis.length)
  const lines: LoomLine[] = []
  const add = (item: ListedThread, off: number, depth: number): void => {
    const row = lines.length
    lines.push({ item, from: place(item.began - first), to: place(endOf(item)), off, isFork: item.forkOf !== undefined, depth })
    for (const one of inside.get(item.thread) ?? []) add(one, row, depth + 1)
  }
  const latest = (item: ListedThread): number => Math.max(item.changed, ...(inside.get(item.thread) ?? []).map(latest))
  for (const item of (inside.get(undefined) ?? []).toSorted((a, b) => latest(b) - latest(a))) add(item, -1, 0)
  return lines
}
