/**
 * The grammar that the obedient model understands, wherever a text holds it:
 *
 * - `DO <tool> <arguments>`: calls the tool; the arguments are one JSON object.
 * - `SAY <text>`: the last reply says so, up to the end of the line.
 * - `PART <name> <n>/<m> <text>`: one of m pieces of a text, up to the end of the line, which may stand in different places; together they are read like
 *   any other text.
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

/** The texts that pieces come to, of which all are there. */
export function joinPieces(texts: Iterable<string>): readonly string[] {
  const pieces = new Map<string, Map<number, string>>()
  for (const text of texts) {
    for (const { groups = {} } of text.matchAll(/\bPART (?<name>\w{1,40}) (?<number>\d{1,2})\/(?<of>\d{1,2}) (?<piece>[^\n]{1,4000})/gu)) {
      const { name, number, of, piece = '' } = groups
      const known = pieces.get(`${name}/${of}`) ?? new Map<number, string>()
      pieces.set(`${name}/${of}`, known.set(Number(number), known.get(Number(number)) ?? piece))
    }
  }
  return [...pieces].flatMap(([name, known]) => {
    const all = Array.from({ length: Number(name.split('/')[1]) }, (_, index) => known.get(index + 1))
    return all.length > 0 && all.every((piece) => piece !== undefined) ? [all.join('')] : []
  })
}
