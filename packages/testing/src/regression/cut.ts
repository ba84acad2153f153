/** Results that were cut before they were stored: where, and what could have been there. */

/** A cut text: its two ends, and how much is left out between them. */
export interface Cut {
  readonly head: string
  readonly tail: string
  readonly left: number
}

const mark = /\n\[\.\.\. (\d+) characters left out \.\.\.\]\n/

/** The parts of a text that was cut; undefined when it was not: a text that only contains the mark does not have the lengths that cutting gives. */
export function cutOf(text: string): Cut | undefined {
  const found = mark.exec(text)
  if (!found) return undefined
  const head = text.slice(0, found.index)
  const tail = text.slice(found.index + found[0].length)
  const isCut = head.length === Math.floor((head.length + tail.length) * 0.8)
  return isCut ? { head, tail, left: Number(found[1]) } : undefined
}

/** The text that a cut leaves. */
export function marked({ head, tail, left }: Cut): string {
  return `${head}\n[... ${left} characters left out ...]\n${tail}`
}

/** A text that would be cut to the given one at the same length; the text itself when it was not cut. */
export function uncut(text: string): string {
  const cut = cutOf(text)
  return cut ? `${cut.head}${'.'.repeat(cut.left)}${cut.tail}` : text
}
