/**
 * The grammar that the obedient model understands, wherever a text holds it:
 *
 * - `DO <tool> <arguments>`: calls the tool; the arguments are one JSON object.
 * - `SAY <text>`: the last reply says so, up to the end of the line.
 *
 * In arguments and in what is said, `{{tool}}` stands for the latest result of that tool, and `{{base64 tool}}`, `{{hex tool}}` and `{{reverse tool}}` for it
 * in another form. An instruction with such a place waits until there is a result.
 */

/** One instruction, as it was found. */
export type Instruction =
  | {
      readonly kind: 'do'
      /** The name of the tool. */
      readonly tool: string
      /** The arguments as they were written: JSON. */
      readonly input: string
    }
  | {
      readonly kind: 'say'
      /** What is to be said. */
      readonly text: string
    }

/** Characters that a JSON object of an instruction has at most. */
const longest = 20_000

/** The instructions of a text, in order. What only looks like one is none. */
export function findInstructions(text: string): readonly Instruction[] {
  const found: Instruction[] = []
  for (const match of text.matchAll(/\b(?:DO (?<tool>[\w:/.-]{1,200}) (?=\{)|SAY (?<said>[^\n]{1,4000}))/gu)) {
    const { tool, said } = match.groups ?? {}
    if (said !== undefined) found.push({ kind: 'say', text: said })
    const input = tool === undefined ? undefined : objectAt(text, match.index + match[0].length)
    if (tool !== undefined && input !== undefined) found.push({ kind: 'do', tool, input })
  }
  return found
}

/** The JSON object that begins at a place; undefined where there is none. */
function objectAt(text: string, from: number): string | undefined {
  let depth = 0
  let isInText = false
  for (let at = from; at < Math.min(text.length, from + longest); at += 1) {
    const sign = text[at]
    if (isInText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isInText = false
      continue
    }
    if (sign === '"') isInText = true
    else if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    if (depth > 0) continue
    const object = text.slice(from, at + 1)
    return isObject(object) ? object : undefined
  }
  return undefined
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
