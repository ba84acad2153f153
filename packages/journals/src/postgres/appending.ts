/** The statement that appends batches, and the verdicts in its result. */
import type { AppendResult } from '@loom-agent/kernel'
import type { StorableBatch } from '../storage/storable-batch.ts'
import { verdicts } from './append-functions.ts'
import type { Row, Value } from './driver.ts'
import { arrayOf } from './sql-text.ts'

/** The end of a thread: its number in the database, its seq, and the hash of its last batch in hex. */
export type Tail = Readonly<{ number: string; seq: number; hash: string }>

/** The statement that appends batches, and its values. */
export interface AppendStatement {
  readonly statement: string
  readonly values: readonly Value[]
}

/** The schema and the instance; whether the commit need not be flushed; whether to ask for watchers. */
export type AppendOptions = Readonly<{ s: string; here: string; lazy: boolean; ask: boolean }>

/** One statement for batches of different threads, in the order that every writer uses (PG-1). */
export function appendStatement(batches: readonly StorableBatch[], options: AppendOptions): AppendStatement {
  const [first] = batches
  return first && batches.length === 1 && first.blobs.size === 0 ? appendOne(first, options) : appendAll(batches, options)
}

/** The values of a batch in the order of the parameters, but for its blobs. */
function valuesOf({ thread, id, incarnation, expected, epoch, count, line, summary, pass, forkOf }: StorableBatch): readonly Value[] {
  const fork = [forkOf?.thread ?? null, forkOf?.incarnation ?? null, forkOf?.seq ?? null]
  return [thread, id, incarnation, expected, epoch, count, line, ...summary, pass, ...fork]
}
/** Where the line is among them: lines are long, and travel as one text. */
const linePlace = 6

/** Constants and nulls are part of the text: the server prepares only a few texts, and each value costs time. */
function appendOne(batch: StorableBatch, options: AppendOptions): AppendStatement {
  const values: Value[] = []
  let places = ''
  for (const value of valuesOf(batch)) places += value === null ? ', null' : `, $${values.push(value)}`
  return { statement: `select ${options.s}.append(${startOf(options)}${places}) as verdicts`, values }
}

function appendAll(batches: readonly StorableBatch[], options: AppendOptions): AppendStatement {
  const rows = batches.map(valuesOf)
  const blobs = batches.flatMap(({ blobs: own }, index) => [...own].map(([name, bytes]) => [index + 1, name, hexOf(bytes)] as const))
  const columns = (rows[0] ?? []).map((_, place) => {
    const column = rows.map((row) => row[place] ?? null)
    return place === linePlace ? column.join('\n') : arrayOf(column)
  })
  const values = [...columns, ...([0, 1, 2] as const).map((place) => arrayOf(blobs.map((blob) => blob[place])))]
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  return { statement: `select ${options.s}.append_all(${startOf(options)}, ${places}) as verdicts`, values }
}

/** Bytes as PostgreSQL writes them. */
const hexOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`

const startOf = ({ here, lazy, ask }: AppendOptions): string => `${lazy ? 1 : 0}, ${ask ? 1 : 0}, '${here}'`

/**
 * The result of an append; without one something is quarantined, or the batch begins a fork whose parent is missing. A batch that was stored now comes with its audience, and with the
 * tail that the next batch is appended to.
 */
export interface Verdict {
  readonly result?: AppendResult | undefined
  /** Whether the thread, or the one that a fork was cut from, is quarantined. */
  readonly quarantined?: 'thread' | 'parent' | undefined
  readonly audience?: number | undefined
  readonly tail?: Tail | undefined
}

/** The verdicts in a result, in the order of the batches. */
export function verdictsIn([row]: readonly Row[]): readonly Verdict[] {
  return String(row?.['verdicts']).split(',').map(verdictIn)
}

function verdictIn(text: string): Verdict {
  const [verdict, at, audience, number, hash] = text.split(' ')
  const seq = Number(at)
  if (number === undefined || hash === undefined) return { result: resultOf(Number(verdict), seq), quarantined: quarantinedIn(Number(verdict)) }
  return { result: { kind: 'appended', seq }, audience: Number(audience), tail: { number, seq, hash } }
}

function quarantinedIn(verdict: number): Verdict['quarantined'] {
  if (verdict === verdicts.quarantined) return 'thread'
  return verdict === verdicts.parentQuarantined ? 'parent' : undefined
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
