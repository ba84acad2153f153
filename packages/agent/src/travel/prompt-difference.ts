/**
 * What two prompts do not share, as it reads.
 *
 * It is kept from turn to turn: a turn looks at the messages that it adds, and at all messages of a prompt only after a rebase of that prompt.
 */
import type { LanguageModelV4Message } from '../language-model/index.ts'

/** The texts of one prompt since its last rebase. */
interface Side {
  rebases: number
  /** How many messages were read. */
  read: number
  readonly all: Set<string>
  /** Those that the other prompt has not; both sets are in the order of the messages. */
  only: Set<string>
}

/** A prompt at one moment: its messages, and how often they were changed other than by adding to them. */
export interface Sending {
  readonly messages: readonly LanguageModelV4Message[]
  readonly rebases: number
}

/** What only one of two prompts has. */
export interface PromptDifference {
  /** Brings it up to the prompts, and returns what only the first and what only the second has. */
  update(was: Sending, would: Sending): { readonly left: readonly string[]; readonly added: readonly string[] }
}

/** The difference of two prompts that were not read yet. */
export function createPromptDifference(): PromptDifference {
  const before = createSide()
  const after = createSide()
  return {
    update(was, would) {
      read(before, after, was)
      read(after, before, would)
      return { left: [...before.only], added: [...after.only] }
    },
  }
}

const createSide = (): Side => ({ rebases: 0, read: 0, all: new Set(), only: new Set() })

function read(side: Side, other: Side, { messages, rebases }: Sending): void {
  if (rebases !== side.rebases) {
    side.rebases = rebases
    side.read = 0
    side.all.clear()
    side.only.clear()
    other.only = new Set(other.all)
  }
  for (; side.read < messages.length; side.read += 1) {
    const text = shown(messages[side.read] as LanguageModelV4Message)
    if (side.all.has(text)) continue
    side.all.add(text)
    if (!other.only.delete(text)) side.only.add(text)
  }
}

/** A message as it reads. */
export const shown = ({ role, content }: LanguageModelV4Message): string =>
  `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`
