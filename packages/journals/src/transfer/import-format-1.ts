/**
 * Reads an export of format 1, which is no longer written.
 *
 * Every line starts with a hash over the hash of the line before it and its own rest. There is a header, then the batches, each after the blobs that it
 * is the first to name, then the end. The threads that a fork was cut from come before it, whole. A fork counts its events from 1, and has its cut in
 * the label `$fork`.
 */
import type { Summary } from '@loom-agent/kernel'
import { blobHash, chainLink, chainStart } from '../storage/chain.ts'
import { forkOfLabel, withoutForkLabel } from '../storage/fork-label.ts'
import { broken, eventsOf, type ImportPart, isCount, isEpoch, type Lines, orBroken, type Reading } from './import-parts.ts'

type Header1 = Readonly<{ format: number; thread: string; seq: number; epoch: number; summary: Summary }> &
  Readonly<{ past?: { readonly of: string; readonly events: number } | null }>

type Line1 = {
  readonly header?: Header1
  readonly blob?: { readonly name: string; readonly digest: string; readonly base64: string }
  readonly batch?: object
  readonly end?: number
}

/** Whether a line is the first of an export of format 1. */
export function isFormat1(line: string): boolean {
  return line.startsWith('{"hash":"')
}

/** The parts of an export of format 1. */
export async function* readFormat1(lines: Lines, reading: Reading): AsyncGenerator<ImportPart, void> {
  const unseal = createUnseal(reading)
  const blobs = new Map<string, Uint8Array>()
  let header: Header1 | undefined
  let seq = 0
  let isEnded = false
  for await (const sealed of lines) {
    const { line, batch } = orBroken(reading, () => unseal(sealed))
    if (isEnded) throw broken(reading, 'it continues after its end')
    if (!header) {
      header = checkedHeader(reading, line.header)
      seq = 0
      yield threadOf(header)
    } else if (line.blob) keepBlob(reading, blobs, line.blob)
    else if (line.batch) {
      const events = eventsOf(reading, { thread: header.thread, seq: cutOf(header) + seq + 1, line: batch })
      yield { kind: 'events', events, blobs: new Map(blobs) }
      seq += events.length
      blobs.clear()
    } else {
      if (line.end !== seq || seq !== header.seq) throw broken(reading, `it has ${seq} of ${header.seq} events`)
      yield { kind: 'whole', epoch: header.epoch, summary: withoutForkLabel(header.summary) }
      isEnded = !header.past
      header = undefined
    }
  }
  if (!isEnded) throw broken(reading, 'its end is missing')
}

function threadOf(header: Header1): ImportPart {
  const forkOf = forkOfLabel(header.summary)
  return { kind: 'thread', thread: header.thread, incarnation: header.thread, ...(forkOf && { forkOf }), isNeeded: Boolean(header.past) }
}

const cutOf = ({ summary }: Header1): number => forkOfLabel(summary)?.seq ?? 0

function checkedHeader(reading: Reading, header: Header1 | undefined): Header1 {
  if (header && header.format !== 1) throw broken(reading, `it has format ${header.format}, which this version of Loom does not know in such lines`)
  if (!header || !isHeader(header)) throw broken(reading, 'it does not start with a header')
  return header
}

function isHeader({ thread, seq, epoch, summary, past }: Header1): boolean {
  const isPast = past === undefined || (typeof past?.of === 'string' && isCount(past.events, 1) && past.events <= seq)
  return isPast && typeof thread === 'string' && isCount(seq, 1) && isEpoch(epoch) && typeof summary?.status === 'string'
}

function keepBlob(reading: Reading, blobs: Map<string, Uint8Array>, { name, digest, base64 }: NonNullable<Line1['blob']>): void {
  if (typeof base64 !== 'string') throw broken(reading, `the blob ${name} has no bytes`)
  const bytes = Buffer.from(base64, 'base64')
  if (blobHash(bytes) !== digest || digest !== name) throw broken(reading, `the blob ${name} is not what it was`)
  blobs.set(name, bytes)
}

/** Reads lines one after the other, each with the text of its batch; throws at a line that does not fit those before it. */
function createUnseal(reading: Reading): (sealed: string) => { readonly line: Line1; readonly batch: string } {
  let hash = chainStart('')
  return (sealed) => {
    reading.line += 1
    const start = `{"hash":"${hash}",`.length
    const text = `{${sealed.slice(start)}`
    hash = chainLink(hash, text)
    if (sealed.slice(0, start) !== `{"hash":"${hash}",`) throw broken(reading, 'it does not fit its hash')
    return { line: parsed(text) ?? {}, batch: text.slice('{"batch":'.length, -1) }
  }
}

/** The hash proves that nothing was changed by accident; it does not prove that the text is JSON. */
function parsed(text: string): Line1 | undefined {
  try {
    return JSON.parse(text) as Line1
  } catch {
    return undefined
  }
}
