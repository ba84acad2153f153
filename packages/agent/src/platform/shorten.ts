/** Long results are shortened before they are stored: the head and the tail are kept, and a mark between them says how much is left out. */

/** A shortened text: its two ends, and how many characters are left out between them. */
export interface Shortened {
  readonly head: string
  readonly tail: string
  readonly left: number
  /** The call whose result can be read further; undefined where the mark names none. */
  readonly call?: string | undefined
}

/** The length of the head, for two ends that have this length together. */
export const headOf = (length: number): number => Math.floor(length * 0.8)

/** A text of at most `limit` characters and the mark; no character is cut in half. With a call, the mark says how the rest can be read. */
export function shorten(text: string, limit: number, call?: string): string {
  if (text.length <= limit) return text
  const head = headOf(limit)
  const tail = limit - head
  return marked({ head: text.slice(0, head).toWellFormed(), tail: text.slice(text.length - tail).toWellFormed(), left: text.length - limit, call })
}

/** The text that two ends and the mark between them make. */
export function marked({ head, tail, left, call }: Shortened): string {
  const more = call ? `: read_more with call ${call}, offset ${head.length}` : ''
  return `${head}\n[... ${left} characters left out${more} ...]\n${tail}`
}
