/**
 * The ends of a file, without what lies between: enough to list a thread.
 *
 * What is torn may be torn anywhere behind the last line whose predecessors were durable, even if the last line is whole. So the tail that is read
 * begins with such a line (FILE-14), and every line of it is checked.
 */
import type { Epoch, Seq, Summary } from '@loom-agent/kernel'
import { chainStart } from '../chain.ts'
import { type DiskFile, readExactly } from './disk.ts'
import { checkLines, endOf, format, type Header, headerOf, type LineEnd, longestEnd, summaryOf, textOfLine } from './line.ts'
import { lineBreak, splitLines } from './lines.ts'

/** Where a thread stands, by its last line. */
export type Tail = Readonly<{ thread: string; seq: Seq; epoch: Epoch; summary: Summary }>

/** How much is read at first, and at most; it grows until a tail is in it. */
const reaches = [4096, 65_536, 1_048_576] as const

/** The header of a file, if it has one that this version can read. */
export async function readHeader(file: DiskFile): Promise<Header | undefined> {
  const first = await grow(await file.size(), async (reach) => firstLine(await readExactly(file, 0, reach)))
  const header = first === undefined ? undefined : headerOf(first)
  return header?.format === format ? header : undefined
}

/** Where a thread stands; undefined when the end of the file does not say it beyond doubt. */
export async function readTail(file: DiskFile, thread: string): Promise<Tail | undefined> {
  const size = await file.size()
  return grow(size, async (reach) => {
    const bytes = await readExactly(file, size - reach, reach)
    const found = checkedTail(bytes) ?? (reach === size ? checkLines(chainStart(thread), splitLines(bytes))?.at(-1) : undefined)
    return found && bytes.at(-1) === lineBreak ? { thread, seq: found.end.seq, epoch: found.end.epoch, summary: summaryOf(found.line) } : undefined
  })
}

/** Tries with more and more of the file. */
async function grow<T>(size: number, look: (reach: number) => Promise<T | undefined>): Promise<T | undefined> {
  for (const reach of reaches) {
    const found = await look(Math.min(reach, size))
    if (found !== undefined || reach >= size) return found
  }
  return undefined
}

function firstLine(bytes: Uint8Array): string | undefined {
  const end = bytes.indexOf(lineBreak)
  return end === -1 ? undefined : textOfLine(bytes.subarray(0, end))
}

/** The last line, if it and those before it fit each other, back to one that proves what is before it. */
function checkedTail(bytes: Uint8Array): { line: string; end: LineEnd } | undefined {
  // What the bytes begin with is the rest of a line: only its end is of use.
  const lines = splitLines(bytes)
  const begin = lines.findLastIndex((line, index) => index > 0 && endOfBytes(line)?.joined === false)
  const before = lines[begin - 1]
  const chain = before && endOfBytes(before)?.hash
  return chain === undefined ? undefined : checkLines(chain, lines.slice(begin))?.at(-1)
}

/** What the end of a line says; it is plain ASCII, whatever the rest is. */
const endOfBytes = (line: Uint8Array): LineEnd | undefined => endOf(Buffer.from(line.subarray(-longestEnd)).toString('latin1'))
