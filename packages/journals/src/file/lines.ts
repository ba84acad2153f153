/** Reads a file line by line, with no more of it in memory than a chunk and a line. */
import { type DiskFile, readExactly } from './disk.ts'

/** A line as it is in the file. `ended` says whether a line break follows. */
export type RawLine = Readonly<{ offset: number; bytes: Uint8Array; ended: boolean }>

/** The byte that ends a line. */
export const lineBreak = 10
const chunkSize = 262_144

/** The lines of a file up to a size. */
export async function* linesOf(file: DiskFile, size: number): AsyncGenerator<RawLine, void> {
  let rest: Uint8Array = new Uint8Array()
  let offset = 0
  for (let position = 0; position < size; ) {
    const chunk = await readExactly(file, position, Math.min(chunkSize, size - position))
    if (chunk.length === 0) break
    position += chunk.length
    // The rest holds no line break: only the new bytes are searched.
    let searched = rest.length
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let begin = 0
    for (let end = bytes.indexOf(lineBreak, searched); end !== -1; end = bytes.indexOf(lineBreak, searched)) {
      yield { offset: offset + begin, bytes: bytes.subarray(begin, end), ended: true }
      begin = end + 1
      searched = begin
    }
    offset += begin
    rest = bytes.subarray(begin)
  }
  if (rest.length > 0) yield { offset, bytes: rest, ended: false }
}

/** The lines in a piece of memory, each with the line break that ends it left out. */
export function splitLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  let begin = 0
  for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, begin)) {
    lines.push(bytes.subarray(begin, end))
    begin = end + 1
  }
  return lines
}
