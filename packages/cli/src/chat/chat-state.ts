/** What a chat shows, as data. Keys and events change it; the block below the text is a function of it. */
import type { Question, SignedAnswer } from '@loom-agent/agent'
import type { CallStatus } from '@loom-agent/telemetry'
import type { Line } from '../screen/line.ts'
import type { Size } from '../screen/painter.ts'
import { type Editor, emptyEditor } from './editor.ts'

/** How the thread stands. */
export type ChatStatus = 'idle' | 'working' | 'waiting' | 'stopping'

/** The modes that a chat may choose for a run, in the order in which a key walks through them. */
export const chatModes = ['default', 'accept-edits', 'auto', 'plan', 'bypass'] as const

/** How much a run may do without a question. */
export type ChatMode = (typeof chatModes)[number]

/** A call that has not ended. */
export interface LiveCall {
  readonly call: string
  readonly tool: string
  /** The arguments, as JSON text. */
  readonly input: string
  readonly status: CallStatus
  /** When it was proposed, or began. */
  readonly since: number
  /** The last line that it has reported. */
  readonly report: string
}

/** What the model is writing. */
export interface LiveReply {
  /** The text so far. */
  readonly text: string
  /** How much of it stands above the block: whole lines. */
  readonly above: number
  /** Characters of reasoning so far. */
  readonly reasoning: number
  /** The call whose arguments it writes, and how many characters they have. */
  readonly writing?: { readonly tool: string; readonly length: number }
}

/** Nothing is being written. */
export const noReply: LiveReply = { text: '', above: 0, reasoning: 0 }

/** One thing to choose. */
export interface Option {
  readonly label: string
  readonly value: string
}

/** A list out of which a person chooses. */
export interface Picker {
  readonly title: string
  readonly purpose: 'rewind' | 'fork' | 'resume'
  readonly options: readonly Option[]
  readonly index: number
}

/** What the editor is used for besides a message: the reason of a rejection, other arguments, or a result, for a question. */
export interface Answering {
  readonly question: Question
  readonly with: 'reject' | 'edit' | 'respond'
}

/** What was used so far, the children included. */
export interface Used {
  readonly tokens: number
  readonly cost: number
  /** Replies whose price is not known. */
  readonly unpriced: number
}

/** What a chat shows. */
export interface ChatState {
  readonly size: Size
  /** The time of the last key or tick. */
  readonly now: number
  /** The agent's name. */
  readonly agent: string
  /** The thread; absent before the first message. */
  readonly thread?: string
  /** The last event that was seen. */
  readonly seq: number
  /** The model of the last run. */
  readonly model?: string
  /** The model that the next run is given. */
  readonly chosenModel?: string
  readonly mode: ChatMode
  /** The modes that there are for this agent. */
  readonly modes: readonly ChatMode[]
  readonly status: ChatStatus
  /** Since when it works. */
  readonly since: number
  readonly reply: LiveReply
  readonly calls: readonly LiveCall[]
  /** Open questions, the first one is the one that is answered. */
  readonly questions: readonly Question[]
  /** When the first of them was shown, or a key was pressed since: keys answer only after a moment of quiet. */
  readonly quietSince: number
  readonly answering?: Answering
  /** Messages for later runs, by the seq of their event. */
  readonly queued: readonly { readonly seq: number; readonly text: string }[]
  readonly editor: Editor
  readonly picker?: Picker
  /** What is said below the input until the next key. */
  readonly hint?: string
  /** Ctrl-C was pressed: once more ends the chat. */
  readonly isLeaving: boolean
  /** Tokens of the last request and its reply; absent when it is not known, such as after a compression. */
  readonly contextTokens?: number
  /** The window of the model, where it is known. */
  readonly window?: number
  readonly used: Used
}

/** What is to be done, outside of the state. */
export type Action =
  | { readonly kind: 'send' | 'queue' | 'steer'; readonly text: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'quit'; readonly code: number }
  | { readonly kind: 'answer'; readonly question: Question; readonly answer: SignedAnswer }
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }
  | { readonly kind: 'pick'; readonly purpose: Picker['purpose']; readonly value: string }
  | { readonly kind: 'complete'; readonly word: string }
  | { readonly kind: 'look for questions' }

/** What a key or an event comes to: another state, lines that stay above the block, and what is to be done. */
export interface Step {
  readonly state: ChatState
  readonly lines: readonly Line[]
  readonly actions: readonly Action[]
}

/** A step that changes the state alone, or also says or does something. */
export const step = (state: ChatState, lines: readonly Line[] = [], actions: readonly Action[] = []): Step => ({ state, lines, actions })

/** How a chat begins. */
export type ChatBeginning = Pick<ChatState, 'agent' | 'size' | 'now' | 'mode' | 'modes'> & Partial<Pick<ChatState, 'thread' | 'chosenModel'>>

/** The state of a chat in which nothing was said. */
export const chatOf = (beginning: ChatBeginning): ChatState => ({
  seq: 0,
  status: 'idle',
  since: 0,
  reply: noReply,
  calls: [],
  questions: [],
  quietSince: beginning.now,
  queued: [],
  editor: emptyEditor,
  isLeaving: false,
  used: { tokens: 0, cost: 0, unpriced: 0 },
  ...beginning,
})

/** A state without what belongs to its thread: for another thread. */
export function withoutThread(state: ChatState): ChatState {
  const { agent, size, now, mode, modes, chosenModel, editor } = state
  return { ...chatOf({ agent, size, now, mode, modes, ...(chosenModel !== undefined && { chosenModel }) }), editor }
}
