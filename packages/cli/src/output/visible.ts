/**
 * Makes foreign text safe to print.
 *
 * TERMINAL-1. What models, tools and people wrote reaches a terminal without a control character, and without one that is invisible or turns the
 *     direction of a line: each is shown by its name. So a text cannot move the cursor, change a title, or hide a part of a command from who approves it.
 */

/** Controls, formats such as those that turn a line around, and what has no shape; not line breaks, tabs, and the sign that makes an emoji colourful. */
const hidden = /(?!\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu

/** The name of a character, as Unicode writes it. */
const nameOf = (character: string): string => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`

/** A text with its hidden characters shown; line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hidden, nameOf)
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', ' ⏎ ').replaceAll('\t', ' ')
}
