/**
 * What two prompts do not share, as it reads.
 *
 * REPLAY-2. It is kept from turn to turn: a turn reads the messages that it adds, and after a rendering from the start, the messages that this prompt has
 *     and had. No turn reads the other prompt again, nor all that differs.
 */
import type { LanguageModelV4Message } from '../language-model/index.ts'

/** A prompt at one moment: its messages, and how often they were changed other than by adding to them. */
export interface Sending {
  readonly messages: readonly LanguageModelV4Message[]
  readonly renderings: number
}

/** Messages of one prompt that the other has not: the latest of them, in the order of the prompt, and how many there are. */
export interface Unshared {
  readonly texts: readonly string[]
  readonly count: number
}

/** What only one of two prompts has. */
export interface PromptDifference {
  /** Brings it up to the prompts, and returns what only the first and what only the second has, at most so many messages of each. */
  update(was: Sending, would: Sending, most: number): { readonly left: Unshared; readonly added: Unshared }
}

/** The difference of two prompts that were not read yet. */
export function createPromptDifference(): PromptDifference {
  const before = createSide()
  const after = createSide()
  return {
    update(was, would, most) {
      read(before, after, was)
      read(after, before, would)
      return { left: latestOf(before, most), added: latestOf(after, most) }
    },
  }
}

/** The texts of one prompt since it was last rendered from its start. */
interface Side {
  renderings: number
  /** How many messages were read. */
  read: number
  /** Every text, with the place of its message. */
  all: Map<string, number>
  /** Those that the other prompt has not. */
  readonly only: Set<string>
  /** Those in the order in which they came to differ; some may be shared by now. */
  latest: string[]
}

const createSide = (): Side => ({ renderings: 0, read: 0, all: new Map(), only: new Set(), latest: [] })

function read(side: Side, other: Side, { messages, renderings }: Sending): void {
  if (renderings !== side.renderings) {
    side.renderings = renderings
    side.read = messages.length
    const earlier = side.all
    side.all = new Map()
    messages.forEach((message, index) => {
      const text = shown(message)
      if (!side.all.has(text)) side.all.set(text, index)
    })
    for (const text of earlier.keys()) if (!side.all.has(text)) drop(side, other, text)
    for (const text of side.all.keys()) if (!earlier.has(text)) take(side, other, text)
    return
  }
  for (; side.read < messages.length; side.read += 1) {
    const text = shown(messages[side.read] as LanguageModelV4Message)
    if (side.all.has(text)) continue
    side.all.set(text, side.read)
    take(side, other, text)
  }
}

/** A text has come into a prompt. */
function take(side: Side, other: Side, text: string): void {
  if (!other.only.delete(text)) note(side, text)
}

/** A text has gone from a prompt. */
function drop(side: Side, other: Side, text: string): void {
  if (!side.only.delete(text)) note(other, text)
}

function note(side: Side, text: string): void {
  side.only.add(text)
  side.latest.push(text)
  // Texts that are shared by now are dropped from time to time: each costs a step once.
  if (side.latest.length > 2 * side.only.size + 32) side.latest = [...side.only]
}

function latestOf(side: Side, most: number): Unshared {
  const { only, latest, all } = side
  const found = new Set<string>()
  // What is looked at here and is shared by now, or stands here twice, is dropped: it is looked at once.
  while (latest.length > 0 && found.size < Math.min(most, only.size)) {
    const text = latest.pop() as string
    if (only.has(text)) found.add(text)
  }
  latest.push(...[...found].reverse())
  const texts = [...found].sort((one, other) => (all.get(one) ?? 0) - (all.get(other) ?? 0))
  return { texts, count: only.size }
}

/** A message as it reads. */
export const shown = ({ role, content }: LanguageModelV4Message): string =>
  `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`
