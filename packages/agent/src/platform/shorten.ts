/** Long results are shortened before they are stored: the head and the tail are kept, and a mark between them says how much is left out. */

/** A shortened text: its two ends, and how many characters are left out between them. */
export interface Shortened {
  readonly head: string
  readonly tail: string
  readonly left: number
}

const mark = /\n\[\.\.\. (\d+) characters left out \.\.\.\]\n/

/** The length of the head, for two ends that have this length together. */
const headOf = (length: number): number => Math.floor(length * 0.8)

/** A text of at most `limit` characters and the mark; no character is cut in half. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = headOf(limit)
  const tail = limit - head
  return marked({ head: text.slice(0, head).toWellFormed(), tail: text.slice(-tail).toWellFormed(), left: text.length - limit })
}

/** The text that two ends and the mark between them make. */
export function marked({ head, tail, left }: Shortened): string {
  return `${head}\n[... ${left} characters left out ...]\n${tail}`
}

/** The parts of a text that was shortened; undefined when it was not: a text that only contains the mark does not have the lengths that shortening gives. */
export function shortenedOf(text: string): Shortened | undefined {
  const found = mark.exec(text)
  if (!found) return undefined
  const head = text.slice(0, found.index)
  const tail = text.slice(found.index + found[0].length)
  return head.length === headOf(head.length + tail.length) ? { head, tail, left: Number(found[1]) } : undefined
}
