/** Arguments that are nested deeper are refused: recursion over them could exhaust the stack. */
export const deepestJson = 64

/** Arguments of one call that have more characters are refused: parsing them, and a schema that looks at them, could take long. */
export const longestInput: number = 256 * 1024

/** What keeps the JSON text of a value that came from outside from being taken; undefined where nothing does. */
export function jsonProblem(text: string, longest: number): string | undefined {
  if (text.length > longest) return `has ${text.length} characters, and ${longest} are allowed`
  return jsonDepth(text) > deepestJson ? `is nested more than ${deepestJson} deep` : undefined
}

/** How deep brackets are nested in a JSON text. */
export function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 92) index += 1
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) deepest = Math.max(deepest, ++depth)
    else if (code === 125 || code === 93) depth -= 1
  }
  return deepest
}
