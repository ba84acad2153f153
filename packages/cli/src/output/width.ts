/** How much room a text takes on a terminal. */

/** Signs that take two places: those of East Asia, and emojis. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** How many places one sign takes. */
export const placesOf = (sign: string): number => (sign.length === 1 && sign < '\u0300' ? 1 : wide.test(sign) || sign.includes('\ufe0f') ? 2 : 1)

/** Texts of these alone have a sign for each character, and each takes one place. */
const plain = /^[\x20-\x7e]*$/

/** Characters that are taken apart at once: a reader that stops early has not paid for the rest. */
const piece = 1_024

/** The signs of a text as people see them, from a place on. */
export function* signsOf(text: string, start = 0): Generator<string, void> {
  for (let from = start; from < text.length; ) {
    const part = text.slice(from, from + piece)
    if (plain.test(part)) {
      // The last one may be joined to what follows.
      const isLast = from + part.length >= text.length
      const end = isLast ? part.length : part.length - 1
      for (let at = 0; at < end; at += 1) yield part[at] ?? ''
      from += end
      continue
    }
    const found = [...signs.segment(part)]
    // The last sign of a part may be cut: it is taken apart again with what follows.
    const kept = from + part.length >= text.length || found.length === 1 ? found : found.slice(0, -1)
    for (const { segment } of kept) yield segment
    from += kept.reduce((sum, { segment }) => sum + segment.length, 0)
  }
}

/** How many places a text takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const sign of signsOf(text)) width += placesOf(sign)
  return width
}

/** A text in at most so many places; what is cut ends with a sign that says so. */
export function cutTo(text: string, most: number): string {
  if (widthOf(text) <= most) return text
  let kept = ''
  let width = 0
  for (const sign of signsOf(text)) {
    width += placesOf(sign)
    if (width >= most) break
    kept += sign
  }
  return `${kept}…`
}
