/** A batch on its way to the database: its values, and the verdict that comes back. */
import { type AppendResult, type Batch, encodeBatch } from '@loom-agent/kernel'
import { spill } from '../spill.ts'
import type { Row, Value } from './driver.ts'
import { verdicts } from './functions.ts'
import { checkText } from './options.ts'
import type { Tail } from './tail.ts'

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
  if (agent !== null) checkText('agent', agent)
  if (parent !== null) checkText('parent', parent)
  const { line, blobs: texts } = spill(encodeBatch(batch))
  const blobs = texts.size > 0 || batch.blobs?.size ? blobsOf([...(batch.blobs ?? []), ...texts]) : none
  let bytes = line.length
  for (const { length } of blobs.values()) bytes += length
  const id = JSON.stringify(batch.id)
  const summary = [status, agent, parent, wakeAt, labels === undefined ? null : JSON.stringify(labels)] as const
  return { thread, id: id.slice(1, -1), expected, epoch, count: events.length, line: line.slice('{"id":,'.length + id.length), blobs, summary, bytes }
}

const none: ReadonlyMap<string, string> = new Map()

/** Blobs as PostgreSQL writes bytes. */
function blobsOf(blobs: readonly (readonly [string, Uint8Array])[]): ReadonlyMap<string, string> {
  const written = new Map<string, string>()
  for (const [name, bytes] of blobs) {
    checkText('name of a blob', name)
    written.set(name, `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`)
  }
  return written
}

/** The statement that appends batches, and its values. */
export interface AppendStatement {
  readonly statement: string
  readonly values: readonly Value[]
}

/** Whose batches they are, whether they may be lost for a moment, and whether is asked who watches. */
export type AppendOptions = Readonly<{ s: string; here: string; lazy: boolean; ask: boolean }>

/** One statement for batches of different threads, which are in one order for everybody (PG-1). */
export function appendStatement(batches: readonly StorableBatch[], options: AppendOptions): AppendStatement {
  const [first] = batches
  return first && batches.length === 1 && first.blobs.size === 0 ? appendOne(first, options) : appendAll(batches, options)
}

/** What is the same for all, and what is not there, is part of the text: the server prepares a few texts, and each value costs. */
function appendOne({ thread, id, expected, epoch, count, line, summary }: StorableBatch, options: AppendOptions): AppendStatement {
  const values: Value[] = []
  let places = ''
  for (const value of [thread, id, expected, epoch, count, line, ...summary]) places += value === null ? ', null' : `, $${values.push(value)}`
  return { statement: `select ${options.s}.append(${startOf(options)}${places}) as verdicts`, values }
}

const places = Array.from({ length: 14 }, (_, index) => `$${index + 1}`).join(', ')

function appendAll(batches: readonly StorableBatch[], options: AppendOptions): AppendStatement {
  const column = (value: (batch: StorableBatch) => Value): string => arrayOf(batches.map(value))
  const blobs = batches.flatMap(({ blobs: own }, index) => [...own].map(([name, hex]) => [index + 1, name, hex] as const))
  const values = [
    ...[column(({ thread }) => thread), column(({ id }) => id), column(({ expected }) => expected), column(({ epoch }) => epoch)],
    ...[column(({ count }) => count), batches.map(({ line }) => line).join('\n')],
    ...([0, 1, 2, 3, 4] as const).map((index) => column(({ summary }) => summary[index])),
    ...([0, 1, 2] as const).map((index) => arrayOf(blobs.map((blob) => blob[index]))),
  ]
  return { statement: `select ${options.s}.append_all(${startOf(options)}, ${places}) as verdicts`, values }
}

const startOf = ({ here, lazy, ask }: AppendOptions): string => `${lazy ? 1 : 0}, ${ask ? 1 : 0}, '${here}'`

/** Values as PostgreSQL writes an array. */
export function arrayOf(values: readonly Value[]): string {
  return `{${values.map((value) => (typeof value === 'string' ? `"${value.replace(/[\\"]/g, '\\$&')}"` : String(value))).join(',')}}`
}

/**
 * How an append went: its result, unless the head has moved to and fro and it is to be tried again; and, if it was stored now, who wants to know, and
 * what the next one goes on from.
 */
export type Verdict = Readonly<{ result: AppendResult | undefined; audience?: number | undefined; tail?: Tail | undefined }>

/** The verdicts in an answer, in the order of the batches. */
export function verdictsIn([row]: readonly Row[]): readonly Verdict[] {
  return String(row?.['verdicts']).split(',').map(verdictIn)
}

function verdictIn(text: string): Verdict {
  const [verdict, at, audience, number, hash] = text.split(' ')
  const seq = Number(at)
  return {
    result: resultOf(Number(verdict), seq),
    audience: audience === undefined ? undefined : Number(audience),
    tail: number === undefined || hash === undefined ? undefined : { number, seq, hash },
  }
}

function resultOf(verdict: number, at: number): AppendResult | undefined {
  switch (verdict) {
    case verdicts.appended:
      return { kind: 'appended', seq: at }
    case verdicts.conflict:
      return { kind: 'conflict', seq: at }
    case verdicts.fenced:
      return { kind: 'fenced', epoch: at }
    default:
      return undefined
  }
}
