/** How much room a text takes on a terminal. */

/** Signs that take two places: those of East Asia, and emojis. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const placesOf = (sign: string): number => (wide.test(sign) || sign.includes('\ufe0f') ? 2 : 1)

/** How many places a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of signs.segment(text)) width += placesOf(segment)
  return width
}

/** A text in at most so many places; what is cut ends with a sign that says so. */
export function cutTo(text: string, most: number): string {
  if (widthOf(text) <= most) return text
  let kept = ''
  let width = 0
  for (const { segment } of signs.segment(text)) {
    width += placesOf(segment)
    if (width >= most) break
    kept += segment
  }
  return `${kept}…`
}
