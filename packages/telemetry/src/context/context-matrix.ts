/**
 * The context matrix: which entries of the history each request showed, and how.
 *
 * What a request shows of an entry changes only at a rebase, which says it for ranges of entries. So the state has the entries, the requests and the
 * ranges, and a cell is looked up when somebody looks at it: a thread of ten thousand turns is no table of a hundred million cells.
 */
import type { ContextBudget, EventOf, EventType, LoomEvent, Message, Segment } from '@loom-agent/kernel'
import { messageWords, shortened } from '../view/event-header.ts'
import type { Projection } from '../view/projection.ts'

/** An entry of the history: one message, or an item that was added. */
export interface MatrixEntry {
  /** The seq of the event that brought it. */
  readonly seq: number
  /** How it came into the history. */
  readonly origin: 'input' | 'reply' | 'results' | 'steered' | 'note' | 'retrieved' | 'hook' | 'item'
  /** Its first words. */
  readonly label: string
}

/** A rebase: what the model was shown of the entries before `to` of each segment from then on. */
export interface MatrixRebase {
  /** The seq of its event. */
  readonly seq: number
  /** Why earlier parts of the context changed. */
  readonly reason: string
  /** What became of the history, without a gap. */
  readonly segments: readonly Segment[]
  /** The tokens before and after, and what was allowed. */
  readonly budget?: ContextBudget
}

/** A request to the model. */
export interface MatrixRequest {
  /** The seq of its event. */
  readonly seq: number
  /** The turn. */
  readonly turn: number
  /** How many entries there were. */
  readonly entries: number
  /** The place of the rebase in force; -1 before the first. */
  readonly rebase: number
  /** Tokens that the provider counted; absent until it has replied. */
  readonly input?: number
}

/** Everything that the cells follow from. */
export interface ContextMatrix {
  /** The rows. */
  readonly entries: readonly MatrixEntry[]
  /** The columns: one for each request. */
  readonly requests: readonly MatrixRequest[]
  /** What was shown how, from when on. */
  readonly rebases: readonly MatrixRebase[]
}

/** How a request shows an entry: not there yet, whole, cut, inside of a summary, or dropped. */
export type Presence = 'absent' | 'whole' | 'cut' | 'summary' | 'dropped'

/** A cell, with the segment that decided it. */
export interface MatrixCell {
  /** How the request shows the entry. */
  readonly presence: Presence
  /** The segment of the rebase in force; absent where the entry came after it. */
  readonly segment?: Segment
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
interface MatrixState {
  readonly entries: MatrixEntry[]
  readonly requests: Writable<MatrixRequest>[]
  readonly rebases: MatrixRebase[]
  turn: number
  /** Whether the last reply proposed calls, whose results become one entry. */
  calls: number
  /** Messages that wait for the next turn. */
  steered: { label: string; priority: number; seq: number }[]
  /** Messages of hooks are added at once while a context is made, and wait for the next turn after a reply. */
  isBeforeReply: boolean
  /** Text of an attempt that was cut off. */
  partial: string
  queued: { [seq: string]: string[] }
}

type Handlers = { readonly [T in EventType]?: (state: MatrixState, event: EventOf<T>) => void }

/** The context of every request of a thread, entry by entry. */
export const contextMatrix: Projection<MatrixState, ContextMatrix> = {
  name: 'context-matrix',
  version: 1,
  start: () => ({
    ...{ entries: [], requests: [], rebases: [], steered: [], queued: {} },
    ...{ turn: 0, calls: 0, isBeforeReply: false, partial: '' },
  }),
  apply(state, event) {
    const handle = handlers[event.type] as ((state: MatrixState, event: LoomEvent) => void) | undefined
    handle?.(state, event)
  },
  view: ({ entries, requests, rebases }) => ({ entries, requests, rebases }),
}

/** How a request showed an entry, by their places in the matrix. */
export function cellOf({ requests, rebases }: ContextMatrix, entry: number, request: number): MatrixCell {
  const column = requests[request]
  if (!column || entry >= column.entries) return { presence: 'absent' }
  const segment = rebases[column.rebase]?.segments.find(({ to }) => entry < to)
  if (!segment) return { presence: 'whole' }
  if (segment.as === 'kept') return { presence: segment.trims ? 'cut' : 'whole', segment }
  return { presence: segment.as, segment }
}

const label = (message: Message): string => shortened(messageWords(message), 80)

function add(state: MatrixState, seq: number, added: Omit<MatrixEntry, 'seq'>): void {
  state.entries.push({ seq, ...added })
}

/** The results of a reply's calls become one entry when the turn is over. */
function closeTurn(state: MatrixState, seq: number): void {
  if (state.calls > 0) add(state, seq, { origin: 'results', label: state.calls === 1 ? '1 result' : `${state.calls} results` })
  state.calls = 0
}

const countCalls = (parts: readonly unknown[]): number => parts.filter((part) => (part as { type?: unknown } | null)?.type === 'call').length

const handlers: Handlers = {
  'run.queued': (state, { seq, data }) => {
    state.queued[seq] = data.request.input.map(label)
  },
  'run.started': (state, { seq, data }) => {
    const input = 'request' in data ? data.request.input.map(label) : state.queued[data.queued]
    if ('queued' in data) delete state.queued[data.queued]
    if (!input) return
    closeTurn(state, seq)
    for (const words of input) add(state, seq, { origin: 'input', label: words })
    Object.assign(state, { isBeforeReply: false, partial: '' })
  },
  'turn.entered': (state, { seq, data }) => {
    closeTurn(state, seq)
    for (const { text } of data.notes ?? []) add(state, seq, { origin: 'note', label: shortened(text, 80) })
    for (const steered of state.steered) add(state, seq, { origin: 'steered', label: steered.label })
    Object.assign(state, { turn: data.turn, steered: [], isBeforeReply: true })
  },
  'message.steered': (state, { seq, data }) => {
    state.steered.push({ label: label(data.message), priority: data.priority ?? 0, seq })
    state.steered.sort((a, b) => b.priority - a.priority || a.seq - b.seq)
  },
  'context.assembled': (state, { seq, data: { rebase, items = [] } }) => {
    for (const { kind, id } of items) add(state, seq, { origin: 'item', label: `${kind} ${id}` })
    if (!rebase) return
    const { reason, segments = [], budget } = rebase
    state.rebases.push({ seq, reason, segments, ...(budget && { budget }) })
  },
  'retrieval.finished': (state, { seq, data }) => add(state, seq, { origin: 'retrieved', label: shortened(data.query, 80) }),
  'model.requested': (state, { seq }) => {
    const { turn, entries, rebases } = state
    state.requests.push({ seq, turn, entries: entries.length, rebase: rebases.length - 1 })
  },
  'model.replied': (state, { seq, data }) => {
    const request = state.requests.at(-1)
    if (request) request.input = data.usage.input
    add(state, seq, { origin: 'reply', label: label({ role: 'assistant', parts: data.parts }) })
    Object.assign(state, { calls: countCalls(data.parts), isBeforeReply: false, partial: '' })
  },
  'model.failed': (state, { data }) => {
    state.partial = data.partial ?? ''
  },
  'hook.applied': (state, { seq, data: { point, call, patch } }) => {
    const { parts, say } = patch as { parts?: unknown; say?: unknown }
    if (call !== undefined || point === 'beforeModelCall') return
    if (Array.isArray(parts)) state.calls = countCalls(parts)
    else if (Array.isArray(say)) {
      for (const message of say as readonly Message[]) {
        if (state.isBeforeReply) add(state, seq, { origin: 'hook', label: label(message) })
        else state.steered.push({ label: label(message), priority: 0, seq })
      }
    }
  },
  'run.finished': (state, { seq }) => closeTurn(state, seq),
  'run.stopped': (state, { seq, data }) => {
    closeTurn(state, seq)
    if (data.partial && state.partial) add(state, seq, { origin: 'reply', label: shortened(state.partial, 80) })
  },
}
