/**
 * The parts of a result that `content()` made, within the limits of outputs.
 *
 * FORMAT-1. All parts together obey the limits: texts, data, names, addresses and metadata that of characters, files that of bytes. What does not fit is
 *     shortened or left out, and the last part says so.
 */
import type { Part } from '@loom-agent/kernel'
import { shorten } from '../platform/shorten.ts'
import type { CompleteBehaviour } from './behaviour.ts'
import { type InputPart, readMessages } from './input.ts'

/** How much of a result reaches the model: characters, and bytes of files. */
export type OutputLimits = Pick<CompleteBehaviour, 'outputLimit' | 'mediaLimit'>

/** The most parts of one result. */
const mostParts = 1000
/** Characters that are kept for the marks of a shortened result, so that it fits the limit with them. */
const reserved = 200

/** What a part takes of the limits. */
interface Size {
  readonly characters: number
  readonly bytes: number
}

/** The parts of a content, within the limits. */
export function contentParts(given: readonly InputPart[], limits: OutputLimits): readonly Part[] {
  const message = readMessages(given)[0]
  const parts = message && message.role !== 'tool' ? message.parts : []
  const sizes = parts.map(sizeOf)
  const sum = (of: keyof Size): number => sizes.reduce((total, size) => total + size[of], 0)
  const isWhole = parts.length <= mostParts && sum('characters') <= limits.outputLimit && sum('bytes') <= limits.mediaLimit
  return isWhole ? parts : withinLimits(parts, sizes, limits)
}

function withinLimits(parts: readonly Part[], sizes: readonly Size[], { outputLimit, mediaLimit }: OutputLimits): readonly Part[] {
  const kept: Part[] = []
  const left: Part[] = []
  let characters = Math.max(0, outputLimit - reserved)
  let bytes = mediaLimit
  for (const [index, part] of parts.entries()) {
    const size = sizes[index] ?? { characters: 0, bytes: 0 }
    const isFitting = kept.length < mostParts && size.bytes <= bytes
    if (isFitting && size.characters <= characters) kept.push(part)
    else if (isFitting && part.type === 'text' && characters > 0) kept.push({ type: 'text', text: shorten(part.text, characters) })
    else {
      left.push(part)
      continue
    }
    characters = Math.max(0, characters - size.characters)
    bytes -= size.bytes
  }
  return left.length > 0 ? [...kept, noteOn(left, `${outputLimit} characters and ${mediaLimit} bytes of files`)] : kept
}

/** What the model reads in place of the parts that are left out. */
function noteOn(left: readonly Part[], most: string): Part {
  const file = left.find((part) => part.type === 'file')
  const such = file ? `, such as ${file.mediaType.slice(0, 40).toWellFormed()}` : ''
  return { type: 'text', text: `[... ${left.length} parts left out${such}: a result has at most ${most} ...]` }
}

function sizeOf(part: Part): Size {
  if (part.type === 'text') return { characters: part.text.length + lengthOf(part.meta), bytes: 0 }
  if (part.type !== 'file') return { characters: lengthOf(part), bytes: 0 }
  const { data, ...rest } = part
  const characters = lengthOf(rest)
  if (typeof data === 'string') return { characters, bytes: Math.floor(data.length * 0.75) }
  const address = 'url' in data ? data.url : ''
  return address.startsWith('data:') ? { characters, bytes: address.length } : { characters: characters + address.length, bytes: 0 }
}

const lengthOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length)
