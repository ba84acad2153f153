/** Keeps some lines of a text that comes in pieces, within bounds. */

/** The lines that were kept. */
export interface Scanned {
  readonly text: string
  /** The first and the last line of the text, from 1. */
  readonly from: number
  readonly to: number
  readonly lines: number
  /** Whether there may be more lines than were counted. */
  readonly more: boolean
  /** Whether the only line did not fit, and was cut. */
  readonly cutLine: boolean
}

/** Which lines are wanted. */
export interface WantedLines {
  /** The first one, from 1. */
  readonly from: number
  readonly most: number
  readonly maxBytes: number
  /** Whether each line begins with its number. */
  readonly numbers: boolean
}

/** Takes pieces of a text. */
export interface LineKeeper {
  take(text: string): void
  /** Whether all wanted lines are there, so that the rest is only counted. */
  isFull(): boolean
  end(more: boolean): Scanned
}

/** Keeps whole lines until there are enough of them or of bytes; a single line that is too long is cut. */
export function lineKeeper({ from, most, maxBytes, numbers }: WantedLines): LineKeeper {
  let line = 1
  let kept = ''
  let current = ''
  let bytes = 0
  let to = from - 1
  let full = most <= 0
  let cutLine = false
  let isPartial = false
  const keep = (given: string): void => {
    const text = numbers ? `${line}\t${given}` : given
    const size = Buffer.byteLength(text)
    if (bytes + size > maxBytes) {
      full = true
      if (to >= from) return
      cutLine = true
      kept = Buffer.from(text)
        .subarray(0, maxBytes)
        .toString('utf8')
        .replace(/\uFFFD+$/, '')
    } else kept += text
    bytes += size
    to = line
    full ||= to - from + 1 >= most
  }
  const wanted = (): boolean => line >= from && !full
  return {
    isFull: () => full,
    take(text) {
      for (let start = 0; start < text.length; ) {
        const found = text.indexOf('\n', start)
        const end = found < 0 ? text.length : found + 1
        if (wanted() && Buffer.byteLength(current) <= maxBytes) current += text.slice(start, end)
        start = end
        isPartial = found < 0
        if (isPartial) continue
        if (wanted()) keep(current)
        current = ''
        line += 1
      }
    },
    end(more) {
      if (isPartial && wanted()) keep(current)
      const lines = isPartial ? line : line - 1
      return { text: kept, from, to, lines, more, cutLine }
    },
  }
}
