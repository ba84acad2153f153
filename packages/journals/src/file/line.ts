/**
 * The lines of a thread's file. Each is JSON on its own, and each ends with where the thread stands and the hash that links it to the line before.
 *
 *     {"loom":"thread","format":1,"thread":"user-123","mode":"strict","time":1,"head":[0,0],"hash":"..."}
 *     {"acquired":{"epoch":1,"worker":"w","time":2},"summary":{...},"head":[0,1],"hash":"..."}
 *     {"id":"1.1","time":3,"epoch":1,"events":[["thread.started",{...}],...],"summary":{...},"head":[4,1],"hash":"..."}
 *     {"mode":"relaxed","time":4,"summary":{...},"head":[4,1],"hash":"..."}
 *
 * FILE-13. The hash is over the hash before it and every byte of the line up to itself: no byte of a file can change unnoticed.
 * FILE-14. A line whose predecessor was not known to be durable when it was written says so: `"joined":true`. So a line without it proves that everything
 *     before it was durable once, and whatever is broken before it was broken later.
 */
import type { Epoch, Seq, Summary } from '@loom-agent/kernel'
import { chainLink } from '../chain.ts'

/** How a journal acknowledges: after the flush, or before it. */
export type FileMode = 'strict' | 'relaxed'

/** The version of the format of files that this code writes, and the only one it reads. */
export const format = 1

/** The first line of a file. */
export type Header = Readonly<{ loom: 'thread'; format: number; thread: string; mode: FileMode; time: number }>

/** What the end of a line says. */
export type LineEnd = Readonly<{ seq: Seq; epoch: Epoch; joined: boolean; hash: string }>

const endOfLine = /,"head":\[(\d{1,16}),(\d{1,16})\](,"joined":true)?,"hash":"([0-9a-f]{64})"\}$/
/** How far back the end of a line can begin. */
export const longestEnd = 160
/** The length of `,"hash":"<64 digits>"}`. */
const hashLength = 75
/** The bytes at the end of a line, from its hash on, with the line break. */
export const linkLength = 67

/** Closes a line: `body` is a JSON object, and what is answered has no line break. */
export function sealLine(previous: string, body: string, { seq, epoch, joined }: Omit<LineEnd, 'hash'>): { line: string; hash: string } {
  const text = `${body.slice(0, -1)},"head":[${seq},${epoch}]${joined ? ',"joined":true' : ''}`
  const hash = chainLink(previous, text)
  return { line: `${text},"hash":"${hash}"}`, hash }
}

/** What the end of a line says, whether or not it is true. */
export function endOf(line: string): LineEnd | undefined {
  const [, seq, epoch, joined, hash] = endOfLine.exec(line.slice(-longestEnd)) ?? []
  return hash === undefined ? undefined : { seq: Number(seq), epoch: Number(epoch), joined: joined !== undefined, hash }
}

/** What the end of a line says, if the line is what was written behind a line with the hash `previous` (FILE-13). */
export function checkLine(previous: string, line: string): LineEnd | undefined {
  const end = endOf(line)
  return end && chainLink(previous, line.slice(0, -hashLength)) === end.hash ? end : undefined
}

/** Lines with what their ends say, if each is what was written behind the one before it, and the first behind a line with the hash `previous`. */
export function checkLines(previous: string, lines: readonly Uint8Array[]): readonly { readonly line: string; readonly end: LineEnd }[] | undefined {
  let chain = previous
  const checked: { line: string; end: LineEnd }[] = []
  for (const bytes of lines) {
    const line = textOfLine(bytes) ?? ''
    const end = checkLine(chain, line)
    if (!end) return undefined
    chain = end.hash
    checked.push({ line, end })
  }
  return checked
}

/** Two lines whose line break was lost: one cannot be told from a line that was cut off by its end alone. */
const fused = /"hash":"[0-9a-f]{64}"\}[^\n]\{"(id|acquired|mode)":/

/** Whether a line, after something that is broken, proves that the broken part was durable once (FILE-14). */
export function provesDamage(line: string, isBroken: boolean): boolean {
  return endOf(line)?.joined === false && (!isBroken || fused.test(line))
}

/** The header in a first line, whatever its format. */
export function headerOf(line: string): Header | undefined {
  try {
    const { loom, format, thread, mode, time } = JSON.parse(line) as Header
    return loom === 'thread' && typeof format === 'number' ? { loom, format, thread, mode, time } : undefined
  } catch {
    return undefined
  }
}

/** The summary that a line carries; a header has none. */
export function summaryOf(line: string): Summary {
  const { summary } = JSON.parse(line) as { summary?: Summary }
  return summary ?? { status: 'idle' }
}

/** The mode that is in force after a line, if the line changes it. */
export function modeOf(line: string): FileMode | undefined {
  const [, mode] = /^\{"mode":"(strict|relaxed)"/.exec(line) ?? []
  return mode as FileMode | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a line's bytes; undefined if it is no text, which nothing that was written is. */
export function textOfLine(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
