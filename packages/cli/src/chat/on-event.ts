/**
 * What an event or a signal of the thread changes in a chat. Pure: what was said is taken from the fold of the chat, which has the event already.
 *
 * SHOWN-1. What stands above the block is durable, except whole lines of a reply that is being written: where such a line turns out not to count, that is said.
 */
import { isSignal, type RunEvent, type Signal } from '@loom-agent/agent'
import type { EventOf, EventType, LoomEvent, Part, Usage } from '@loom-agent/kernel'
import type { ChatItem } from '@loom-agent/telemetry'
import { type Line, line, textLines } from '../screen/line.ts'
import { callLines } from './call-lines.ts'
import { type ChatState, type LiveCall, type LiveReply, noReply, type Step, step, type Used } from './chat-state.ts'
import { itemLines, replyLines } from './item-lines.ts'

/** Takes an event or a signal of the thread, or of a child of it. `items` is what the chat of the thread has come to with it. */
export function onEvent(state: ChatState, event: RunEvent, items: readonly ChatItem[]): Step {
  if (isSignal(event)) return event.thread === state.thread ? onSignal(state, event) : step(state)
  if (event.thread !== state.thread) return onChildEvent(state, event)
  const known = { ...state, seq: event.seq }
  const handle = handlers[event.type] as Handler<EventType> | undefined
  return handle ? handle(known, event as never, items) : step(known)
}

type Handler<T extends EventType> = (state: ChatState, event: EventOf<T>, items: readonly ChatItem[]) => Step

/** A child asks, or has its answer: the questions of a thread are those of its children too. */
function onChildEvent(state: ChatState, { type }: LoomEvent): Step {
  const isAbout = type === 'question.asked' || type === 'question.answered' || type === 'question.expired' || type === 'tool.finished'
  return isAbout ? step(state, [], [{ kind: 'look for questions' }]) : step(state)
}

/** The lines of the items that this event has brought. */
const broughtBy = ({ seq }: LoomEvent, items: readonly ChatItem[]): readonly Line[] => {
  const found = items.slice(items.findLastIndex((item) => item.seq < seq) + 1)
  return found.flatMap((item) => (item.seq === seq ? itemLines(item) : []))
}

const changeCall = (state: ChatState, id: string, changed: Partial<LiveCall>): ChatState => ({
  ...state,
  calls: state.calls.map((one) => (one.call === id ? { ...one, ...changed } : one)),
})

/** A call has ended: what came of it stands above. */
function endCall(state: ChatState, id: string, items: readonly ChatItem[]): Step {
  const calls = state.calls.filter(({ call }) => call !== id)
  const reply = items.findLast((item) => item.kind === 'assistant')
  const ended = reply?.kind === 'assistant' ? reply.calls.find(({ call }) => call === id) : undefined
  return step({ ...state, calls }, ended ? callLines(ended) : [])
}

/** The run is over: nothing is being written or called any more. */
function atRest({ hint: _hint, ...state }: ChatState): ChatState {
  return { ...state, status: 'idle', reply: noReply, calls: [], questions: [] }
}

const using = ({ tokens, cost, unpriced }: Used, usage: Usage | undefined, price: number | undefined): Used => ({
  tokens: tokens + (usage ? usage.input + usage.output : 0),
  cost: cost + (price ?? 0),
  unpriced: unpriced + (usage && price === undefined ? 1 : 0),
})

const handlers: { readonly [T in EventType]?: Handler<T> } = {
  'run.started': (state, event, items) => {
    const { data } = event
    const queued = 'queued' in data ? state.queued.filter(({ seq }) => seq !== data.queued) : state.queued
    const model = 'request' in data ? { model: data.request.model } : {}
    return step({ ...atRest(state), ...model, queued, status: 'working', since: event.time }, broughtBy(event, items))
  },
  'run.queued': (state, { seq, data }) => {
    const text = data.request.input.map((message) => (message.role === 'tool' ? '' : wordsOf(message.parts))).join(' ')
    return step({ ...state, queued: [...state.queued, { seq, text }] })
  },
  'run.resumed': (state, { time }) => step({ ...state, status: 'working', since: time }),
  'run.suspended': (state, { data }) =>
    step(
      { ...state, status: 'waiting' },
      data.reason === 'paused' ? [line('  paused: send a message, or end the chat and come back', 'yellow')] : [],
    ),
  'run.stop-requested': (state, { data }) => step(data.run === undefined ? { ...state, status: 'stopping' } : state),
  'run.finished': (state) => step(atRest(state)),
  'run.failed': (state, event, items) => step(atRest(state), broughtBy(event, items)),
  'run.stopped': (state, event, items) => step(atRest(state), broughtBy(event, items)),
  'message.steered': (state, event, items) => step(state, broughtBy(event, items)),
  'turn.entered': (state, event, items) => step(state, broughtBy(event, items)),
  'context.compressed': (state, event, items) => step(withoutContext(state), broughtBy(event, items)),
  'context.assembled': (state, { data }) => step(data.rebase ? withoutContext(state) : state),
  'model.requested': (state, { data }) => {
    const next = { ...state, reply: noReply, ...(data.model !== undefined && { model: data.model }) }
    return step(next, state.reply.above > 0 ? [retracted] : [])
  },
  'model.replied': onReply,
  'model.failed': (state, event, items) => {
    // What was said before a stop stays, here and in the next request.
    const isStopped = state.status === 'stopping'
    const lines = isStopped ? leftOver(state.reply) : [...(state.reply.above > 0 ? [retracted] : []), ...broughtBy(event, items)]
    return step({ ...state, reply: noReply, used: using(state.used, event.data.usage, event.data.cost) }, lines)
  },
  'tool.started': (state, { data, time }) => step(changeCall(state, data.call, { status: 'running', since: time })),
  'tool.suspended': (state, { data }) => step(changeCall(state, data.call, { status: 'waiting' })),
  'tool.in-doubt': (state, { data }) => step(changeCall(state, data.call, { status: 'in-doubt' })),
  'tool.finished': (state, { data }, items) => endCall(state, data.call, items),
  'tool.denied': (state, { data }, items) => endCall(state, data.call, items),
  'question.asked': (state, { data }) => {
    const next = data.call === undefined ? state : changeCall(state, data.call, { status: 'asked' })
    return step(next, [], [{ kind: 'look for questions' }])
  },
  'question.answered': (state, { data }, items) => {
    const asked = items.findLast((item) => item.kind === 'question' && item.id === data.id)
    return step(state, asked ? itemLines(asked) : [], [{ kind: 'look for questions' }])
  },
  'question.expired': (state) => step(state, [line('  nobody answered in time', 'faint')], [{ kind: 'look for questions' }]),
  'child.finished': (state, { data }) => step({ ...state, used: using(state.used, data.usage, data.cost) }),
}

const retracted = line('  (the attempt failed: what it wrote above does not count)', 'yellow')

function withoutContext(state: ChatState): ChatState {
  const { contextTokens: _contextTokens, ...rest } = state
  return rest
}

const wordsOf = (parts: readonly Part[]): string => parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ')

/** The reply is a fact now: what of it does not stand above yet follows, and its calls are open. */
function onReply(state: ChatState, { time, turn, data }: EventOf<'model.replied'>): Step {
  const { parts, usage, cost } = data
  const text = parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trimStart()
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []))
  const open = calls.map(
    ({ name, input, malformed }, index): LiveCall => ({
      call: `${turn ?? 0}.${index}`,
      tool: name,
      input: malformed ?? JSON.stringify(input),
      status: 'proposed',
      since: time,
      report: '',
    }),
  )
  const next = { ...state, reply: noReply, calls: open, used: using(state.used, usage, cost), contextTokens: usage.input + usage.output }
  return step(next, replyRest(state.reply, text))
}

/** The lines of a reply that are not above yet. A reply that is another one than was written, such as one that a guard has changed, follows whole. */
function replyRest({ text: written, above }: LiveReply, text: string): readonly Line[] {
  if (above > 0 && !text.startsWith(written.slice(0, above))) return [line('  (the reply was changed; it says:)', 'yellow'), ...replyLines(text)]
  const rest = text.slice(above).replace(/\n+$/, '')
  if (rest.trim() === '') return []
  return above > 0 ? replyLines(rest, false) : [[], ...replyLines(rest.replace(/^\n+/, ''))]
}

/** What was being written when the run was stopped. */
const leftOver = ({ text, above }: LiveReply): readonly Line[] => replyRest({ ...noReply, text, above }, text)

function onSignal(state: ChatState, signal: Signal): Step {
  const { reply } = state
  switch (signal.type) {
    case 'text-delta':
      return write(state, signal.text)
    case 'reasoning-delta':
      return step({ ...state, reply: { ...reply, reasoning: reply.reasoning + signal.text.length } })
    case 'input-start':
      return step({ ...state, reply: { ...reply, writing: { tool: signal.tool, length: 0 } } })
    case 'input-delta':
      if (!reply.writing) return step(state)
      return step({ ...state, reply: { ...reply, writing: { ...reply.writing, length: reply.writing.length + signal.text.length } } })
    case 'tool-delta': {
      const words = typeof signal.data === 'string' ? signal.data : (JSON.stringify(signal.data) ?? '')
      const report = textLines(words.trimEnd().slice(-400)).at(-1) ?? ''
      return step(changeCall(state, signal.call, { report }))
    }
    default:
      return step(state)
  }
}

/** Adds to the reply that is being written: its whole lines go above the block. Nothing is there before its first word. */
function write(state: ChatState, added: string): Step {
  const { reply } = state
  const isFirst = reply.above === 0
  const text = isFirst ? (reply.text + added).trimStart() : reply.text + added
  const end = Math.max(reply.above, text.lastIndexOf('\n') + 1)
  const next = { ...state, reply: { ...reply, text, above: end } }
  if (end === reply.above) return step(next)
  return step(next, [...(isFirst ? [[]] : []), ...replyLines(text.slice(reply.above, end - 1), isFirst)])
}
