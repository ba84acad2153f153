/**
 * The lines of a thread, in the folder of a journal and in an export. Each is JSON on its own, and each ends with the head of the thread (seq and
 * epoch) and the hash that links it to the line before.
 *
 *     {"loom":"thread","format":2,"thread":"user-123","incarnation":"k3","mode":"strict","time":1,"head":[0,0],"hash":"..."}
 *     {"acquired":{"epoch":1,"worker":"w","time":2},"changed":1,"summary":{...},"head":[0,1],"hash":"..."}
 *     {"blob":"<name>","base64":"...","changed":1,"summary":{...},"head":[0,1],"hash":"..."}
 *     {"id":"1.1","v":2,"time":3,"epoch":1,"events":[["thread.started",{...}],...],"feed":7,"changed":3,"summary":{...},"head":[4,1],"hash":"..."}
 *     {"mode":"relaxed","time":4,"changed":3,"summary":{...},"head":[4,1],"hash":"..."}
 *
 * A blob comes before the batch that is the first to name it. The header of a fork has `forkOf`, and its batches start after that seq. A thread that
 * was acquired before its first batch may get a second header with that batch: the last header counts.
 *
 * LINE-1. The hash covers the hash before it and every byte of the line up to itself: no byte of a file can change unnoticed.
 * LINE-2. A line whose predecessor was not known to be durable when it was written says so: `"joined":true`. So a line without it proves that
 *         everything before it was durable once, and whatever is broken before it was broken later.
 * LINE-3. A line holds nothing that readers of lines may take for its end: JSON escapes control characters, and the three other line breaks of Unicode
 *         are escaped here. Lines of earlier versions may hold those.
 */
import type { Epoch, ForkOf, Seq, Summary } from '@loom-agent/kernel'
import { chainLink } from '../storage/chain.ts'

/** How a journal acknowledges: after the flush, or before it. */
export type FileMode = 'strict' | 'relaxed'

/** The version of the format of files that this code writes. */
export const format = 2

/** The first line of a thread. An export has no mode and no time; it names the thread that was exported, also in the sections of its ancestors. */
export type Header = Readonly<{ loom: 'thread'; format: number; thread: string; incarnation: string; forkOf?: ForkOf | undefined }> &
  Readonly<{ mode?: FileMode; time?: number; exported?: string }>

/** The end of a line. */
export type LineEnd = Readonly<{ seq: Seq; epoch: Epoch; joined: boolean; hash: string }>

const endOfLine = /,"head":\[(\d{1,16}),(\d{1,16})\](,"joined":true)?,"hash":"([0-9a-f]{64})"\}$/
/** The greatest length of the end of a line. */
export const longestEnd = 160
/** The length of `,"hash":"<64 digits>"}`. */
const hashLength = 75
/** The bytes at the end of a line, from its hash on, with the line break. */
export const linkLength = 67

/** How a line can start. */
export const lineStarts = ['{"loom":"thread"', '{"acquired":', '{"blob":', '{"id":', '{"mode":'] as const

const lineBreaks = /[\u0085\u2028\u2029]/g

/** JSON without line breaks, which it has in texts alone (LINE-3). */
const oneLine = (body: string): string => body.replace(lineBreaks, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Closes a line: `body` is a JSON object, and the line has no line break. */
export function sealLine(previous: string, body: string, { seq, epoch, joined }: Omit<LineEnd, 'hash'>): { line: string; hash: string } {
  const text = `${oneLine(body).slice(0, -1)},"head":[${seq},${epoch}]${joined ? ',"joined":true' : ''}`
  const hash = chainLink(previous, text)
  return { line: `${text},"hash":"${hash}"}`, hash }
}

/** The body of a line with one more field. */
export function withField(body: string, name: 'summary' | 'changed' | 'feed', json: string): string {
  return `${body.slice(0, -1)},"${name}":${json}}`
}

/** The body of a line that holds a blob. */
export function blobBody(name: string, bytes: Uint8Array): string {
  return JSON.stringify({ blob: name, base64: Buffer.from(bytes).toString('base64') })
}

/** The end of a line, not checked. */
export function endOf(line: string): LineEnd | undefined {
  const [, seq, epoch, joined, hash] = endOfLine.exec(line.slice(-longestEnd)) ?? []
  return hash === undefined ? undefined : { seq: Number(seq), epoch: Number(epoch), joined: joined !== undefined, hash }
}

/** The end of a line, if the line was written after a line with the hash `previous` (LINE-1). */
export function checkLine(previous: string, line: string): LineEnd | undefined {
  const end = endOf(line)
  return end && chainLink(previous, line.slice(0, -hashLength)) === end.hash ? end : undefined
}

/** Lines with their ends, if each was written after the one before it, and the first after a line with the hash `previous`. */
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

/** The header in a line, whatever its format, not checked; undefined if the line is no header. In format 1 the incarnation of a thread is its name. */
export function headerOf(line: string): Header | undefined {
  if (!line.startsWith('{"loom":"thread"')) return undefined
  try {
    const { head: _head, joined: _joined, hash: _hash, ...header } = JSON.parse(line) as Header & { head: unknown; joined: unknown; hash: unknown }
    const incarnation = header.format === 1 ? header.thread : header.incarnation
    const isHeader = typeof header.format === 'number' && typeof header.thread === 'string' && typeof incarnation === 'string'
    return isHeader ? { ...header, incarnation } : undefined
  } catch {
    return undefined
  }
}

/** The name of the blob that a line holds, if it holds one. */
export function blobNameOf(line: string): string | undefined {
  const text = /^\{"blob":("(?:[^"\\]|\\.)*")/.exec(line)?.[1]
  return text === undefined ? undefined : (JSON.parse(text) as string)
}

/** The bytes of the blob that a line holds; undefined if it holds none. */
export function blobBytesOf(line: string): Uint8Array | undefined {
  const { base64 } = JSON.parse(line) as { base64?: unknown }
  return typeof base64 === 'string' ? Uint8Array.from(Buffer.from(base64, 'base64')) : undefined
}

/** The summary that a line carries; a header has none. */
export function summaryOf(line: string): Summary {
  const { summary } = JSON.parse(line) as { summary?: Summary }
  return summary ?? { status: 'idle' }
}

/**
 * When the summary that a line carries changed, by the clock of the journal. A line of an earlier version does not say it: of such a line it is the time
 * of the line, which may be later, and 0 if it has none.
 */
export function changedOf(line: string): number {
  const { changed, time, acquired } = JSON.parse(line) as { changed?: number; time?: number; acquired?: { time: number } }
  return changed ?? time ?? acquired?.time ?? 0
}

/** The position in the feed that a batch has; undefined if it has none, or is no JSON any more. */
export function positionOf(line: string): number | undefined {
  try {
    return (JSON.parse(line) as { feed?: number }).feed
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a line; undefined if the bytes are no UTF-8. */
export function textOfLine(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
