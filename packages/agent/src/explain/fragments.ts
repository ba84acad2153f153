/** The texts of an entry, each with what it is. */
import type { CallPart, Entry, Part } from '@loom-agent/kernel'
import { outputText } from '../context/trim.ts'
import type { FoundPart } from './explanation.ts'

/** A text of an entry. */
export interface Fragment {
  readonly where: FoundPart['where']
  readonly text: string
  /** The ids of the call that it is of: Loom's and the provider's. */
  readonly calls: readonly string[]
}

/** All texts of an entry, in order. */
export function fragmentsOf({ message, origin, turn }: Entry): readonly Fragment[] {
  if (message.role === 'tool') {
    return message.results.map(({ call, id, output }) => ({ where: 'result' as const, text: outputText(output), calls: [call || id, id] }))
  }
  let index = 0
  return message.parts.map((part) => {
    const calls = part.type === 'call' ? [origin === 'reply' ? `${turn}.${index++}` : part.id, part.id] : []
    return { ...textOfPart(part), calls }
  })
}

function textOfPart(part: Part): Pick<Fragment, 'where' | 'text'> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { where: part.type, text: part.text }
    case 'call':
      return { where: 'arguments', text: `${part.name} ${argumentsOf(part)}` }
    case 'data':
      return { where: 'data', text: JSON.stringify(part.data) }
    case 'file':
      return { where: 'data', text: `${part.name ?? ''} ${part.mediaType}`.trim() }
    case 'provider':
      return { where: 'data', text: JSON.stringify(part.part) }
  }
}

const argumentsOf = ({ input, malformed }: CallPart): string => malformed ?? JSON.stringify(input)

/** Characters that a preview shows. */
const shownAtMost = 96

/** The beginning of a text, in one line. */
export function beginning(text: string): string {
  const line = text
    .slice(0, 4 * shownAtMost)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= shownAtMost ? line : `${line.slice(0, shownAtMost - 1).toWellFormed()}…`
}

/** The beginning of an entry. */
export function previewOf(entry: Entry): string {
  return beginning(
    fragmentsOf(entry)
      .map(({ text }) => text.slice(0, 4 * shownAtMost))
      .join(' '),
  )
}
