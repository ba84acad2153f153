/** The chat of a thread: what people and the model said, calls with their results, and questions where they were asked. */
import type { ArgumentKinds, EventOf, EventType, Json, LoomEvent, Message, Part, ToolOutcome } from '@loom-agent/kernel'
import { outputWords } from '../view/event-header.ts'
import type { Projection } from '../view/projection.ts'
import { type CallStatus, type ChatCall, type ChatFile, type ChatItem, shown } from './chat-item.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Reply = Extract<ChatItem, { kind: 'assistant' }>
type Asked = Extract<ChatItem, { kind: 'question' }>

interface ChatState {
  readonly items: ChatItem[]
  run: string
  /** Inputs of queued runs, by the seq of their event. */
  queued: { [seq: string]: readonly Message[] }
  /** The place of the last reply. */
  reply: number
  /** The places of open questions. */
  asked: { [id: string]: { place: number; approvals: number } }
}

type Handlers = { readonly [T in EventType]?: (state: ChatState, event: EventOf<T>) => void }

/**
 * What a chat shows of a thread, in order. Long texts are cut; the events have the whole.
 *
 * @example
 * const { view } = await createProjector(journal).view(chat, 'user-123')
 * for (const item of view) console.log(item.kind)
 */
export const chat: Projection<ChatState, readonly ChatItem[]> = {
  name: 'chat',
  version: 2,
  start: () => ({ items: [], run: '', queued: {}, reply: -1, asked: {} }),
  apply(state, event) {
    const handle = handlers[event.type] as ((state: ChatState, event: LoomEvent) => void) | undefined
    handle?.(state, event)
  },
  view: ({ items }) => items,
}

const textOf = (parts: readonly Part[], type: 'text' | 'reasoning' = 'text'): string =>
  parts.flatMap((part) => (part.type === type ? [part.text] : part.type === 'data' && type === 'text' ? [JSON.stringify(part.data)] : [])).join('')

function filesOf(parts: readonly Part[]): { files?: readonly ChatFile[] } {
  const files = parts.flatMap((part) =>
    part.type === 'file' ? [{ mediaType: part.mediaType, ...(part.name !== undefined && { name: part.name }) }] : [],
  )
  return files.length > 0 ? { files } : {}
}

function say(state: ChatState, { seq, time }: LoomEvent, said: { kind: 'user' | 'steered'; message: Message; by?: string | undefined }): void {
  const { kind, message, by } = said
  if (message.role === 'tool') return
  const { run } = state
  state.items.push({ seq, time, kind, run, text: shown(textOf(message.parts)), ...filesOf(message.parts), ...(by !== undefined && { by }) })
}

/** Changes a call of the last reply: its id ends with its place. */
function changeCall(state: ChatState, id: string, changed: (call: ChatCall) => Partial<ChatCall>): void {
  const { calls = [] } = (state.items[state.reply] as { calls: ChatCall[] } | undefined) ?? {}
  const place = Number(id.slice(id.indexOf('.') + 1))
  const call = calls[place]
  if (call?.call === id) calls[place] = { ...call, ...changed(call) }
}

/** The call has its result: nobody is asked about it any more. */
function endCall(state: ChatState, id: string, changed: Partial<ChatCall>): void {
  for (const [question, { place }] of Object.entries(state.asked)) {
    if ((state.items[place] as Asked).call === id) settle(state, question)
  }
  changeCall(state, id, () => changed)
}

const setStatus = (state: ChatState, id: string, status: CallStatus): void => changeCall(state, id, () => ({ status }))

function proposedBy(event: LoomEvent, parts: readonly Part[]): readonly ChatCall[] {
  const calls = parts.filter((part) => part.type === 'call')
  return calls.map(({ name, input, malformed }, index) => ({
    call: `${event.turn ?? 0}.${index}`,
    tool: name,
    input: shown(malformed ?? JSON.stringify(input)),
    status: 'proposed' as const,
  }))
}

function ended({ status, output, errorType, ms }: ToolOutcome, seq: number): Partial<ChatCall> {
  return { status, output: shown(outputWords(output)), endedAt: seq, ...(errorType !== undefined && { errorType }), ...(ms !== undefined && { ms }) }
}

const note =
  (kind: 'note' | 'item') =>
  (state: ChatState, { seq, time }: LoomEvent, texts: readonly string[]) => {
    for (const text of texts) state.items.push({ seq, time, kind, run: state.run, text: shown(text) })
  }
const addNotes = note('note')
const addItems = note('item')

function settle(state: ChatState, id: string, answered?: Asked['answers'][number]): void {
  const open = Object.hasOwn(state.asked, id) ? state.asked[id] : undefined
  const item = open && (state.items[open.place] as Writable<Asked>)
  if (!item) return
  if (answered) item.answers = [...item.answers, answered]
  open.approvals -= 1
  if (answered && answered.answer !== 'reject' && open.approvals > 0) return
  item.isOpen = false
  delete state.asked[id]
  if (item.call !== undefined) setStatus(state, item.call, 'proposed')
}

const handlers: Handlers = {
  'thread.forked': (state, { seq, time, data }) => {
    state.items.push({ seq, time, kind: 'forked', from: data.from })
    for (const id of Object.keys(state.asked)) settle(state, id)
  },
  'run.queued': (state, { seq, data }) => {
    state.queued[seq] = data.request.input
  },
  'run.started': (state, event) => {
    const { data } = event
    state.run = data.run
    state.asked = {}
    const input = 'request' in data ? data.request.input : (state.queued[data.queued] ?? [])
    if ('queued' in data) delete state.queued[data.queued]
    for (const message of input) say(state, event, { kind: 'user', message })
  },
  'message.steered': (state, event) => say(state, event, { kind: 'steered', message: event.data.message, by: event.data.by }),
  'turn.entered': (state, event) =>
    addNotes(
      state,
      event,
      (event.data.notes ?? []).map(({ text }) => text),
    ),
  'context.assembled': (state, event) =>
    addItems(
      state,
      event,
      (event.data.items ?? []).map(({ text }) => text),
    ),
  'context.compressed': (state, { seq, time, data }) => {
    state.items.push({ seq, time, kind: 'compressed', run: state.run, from: data.from, to: data.to, text: shown(data.summary) })
  },
  'model.replied': (state, event) => {
    const { seq, time, data } = event
    const { parts, finish } = data
    const reasoning = textOf(parts, 'reasoning')
    state.reply = state.items.push({
      seq,
      time,
      kind: 'assistant',
      run: state.run,
      text: shown(textOf(parts)),
      ...(reasoning && { reasoning: shown(reasoning) }),
      ...filesOf(parts),
      calls: proposedBy(event, parts),
      finish,
    })
    state.reply -= 1
  },
  'model.failed': (state, { seq, time, data: { error } }) => {
    state.items.push({ seq, time, kind: 'retried', run: state.run, text: shown(error.message), code: error.code })
  },
  'tool.started': (state, { data: { call, kinds } }) => changeCall(state, call, () => ({ status: 'running', ...(kinds && { kinds }) })),
  'tool.suspended': (state, { data }) => setStatus(state, data.call, 'waiting'),
  'tool.in-doubt': (state, { data }) => setStatus(state, data.call, 'in-doubt'),
  'tool.finished': (state, { seq, data }) => endCall(state, data.call, ended(data, seq)),
  'tool.denied': (state, { seq, data }) =>
    endCall(state, data.call, { status: 'denied', output: shown(data.reason), errorType: data.errorType, endedAt: seq }),
  'hook.applied': (state, event) => {
    const { call, patch } = event.data
    const { outcome, input, parts } = patch as { outcome?: Partial<ToolOutcome>; input?: Json; parts?: readonly Part[] }
    if (call !== undefined && input !== undefined) changeCall(state, call, () => ({ input: shown(JSON.stringify(input)) }))
    if (call !== undefined && outcome) {
      const { status, output } = outcome
      changeCall(state, call, () => ({ ...(status && { status }), ...(output && { output: shown(outputWords(output)) }) }))
    }
    const reply = state.items[state.reply] as Writable<Reply> | undefined
    if (call !== undefined || !Array.isArray(parts) || !reply) return
    Object.assign(reply, { text: shown(textOf(parts)), ...filesOf(parts), calls: proposedBy(event, parts) })
  },
  'child.started': (state, { data }) => changeCall(state, data.call, ({ children = [] }) => ({ children: [...children, data.child] })),
  'question.asked': (state, { seq, time, data }) => {
    const { id, kind, prompt, call, approvers = 1 } = data
    const item: Asked = {
      seq,
      time,
      kind: 'question',
      run: state.run,
      id,
      of: kind,
      prompt: shown(prompt),
      ...(call !== undefined && { call }),
      answers: [],
      isOpen: true,
    }
    state.asked[id] = { place: state.items.push(item) - 1, approvals: approvers }
    const { kinds } = (data.show ?? {}) as { readonly kinds?: ArgumentKinds }
    if (call !== undefined) changeCall(state, call, () => ({ status: 'asked', ...(kind === 'approval' && kinds && { kinds }) }))
  },
  'question.answered': (state, { seq, data }) =>
    settle(state, data.id, { answer: data.answer.kind, seq, ...(data.by !== undefined && { by: data.by }) }),
  'question.expired': (state, { data }) => settle(state, data.id),
  'run.failed': (state, { seq, time, data: { error } }) => {
    state.items.push({ seq, time, kind: 'failed', run: state.run, text: shown(error.message), code: error.code })
  },
  'run.stopped': (state, { seq, time, data: { kind, reason } }) => {
    state.items.push({ seq, time, kind: 'stopped', run: state.run, text: shown(reason), code: kind })
  },
}
