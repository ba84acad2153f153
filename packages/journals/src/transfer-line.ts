/**
 * The lines of an exported thread.
 *
 * Every line begins with a hash over the hash of the line before it and its own rest. First a header, then the batches, each after the blobs that it is
 * the first to name, then the end: what is changed, missing or out of order is noticed at its line, and so is an end that is missing.
 */
import { type Batch, type EventType, eventVersions, type LoomError, own, type Summary } from '@loom-agent/kernel'
import { chainLink, chainStart } from './chain.ts'
import { journalError } from './failure.ts'

/** The format that this version writes, and the newest it reads. */
export const transferFormat = 1

/** What an exported thread begins with. */
export type TransferHeader = Readonly<{ format: number; thread: string; seq: number; epoch: number; summary: Summary }>

/** One line: it has one of these. */
export type TransferLine = {
  readonly header?: TransferHeader
  readonly blob?: { readonly name: string; readonly digest: string; readonly base64: string }
  readonly batch?: Pick<Batch, 'time' | 'run' | 'turn'>
  readonly end?: number
}

/** The version in which this version of Loom writes a type of event; of one that it does not know, the first. */
export function versionOf(type: EventType): number {
  return own(eventVersions, type) ?? 1
}

/** Puts the hash in front of the text of each line. */
export function createSeal(): (text: string) => string {
  let hash = chainStart('')
  return (text) => {
    hash = chainLink(hash, text)
    return `{"hash":"${hash}",${text.slice(1)}`
  }
}

/** Reads lines one after the other. */
export interface Unseal {
  /** A line that fits those before it, and the text of its batch. */
  next(sealed: string): { readonly line: TransferLine; readonly batch: string }
  /** The error that says what is wrong with the line that was read last. */
  broken(what: string): LoomError
}

/** Reads what `createSeal` wrote. */
export function createUnseal(): Unseal {
  let hash = chainStart('')
  let number = 0
  const broken = (what: string): LoomError => {
    const advice = 'Nothing of it was kept. Export the thread again.'
    return journalError('damaged', `The exported thread is damaged at line ${number}: ${what}. ${advice}`, { context: { line: number } })
  }
  return {
    broken,
    next(sealed) {
      number += 1
      const start = `{"hash":"${hash}",`.length
      const text = `{${sealed.slice(start)}`
      hash = chainLink(hash, text)
      if (sealed.slice(0, start) !== `{"hash":"${hash}",`) throw broken('it does not fit its hash')
      return { line: parsed(text) ?? {}, batch: text.slice('{"batch":'.length, -1) }
    },
  }
}

/** A hash proves that nothing was changed by accident; who writes the file may write what it likes. */
function parsed(text: string): TransferLine | undefined {
  try {
    return JSON.parse(text) as TransferLine
  } catch {
    return undefined
  }
}
