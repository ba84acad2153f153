/** Texts with wildcards, such as the names of tools in rules. */

/** Whether a text matches a pattern in which * stands for anything. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, from)
    if (found === -1) return false
    from = found + piece.length
  }
  return from <= text.length - last.length
}
