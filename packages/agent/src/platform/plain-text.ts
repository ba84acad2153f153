/** Texts as they are compared by what a reader sees of them. */

/** What is not seen where a text is read: ignorable characters, marks of direction, and control characters that move nothing. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Variation_Selector}]|(?![\t\n\v\f\r])\p{Cc}/gu
/** A pattern of braille without a dot, a note without a head, blanks of hieroglyphs: they are seen as a space, and no form of Unicode makes them one. */
const blank = /[\u2800\u{1d159}\u{13441}\u{13442}]/gu
/** No script has so many marks on one letter. To bring them in order takes time by the square of their number. */
const piledUp = /(\p{M}{30})\p{M}+/gu

/** A text without what cannot be seen, its characters in their plain form: full-width letters, composed letters, spaces of other kinds. */
export function plainText(text: string): string {
  return text.replace(blank, ' ').replace(invisible, '').replace(piledUp, '$1').normalize('NFKC')
}
