/**
 * The output of a command, within a bound: its beginning, its end, and how much is left out.
 *
 * SHELL-4. However much a command prints, no more than the bound is kept, and no character is cut.
 */

/** Collects output. */
export interface OutputKeeper {
  take(chunk: Uint8Array): void
  /** How many bytes were printed. */
  readonly bytes: number
  /** The text, with a line that says what is left out. */
  text(): string
}

/** Keeps at most so many bytes: one half from the beginning, one half from the end. */
export function keepOutput(most: number): OutputKeeper {
  const half = Math.max(1, Math.floor(most / 2))
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let bytes = 0
  return {
    take(chunk) {
      bytes += chunk.length
      const room = Math.max(0, half - head.length)
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)])
      const rest = chunk.subarray(room)
      if (rest.length >= half) tail = Buffer.from(rest.subarray(rest.length - half))
      else if (rest.length > 0) tail = Buffer.concat([tail.subarray(Math.max(0, tail.length + rest.length - half)), rest])
    },
    get bytes() {
      return bytes
    },
    text() {
      const left = bytes - head.length - tail.length
      if (left === 0) return Buffer.concat([head, tail]).toString('utf8')
      return `${head.subarray(0, wholeLength(head)).toString('utf8')}\n[${left} bytes left out]\n${withoutStart(tail)}`
    },
  }
}

/** How many bytes are whole characters: the last one may be cut. */
export function wholeLength(bytes: Uint8Array): number {
  let start = bytes.length - 1
  while (start >= 0 && start > bytes.length - 4 && isInside(bytes[start])) start -= 1
  const first = bytes[start] ?? 0
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start >= 0 && start + width > bytes.length ? start : bytes.length
}

/** The text without a character at its beginning of which bytes are missing. */
export function withoutStart(bytes: Uint8Array): string {
  let start = 0
  while (start < 3 && isInside(bytes[start])) start += 1
  return Buffer.from(bytes.subarray(start)).toString('utf8')
}

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
