/** A batch on its way to the database: its values, and the verdict that comes back. */
import { type AppendResult, type Batch, encodeBatch } from '@loom-agent/kernel'
import { spill } from '../spill.ts'
import type { Row, Value } from './driver.ts'
import { verdicts } from './functions.ts'
import { checkText } from './options.ts'

/** A batch as it will be stored: whatever its writer does with its objects from now on changes nothing. */
export interface StorableBatch {
  readonly thread: string
  /** As JSON escapes it: half a character would not survive as text. */
  readonly id: string
  readonly expected: number
  readonly epoch: number | null
  readonly count: number
  /** The line without the id that it begins with. */
  readonly line: string
  readonly blobs: ReadonlyMap<string, string>
  /** Status, agent, parent, wakeAt, labels. */
  readonly summary: readonly [string, string | null, string | null, number | null, string | null]
  readonly bytes: number
}

/** Makes a batch ready to be stored. */
export function storable(thread: string, batch: Batch): StorableBatch {
  const { expected, epoch = null, events } = batch
  const { status, agent = null, parent = null, wakeAt = null, labels } = batch.summary
  for (const [what, text] of [['agent', agent] as const, ['parent', parent] as const]) if (text !== null) checkText(what, text)
  const { line, blobs: texts } = spill(encodeBatch(batch))
  const blobs = new Map<string, string>()
  let bytes = line.length
  for (const [name, value] of [...(batch.blobs ?? []), ...texts]) {
    checkText('name of a blob', name)
    const hex = `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
    blobs.set(name, hex)
    bytes += hex.length
  }
  const id = JSON.stringify(batch.id)
  const summary = [status, agent, parent, wakeAt, labels === undefined ? null : JSON.stringify(labels)] as const
  return { thread, id: id.slice(1, -1), expected, epoch, count: events.length, line: line.slice('{"id":,'.length + id.length), blobs, summary, bytes }
}

/** The statement that appends batches, and its values. */
export interface AppendStatement {
  readonly statement: string
  readonly values: readonly Value[]
}

/** Whose batches they are, and whether they may be lost for a moment. */
export type AppendOptions = Readonly<{ s: string; here: string; lazy: boolean }>

const places = (count: number): string => Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
const [onePlaces, allPlaces] = [places(13), places(16)]

/** One statement for batches of different threads, which are in one order for everybody (P1). */
export function appendStatement(batches: readonly StorableBatch[], { s, here, lazy }: AppendOptions): AppendStatement {
  const [first, ...others] = batches
  const start = [lazy ? 1 : 0, here] as const
  if (first && others.length === 0 && first.blobs.size === 0) {
    const { thread, id, expected, epoch, count, line, summary } = first
    const values = [...start, thread, id, expected, epoch, count, line, ...summary]
    return { statement: `select verdict, at, tell from ${s}.append(${onePlaces})`, values }
  }
  const column = (value: (batch: StorableBatch) => Value): string => arrayOf(batches.map(value))
  const blobs = batches.flatMap(({ blobs: own }, index) => [...own].map(([name, hex]) => [index + 1, name, hex] as const))
  const values = [
    ...start,
    ...[column(({ thread }) => thread), column(({ id }) => id), column(({ expected }) => expected), column(({ epoch }) => epoch)],
    ...[column(({ count }) => count), batches.map(({ line }) => line).join('\n')],
    ...([0, 1, 2, 3, 4] as const).map((index) => column(({ summary }) => summary[index])),
    ...([0, 1, 2] as const).map((index) => arrayOf(blobs.map((blob) => blob[index]))),
  ]
  return { statement: `select verdict, at, tell from ${s}.append_all(${allPlaces})`, values }
}

/** Values as PostgreSQL writes an array. */
export function arrayOf(values: readonly Value[]): string {
  return `{${values.map((value) => (typeof value === 'string' ? `"${value.replace(/[\\"]/g, '\\$&')}"` : String(value))).join(',')}}`
}

/** How an append went: its result, unless the head has moved to and fro and it is to be tried again. */
export type Verdict = Readonly<{ result: AppendResult | undefined; tell: boolean }>

/** The verdict in a row of the answer. */
export function verdictIn(row: Row | undefined): Verdict {
  const at = Number(row?.['at'])
  const tell = row?.['tell'] === true
  switch (row?.['verdict']) {
    case verdicts.appended:
      return { result: { kind: 'appended', seq: at }, tell }
    case verdicts.conflict:
      return { result: { kind: 'conflict', seq: at }, tell }
    case verdicts.fenced:
      return { result: { kind: 'fenced', epoch: at }, tell }
    default:
      return { result: undefined, tell }
  }
}
