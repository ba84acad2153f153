/** What a chat shows of a thread. */
import type { Answer, ArgumentKinds } from '@loom-agent/kernel'

/** A text as a chat shows it: long ones in part, and how many characters are left out. The event has the whole. */
export interface ShownText {
  /** The beginning of the text, or all of it. */
  readonly text: string
  /** How many characters follow. */
  readonly more?: number
}

/** How a call stands. */
export type CallStatus = 'proposed' | 'asked' | 'running' | 'waiting' | 'in-doubt' | 'success' | 'warning' | 'error' | 'denied'

/** A call, in the message that proposed it. */
export interface ChatCall {
  /** Loom's id of the call: `turn.index`. */
  readonly call: string
  /** The name of the tool. */
  readonly tool: string
  /** The arguments, as JSON text. */
  readonly input: ShownText
  /** Which of the arguments are paths, commands, addresses or hosts, as far as its tool says so; known once it is asked about or begins. */
  readonly kinds?: ArgumentKinds
  /** How it stands. */
  readonly status: CallStatus
  /** What the model reads of its end. */
  readonly output?: ShownText
  /** Why it failed, in one word. */
  readonly errorType?: string
  /** How long it took, in milliseconds. */
  readonly ms?: number
  /** The seq of the event of its result. */
  readonly endedAt?: number
  /** The threads of the children that it started. */
  readonly children?: readonly string[]
}

/** A file or an image of a message; its bytes are in the event. */
export interface ChatFile {
  /** Its media type. */
  readonly mediaType: string
  /** Its name, where it has one. */
  readonly name?: string
}

/** One thing that a chat shows. `seq` is the event that brought it. */
export type ChatItem = { readonly seq: number; readonly time: number } & (
  | {
      readonly kind: 'user' | 'steered' | 'note' | 'item'
      readonly run: string
      readonly text: ShownText
      readonly files?: readonly ChatFile[]
      readonly by?: string
    }
  | {
      readonly kind: 'assistant'
      readonly run: string
      readonly text: ShownText
      readonly reasoning?: ShownText
      readonly files?: readonly ChatFile[]
      readonly calls: readonly ChatCall[]
      readonly finish: string
    }
  | {
      readonly kind: 'question'
      readonly run: string
      readonly id: string
      readonly of: string
      readonly prompt: ShownText
      readonly call?: string
      readonly answers: readonly { readonly answer: Answer['kind']; readonly by?: string; readonly seq: number }[]
      readonly isOpen: boolean
    }
  | { readonly kind: 'compressed'; readonly run: string; readonly from: number; readonly to: number; readonly text: ShownText }
  | { readonly kind: 'failed' | 'stopped' | 'retried'; readonly run: string; readonly text: ShownText; readonly code?: string }
  | { readonly kind: 'forked'; readonly from: string }
)

const most = 4_000

/** A text, cut where a chat would show too much of it. */
export function shown(text: string, length: number = most): ShownText {
  if (text.length <= length) return { text }
  const end = /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length
  return { text: text.slice(0, end), more: text.length - end }
}
