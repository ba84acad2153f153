/** The messages of a prompt: a list that only grows until it is cleared, with its digest and its weight. */
import { type Entry, freshDigest, type Json, rollDigest, rollJson } from '@loom-agent/kernel'
import type { LanguageModelV4Message } from '../language-model/index.ts'

/** Where a message of a prompt comes from. An entry is given as it is shown: with its results cut where a trim cuts them. */
export type Source =
  | { readonly of: 'system' | 'gap' }
  | { readonly of: 'summary'; readonly segment: number }
  | { readonly of: 'entry'; readonly index: number; readonly entry: Entry }

/** Is called with the place of a message that is added, and where it comes from. */
export type OnShown = (message: number, source: Source) => void

/** The messages of a prompt. */
export interface MessageList {
  /** Whether somebody wants to know where messages come from. */
  readonly isWatched: boolean
  /** Adds a message as it is. */
  put(message: LanguageModelV4Message, source: Source | undefined): void
  /** Adds a message; vendors want no two of the assistant after each other, and none of it first. */
  add(message: LanguageModelV4Message, source: Source | undefined): void
  /** The messages themselves: the list grows. */
  shown(): LanguageModelV4Message[]
  /** Changes with every message. */
  digest(): string
  /** The sum of what messages weigh. Each is weighed once, so the same scale must be given every time. */
  weight(scale: (message: LanguageModelV4Message) => number): number
  /** Starts another list. */
  clear(): void
}

/** Goes before a message of the assistant that follows no message of the user: vendors require one. */
const unshown: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: '(What came before is not shown.)' }] }

/** A list without messages. */
export function createMessageList(onShown?: OnShown): MessageList {
  let shown: LanguageModelV4Message[] = []
  let digest = freshDigest
  let weighed = { messages: 0, sum: 0 }
  let lastRole = ''

  const put: MessageList['put'] = (message, source) => {
    shown.push(message)
    digest = digestMessage(digest, message)
    if (source) onShown?.(shown.length - 1, source)
  }
  return {
    isWatched: onShown !== undefined,
    put,
    add(message, source) {
      if (message.role !== 'system') {
        if (message.role !== 'user' && (lastRole === '' || lastRole === message.role)) put(unshown, { of: 'gap' })
        lastRole = message.role
      }
      put(message, source)
    },
    shown: () => shown,
    digest: () => digest.toString(36),
    weight(scale) {
      let { messages, sum } = weighed
      for (; messages < shown.length; messages += 1) sum += scale(shown[messages] as LanguageModelV4Message)
      weighed = { messages, sum }
      return sum
    },
    clear() {
      shown = []
      digest = freshDigest
      weighed = { messages: 0, sum: 0 }
      lastRole = ''
    },
  }
}

/** Takes a message into the digest. Addresses of files are objects, not JSON: they count by their text. */
function digestMessage(digest: number, { role, content }: LanguageModelV4Message): number {
  return rollJson(rollDigest(digest, role), content as Json)
}
