/** The steps of a thread: what was said, called, asked and ended, each in one line with a digest of its content. Two threads are compared by them. */
import { type EventOf, type EventType, freshDigest, type Json, type LoomEvent, type Message, rollJson } from '@loom-agent/kernel'
import { headerOf, messageWords, outputWords, shortened, wordsOf } from '../view/event-header.ts'
import type { Projection } from '../view/projection.ts'

/** What a step is. */
export type StepKind = 'input' | 'steered' | 'reply' | 'failure' | 'tool' | 'question' | 'context' | 'end'

/** Something that has happened on a thread, as it is compared with what has happened on another. */
export interface Step {
  /** The event by which it is known: of a call the one with its result. */
  readonly seq: number
  /** When that was stored, in milliseconds since 1970. */
  readonly time: number
  /** The run. */
  readonly run: string
  /** The turn; 0 before the first. */
  readonly turn: number
  /** What it is. */
  readonly kind: StepKind
  /** Its name among those of its kind: of a tool, a model, an end. Steps of one kind and name are the same step, done otherwise. */
  readonly name: string
  /** Changes with its content, and with nothing else: times, seqs, tokens and the ids of threads are no part of it. */
  readonly digest: string
  /** What it says, in one line. */
  readonly label: string
  /** Tokens of a reply, both ways. */
  readonly tokens?: number
  /** What it cost in integer micro-units, where that is known. */
  readonly cost?: number
  /** How long it took, in milliseconds, where that was stored. */
  readonly ms?: number
}

interface StepState {
  readonly steps: Step[]
  run: string
  turn: number
  model: string
  /** The calls of the last reply, and their arguments as they were changed. */
  called: { name: string; input: Json }[]
  /** Inputs of queued runs, by the seq of their event. */
  queued: { [seq: string]: readonly Message[] }
  /** Prompts of open questions. */
  asked: { [id: string]: string }
}

type Handlers = { readonly [T in EventType]?: (state: StepState, event: EventOf<T>) => void }

/** Two digests of 32 bits that begin differently: with one, two of a hundred thousand steps would be taken for the same. */
const digestOf = (value: Json): string => [freshDigest, 0x9dc5811c].map((seed) => rollJson(seed, value).toString(16).padStart(8, '0')).join('')

interface Stepped extends Pick<Step, 'kind' | 'name' | 'label' | 'tokens' | 'cost' | 'ms'> {
  readonly content: Json
}

function add({ steps, run, turn }: StepState, { seq, time }: LoomEvent, { content, label, tokens, cost, ms, ...named }: Stepped): void {
  const figures = { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }), ...(ms !== undefined && { ms }) }
  steps.push({ seq, time, run, turn, ...named, digest: digestOf(content), label: shortened(label), ...figures })
}

function say(state: StepState, event: LoomEvent, said: { readonly kind: 'input' | 'steered'; readonly message: Message }): void {
  add(state, event, { kind: said.kind, name: said.kind, content: said.message as unknown as Json, label: messageWords(said.message) })
}

const callOf = ({ called }: StepState, call: string) => called[Number(call.slice(call.indexOf('.') + 1))] ?? { name: 'unknown', input: null }

function endRun(state: StepState, event: LoomEvent, name: string): void {
  const content: Json = event.type === 'run.finished' ? (event.data.output ?? null) : null
  add(state, event, { kind: 'end', name, content, label: `${name} ${headerOf(event).label}`.trim() })
}

const handlers: Handlers = {
  'run.queued': (state, { seq, data }) => {
    state.queued[seq] = data.request.input
  },
  'run.started': (state, event) => {
    const { data } = event
    state.run = data.run
    const input = 'request' in data ? data.request.input : (state.queued[data.queued] ?? [])
    if ('queued' in data) delete state.queued[data.queued]
    else state.model = data.request.model
    for (const message of input) say(state, event, { kind: 'input', message })
  },
  'message.steered': (state, event) => say(state, event, { kind: 'steered', message: event.data.message }),
  'turn.entered': (state, { data }) => {
    state.turn = data.turn
    state.called = []
  },
  'context.assembled': (state, event) => {
    const { rebase } = event.data
    if (rebase) add(state, event, { kind: 'context', name: 'rebase', content: rebase.reason, label: rebase.reason })
  },
  'context.compressed': (state, event) => {
    const { summary, cost } = event.data
    add(state, event, { kind: 'context', name: 'summary', content: summary, label: summary, ...(cost !== undefined && { cost }) })
  },
  'model.requested': (state, { data }) => {
    state.model = data.model ?? state.model
  },
  'model.replied': (state, event) => {
    const { parts, usage, cost, ms } = event.data
    state.called = parts.flatMap((part) => (part.type === 'call' ? [{ name: part.name, input: part.input }] : []))
    // The provider's ids of calls differ from one time to the next.
    const content = parts.map((part) => (part.type === 'call' ? ['call', part.name, part.input] : part.type === 'text' ? part.text : part.type))
    const figures = { tokens: usage.input + usage.output, ...(cost !== undefined && { cost }), ...(ms !== undefined && { ms }) }
    add(state, event, { kind: 'reply', name: state.model, content, label: wordsOf(parts), ...figures })
  },
  'model.failed': (state, event) => {
    const { error, cost } = event.data
    add(state, event, { kind: 'failure', name: error.code, content: error.message, label: error.message, ...(cost !== undefined && { cost }) })
  },
  'hook.applied': (state, { data: { call, patch } }) => {
    const one = call === undefined ? undefined : callOf(state, call)
    if (one && patch['input'] !== undefined) one.input = patch['input']
  },
  'tool.started': (state, { data: { call, input } }) => {
    if (input !== undefined) callOf(state, call).input = input
  },
  'tool.finished': (state, event) => {
    const { call, status, output, ms } = event.data
    const { name, input } = callOf(state, call)
    const content = [input, status, outputWords(output)]
    add(state, event, { kind: 'tool', name, content, label: outputWords(output), ...(ms !== undefined && { ms }) })
  },
  'tool.denied': (state, event) => {
    const { name, input } = callOf(state, event.data.call)
    add(state, event, { kind: 'tool', name, content: [input, 'denied', event.data.reason], label: `denied: ${event.data.reason}` })
  },
  'question.asked': (state, { data: { id, prompt } }) => {
    state.asked[id] = prompt
  },
  'question.answered': (state, event) => {
    const { id, answer } = event.data
    const prompt = Object.hasOwn(state.asked, id) ? (state.asked[id] ?? '') : ''
    add(state, event, { kind: 'question', name: 'answer', content: [prompt, answer as unknown as Json], label: `${answer.kind}: ${prompt}` })
  },
  'run.finished': (state, event) => endRun(state, event, 'done'),
  'run.failed': (state, event) => endRun(state, event, 'failed'),
  'run.stopped': (state, event) => endRun(state, event, 'stopped'),
}

/**
 * The steps of a thread, in order.
 *
 * @example
 * const comparison = compareSteps(viewOf(steps, before), viewOf(steps, after))
 */
export const steps: Projection<StepState, readonly Step[]> = {
  name: 'steps',
  version: 1,
  start: () => ({ steps: [], run: '', turn: 0, model: '', called: [], queued: {}, asked: {} }),
  apply(state, event) {
    const handle = handlers[event.type] as ((state: StepState, event: LoomEvent) => void) | undefined
    handle?.(state, event)
  },
  view: (state) => state.steps,
}
