/**
 * Tells what a crash leaves at the end of a file from damage.
 *
 * TORN-1. A killed process leaves a prefix of what it wrote: at most one line without a line break, at the very end.
 * TORN-2. A power failure leaves of what was not synced any of its sectors, each as it was at some moment; the others read as zeros, and text has none.
 *         So zeros reach to the end of a sector or of the file.
 * TORN-3. Only the last lines can be torn, and none that an anchor covers. A line after them that proves that they were durable once (LINE-2) proves
 *         that they are damaged.
 * TORN-4. A line that lacks only its line break is whole: it is kept, and gets its line break again.
 */
import { checkLine, endOf, type LineEnd, lineStarts, longestEnd, textOfLine } from './line.ts'
import type { RawLine } from './lines.ts'

const sector = 512

/** The end of a line; it is plain ASCII, whatever the rest is. */
export const endOfBytes = (line: Uint8Array): LineEnd | undefined => endOf(Buffer.from(line.subarray(-longestEnd)).toString('latin1'))

/** Whether a crash can leave the first line that does not fit as it is; `previous` is the hash of the line before it. */
export function canBeTorn(raw: RawLine, previous: string): boolean {
  if (raw.bytes.includes(0)) return haveHolesOnly(raw)
  return !raw.ended && isPrefix(raw.bytes) && !holdsLine(raw.bytes, previous)
}

/** Whether a crash can leave a line as it is after one that is torn. */
export function canFollowTorn(raw: RawLine): boolean {
  const isProof = raw.ended && endOfBytes(raw.bytes)?.joined === false
  return !isProof && haveHolesOnly(raw)
}

/** Whether all zeros in a line are where a disk has not written (TORN-2). */
function haveHolesOnly({ bytes, offset, ended }: RawLine): boolean {
  for (let begin = bytes.indexOf(0); begin !== -1; ) {
    let end = begin
    while (bytes[end] === 0) end += 1
    const isWhole = (offset + end) % sector === 0 || (end === bytes.length && !ended)
    if (!isWhole) return false
    begin = bytes.indexOf(0, end)
  }
  return true
}

/** Whether bytes are the start of a line. */
function isPrefix(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return lineStarts.some((begin) => begin.startsWith(text) || text.startsWith(begin))
}

/** Whether bytes start with a whole line: what follows it has taken the place of its line break. */
function holdsLine(bytes: Uint8Array, previous: string): boolean {
  for (let at = bytes.indexOf(0x7d); at !== -1; at = bytes.indexOf(0x7d, at + 1)) {
    const line = bytes.subarray(0, at + 1)
    if (endOfBytes(line) && checkLine(previous, textOfLine(line) ?? '')) return true
  }
  return false
}

/** The last line without the zeros that stand for its line break (TORN-4). */
export function withoutHole(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}
