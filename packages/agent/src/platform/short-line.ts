/** Foreign texts in messages for people. */
import { plainText } from './plain-text.ts'

/** A text as one short line without what cannot be seen. */
export function shortLine(text: string, most: number): string {
  const line = plainText(text).replace(/\s+/gu, ' ').trim()
  return line.length > most ? `${line.slice(0, most).toWellFormed()}...` : line
}
