/**
 * What the page shows of a context: a turn by the moment in the address, an entry and a side by the query.
 *
 * COLUMN-1. A moment is in one turn: that of the last request at or before it. The end is the last request.
 */
import type { ContextMatrix } from '@loom-agent/telemetry'
import { type Moment, searchOf, threadPath } from '../route/place.ts'

/** The sides of the page beside the weave. */
export const sides = ['reason', 'changes', 'request', 'what-if'] as const
export type Side = (typeof sides)[number]

/** A column of the weave: a turn, with its last request. */
export interface Column {
  readonly turn: number
  /** The seq of the last request of the turn. */
  readonly seq: number
  /** Tokens that the provider counted; absent until it has replied. */
  readonly input: number | undefined
}

/** The turns that made requests, in order, each with its last one. */
export function columnsOf({ requests }: Pick<ContextMatrix, 'requests'>): readonly Column[] {
  const found = new Map<number, Column>()
  for (const { turn, seq, input } of requests) found.set(turn, { turn, seq, input })
  return [...found.values()].sort((a, b) => a.turn - b.turn)
}

/** The place of the column that a moment is in; -1 where there is none. */
export function columnAt(columns: readonly Column[], seq: number | undefined): number {
  if (seq === undefined) return columns.length - 1
  const later = columns.findIndex((column) => column.seq > seq)
  if (later < 0) return columns.length - 1
  return Math.max(0, later - 1)
}

/** What is chosen besides the moment. */
export interface Choice {
  readonly side: Side
  /** The event that brought the selected entry. */
  readonly item: number | undefined
  /** The text that is looked for. */
  readonly find: string
  readonly table: boolean
}

/** Reads a choice. */
export function choiceOf(query: URLSearchParams): Choice {
  const item = Number(query.get('item') ?? Number.NaN)
  return {
    side: sides.find((side) => side === query.get('side')) ?? 'reason',
    item: Number.isSafeInteger(item) && item > 0 ? item : undefined,
    find: query.get('find') ?? '',
    table: query.get('view') === 'table',
  }
}

/** The address of a context. */
export function contextPath(moment: Moment, { side, item, find, table }: Partial<Choice> = {}): string {
  const query = {
    item: item === undefined ? undefined : String(item),
    side: side === 'reason' ? undefined : side,
    ...{ find, view: table ? 'table' : undefined },
  }
  return `${threadPath(moment)}/context${searchOf(query)}`
}
