/**
 * Reads the start and the end of a file, which is enough to list a thread.
 *
 * A file may be torn anywhere after the last line whose predecessors were durable, even if the last line is whole. So the tail that is read starts
 * with such a line (LINE-2), and every line of it is checked.
 */
import { chainStart } from '../storage/chain.ts'
import { type DiskFile, readExactly } from './disk.ts'
import { checkLines, endOf, type Header, headerOf, isPreamble, type LineEnd, longestEnd, summaryOf, textOfLine } from './line.ts'
import { lineBreak, splitLines } from './lines.ts'
import { headOfScan, type StoredHead } from './scan.ts'

/** How many bytes are read: more and more, until the result is found. */
const reaches = [4096, 65_536, 1_048_576] as const

/** The header of a file, whatever its format; undefined if there is none, or none within reach. */
export async function readHeader(file: DiskFile): Promise<Header | undefined> {
  const size = await file.size()
  return grow(size, async (reach) => lastHeader(await readExactly(file, 0, reach), reach === size))
}

/** The last header in the lines before the first event. Where these lines end is known only if another line follows, or nothing. */
function lastHeader(bytes: Uint8Array, isAll: boolean): Header | undefined {
  let header: Header | undefined
  for (const line of splitLines(bytes)) {
    const text = textOfLine(line) ?? ''
    if (header && !isPreamble(text)) return header
    header = headerOf(text) ?? header
    if (!header) return undefined
  }
  const next = Buffer.from(bytes.subarray(bytes.lastIndexOf(lineBreak) + 1, bytes.length)).toString('latin1', 0, 16)
  return isAll || (next.length === 16 && !isPreamble(next)) ? header : undefined
}

/** The head of a thread with this header; undefined when the end of the file does not prove it. */
export async function readTail(file: DiskFile, header: Header): Promise<StoredHead | undefined> {
  const size = await file.size()
  return grow(size, async (reach) => {
    const bytes = await readExactly(file, size - reach, reach)
    const found = checkedTail(bytes) ?? (reach === size ? checkLines(chainStart(header.thread), splitLines(bytes))?.at(-1) : undefined)
    return found && bytes.at(-1) === lineBreak ? headOfScan({ header, ...found.end, summary: summaryOf(found.line) }) : undefined
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

/** The last line, if the lines fit each other back to one that proves that everything before it was durable. */
function checkedTail(bytes: Uint8Array): { line: string; end: LineEnd } | undefined {
  // The bytes may start in the middle of a line: only the end of that line is used.
  const lines = splitLines(bytes)
  const begin = lines.findLastIndex((line, index) => index > 0 && endOfBytes(line)?.joined === false)
  const before = lines[begin - 1]
  const chain = before && endOfBytes(before)?.hash
  return chain === undefined ? undefined : checkLines(chain, lines.slice(begin))?.at(-1)
}

/** The end of a line; it is plain ASCII, whatever the rest is. */
const endOfBytes = (line: Uint8Array): LineEnd | undefined => endOf(Buffer.from(line.subarray(-longestEnd)).toString('latin1'))
