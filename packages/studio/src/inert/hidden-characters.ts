/**
 * Texts in parts: what is seen, and what would not be.
 *
 * UNHIDDEN-1. A character that has no shape, turns the direction of a line or is a space of another kind is a part of its own, so that nobody approves what
 *     he cannot see. A text that spells out such a name is no such part.
 */

/** Controls, formats such as those that turn a line around, spaces that are not the usual one; not line breaks, tabs, and the sign that makes an emoji colourful. */
const hidden = /(?!\n|\t| |\ufe0f)[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** A part of a text. */
export interface TextPart {
  /** The characters, or the name of the hidden one. */
  readonly text: string
  readonly isHidden: boolean
}

const nameOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Cuts a text where a hidden character is. */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (index > from) parts.push({ text: text.slice(from, index), isHidden: false })
    parts.push({ text: nameOf(character), isHidden: true })
    from = index + character.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHidden: false })
  return parts
}

/** How many hidden characters a text has. */
export const hiddenIn = (text: string): number => text.match(hidden)?.length ?? 0

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join('')

/** A value as JSON to be edited: hidden characters as escapes, so that they are seen and stay what they are. */
export const editableJson = (value: unknown): string => JSON.stringify(value, undefined, 2).replace(hidden, escaped)
