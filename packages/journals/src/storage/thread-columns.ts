/** The columns of the thread table that the databases have in common. */
import type { ForkOf, JsonObject, Summary, ThreadQuery } from '@loom-agent/kernel'
import { damage } from './failure.ts'

/** A row of a result. */
type Row = Readonly<Record<string, unknown>>

/** Status, agent, parent, time to wake, labels, and whether the thread is quarantined, in this order. */
export type SummaryColumns = readonly [string, string | null, string | null, number | null, string | null, 1 | null]

/** A summary as columns. */
export function summaryColumns({ status, agent, parent, wakeAt, labels, quarantined }: Summary): SummaryColumns {
  return [status, agent ?? null, parent ?? null, wakeAt ?? null, labels === undefined ? null : JSON.stringify(labels), quarantined ? 1 : null]
}

/** The columns of a summary in a row. */
export function summaryColumnsIn({ status, agent, parent, wake_at, labels, quarantined }: Row): SummaryColumns {
  const wakeAt = typeof wake_at === 'number' ? wake_at : null
  return [String(status), textOf(agent), textOf(parent), wakeAt, textOf(labels), quarantined === true || quarantined === 1 ? 1 : null]
}

/** Whether two summaries are the same. */
export function isSameSummary(one: SummaryColumns, other: SummaryColumns): boolean {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false
  return true
}

/** The summary that columns hold. Throws when the labels are damaged. */
export function summaryOf([status, agent, parent, wakeAt, labels, quarantined]: SummaryColumns, thread: string): Summary {
  return {
    status: status as Summary['status'],
    agent: agent ?? undefined,
    parent: parent ?? undefined,
    wakeAt: wakeAt ?? undefined,
    labels: labels === null ? undefined : labelsIn(labels, thread),
    ...(quarantined !== null && { quarantined: true }),
  }
}

function labelsIn(text: string, thread: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    throw damage(thread, 1, 'its labels are broken')
  }
}

/** Where the thread of a row was cut, if it is a fork. */
export function forkIn({ fork_thread, fork_incarnation, fork_seq }: Row): ForkOf | undefined {
  const thread = textOf(fork_thread)
  return thread === null ? undefined : { thread, incarnation: textOf(fork_incarnation) ?? thread, seq: Number(fork_seq) }
}

/** A text of a row; null when there is none. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A hash of a row, in hex; empty for any other value. */
export function hexOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex') : ''
}

/** How a database writes a query: the parameter of a number, and when the summary of a thread changed last, in milliseconds. */
export type QueryDialect = Readonly<{ parameter: (number: number) => string; changed: string }>

/** The conditions of a query but for its labels, their values, and the order of the rows. */
export function conditionsOf(
  { status, agent, parent, dueBy, since, before, sort = 'id', after }: ThreadQuery,
  { parameter, changed }: QueryDialect,
): { readonly where: string; readonly values: readonly (string | number)[]; readonly order: string } {
  const conditions = ['seq > 0']
  const values: (string | number)[] = []
  const name = typeof after === 'object' ? after.thread : after
  const next = (value: string | number): string => parameter(values.push(value))
  for (const [condition, value] of [
    ['wake_at <=', dueBy] as const,
    ['parent =', parent] as const,
    ['status =', status] as const,
    ['agent =', agent] as const,
    [`${changed} >=`, since] as const,
    [`${changed} <`, before] as const,
    ['name >', sort === 'id' ? name : undefined] as const,
  ]) {
    if (value !== undefined) conditions.push(`${condition} ${next(value)}`)
  }
  const [compare, direction] = sort === 'latest' ? ['<', ' desc'] : ['>', '']
  if (sort !== 'id' && typeof after === 'object') {
    const { thread, times } = after
    conditions.push(`(${changed} ${compare} ${next(times.changed)} or (${changed} = ${next(times.changed)} and name > ${next(thread)}))`)
  }
  return { where: conditions.join(' and '), values, order: sort === 'id' ? 'name' : `${changed}${direction}, name` }
}
