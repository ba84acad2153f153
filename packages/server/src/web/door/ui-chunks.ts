/**
 * The events and signals of a run as chunks of the AI SDK's UI message stream.
 *
 * CHUNK-1. What a client has at the end of a stream is what the events say, whatever signals it got: where a reply differs from what was shown of it live, the
 *     step is taken back and shown again.
 */
import { isSignal, type Question, type RunEvent, type Signal } from '@loom-agent/agent'
import type { LoomEvent, Part } from '@loom-agent/kernel'

/** A chunk of the stream. */
export type UiChunk = { readonly type: string; readonly [field: string]: unknown }

type Words = 'text' | 'reasoning'

/** What a client was shown of the step that is under way. */
interface Step {
  /** The texts that were shown so far. */
  text: string
  reasoning: string
  /** The part that goes on. */
  open: { readonly type: Words; readonly id: string } | undefined
  /** How many parts of text and reasoning there are. */
  parts: number
  /** The ids of calls by those of the provider, as far as their arguments were streamed. */
  readonly inputs: Map<string, string>
  /** Something was lost on the way: what was shown is not whole. */
  isBroken: boolean
}

/** What a client was shown of a run. The turn numbers its calls: their ids are unique in their thread. */
interface Shown {
  step: Step
  turn: number
}

/** Makes chunks of the events and signals of one run, one after another. */
export type UiChunks = (event: RunEvent) => readonly UiChunk[]

const newStep = (): Step => ({ text: '', reasoning: '', open: undefined, parts: 0, inputs: new Map(), isBroken: false })

/** Makes the chunks of a run. */
export function createUiChunks(): UiChunks {
  const shown: Shown = { step: newStep(), turn: 0 }
  return (event) => (isSignal(event) ? signalled(shown, event) : happened(shown, event))
}

function close({ step }: Shown): readonly UiChunk[] {
  const { open } = step
  step.open = undefined
  return open ? [{ type: `${open.type}-end`, id: open.id }] : []
}

function begin(shown: Shown, type: Words): readonly UiChunk[] {
  const ended = close(shown)
  const { step, turn } = shown
  const id = `${turn}.${step.parts}`
  step.open = { type, id }
  step.parts += 1
  return [...ended, { type: `${type}-start`, id }]
}

function delta(shown: Shown, type: Words, words: string): readonly UiChunk[] {
  const { step } = shown
  const begun = step.open?.type === type ? [] : begin(shown, type)
  step[type] += words
  return [...begun, { type: `${type}-delta`, id: step.open?.id, delta: words }]
}

/** Takes back what was shown of the step. */
function takeBack(shown: Shown): readonly UiChunk[] {
  const { parts, inputs } = shown.step
  shown.step = newStep()
  return parts > 0 || inputs.size > 0 ? [{ type: 'reset-step' }] : []
}

function signalled(shown: Shown, signal: Signal): readonly UiChunk[] {
  const { step } = shown
  switch (signal.type) {
    case 'text-delta':
      return delta(shown, 'text', signal.text)
    case 'reasoning-delta':
      return delta(shown, 'reasoning', signal.text)
    case 'text-end':
    case 'reasoning-end':
      return close(shown)
    case 'input-start': {
      const toolCallId = `${signal.turn}.${step.inputs.size}`
      step.inputs.set(signal.id, toolCallId)
      return [...close(shown), { type: 'tool-input-start', toolCallId, toolName: signal.tool }]
    }
    case 'input-delta': {
      const toolCallId = step.inputs.get(signal.id)
      return toolCallId === undefined ? [] : [{ type: 'tool-input-delta', toolCallId, inputTextDelta: signal.text }]
    }
    case 'gap':
      step.isBroken = true
      return []
    default:
      return []
  }
}

/** The whole reply: what was shown of it live stays where it is the same. */
function replied(shown: Shown, parts: readonly Part[]): readonly UiChunk[] {
  const { step, turn } = shown
  const wordsOf = (type: Words): string => parts.map((part) => (part.type === type ? part.text : '')).join('')
  const isSame = !step.isBroken && step.text === wordsOf('text') && step.reasoning === wordsOf('reasoning')
  const again = isSame ? [] : takeBack(shown)
  const words = isSame
    ? []
    : parts.flatMap((part) =>
        part.type === 'text' || part.type === 'reasoning' ? [...begin(shown, part.type), ...delta(shown, part.type, part.text)] : [],
      )
  return [...again, ...words, ...close(shown), ...parts.flatMap(fileOf), ...callsOf(parts, turn)]
}

function happened(shown: Shown, event: LoomEvent): readonly UiChunk[] {
  switch (event.type) {
    case 'turn.entered': {
      const isFirst = shown.turn === 0
      shown.turn = event.data.turn
      shown.step = newStep()
      return [...(isFirst ? [] : [{ type: 'finish-step' }]), { type: 'start-step' }]
    }
    case 'model.failed':
      return takeBack(shown)
    case 'model.replied':
      shown.turn = event.turn ?? shown.turn
      return replied(shown, event.data.parts)
    case 'run.stopped':
      return [...close(shown), ...outcomeOf(event)]
    default:
      return outcomeOf(event)
  }
}

const endedAs: { readonly [kind: string]: string } = { length: 'length', filtered: 'content-filter' }

/** The chunk of a file; a file that is kept as a blob has an address of its own. */
export const fileOf = (part: Part): readonly UiChunk[] => {
  if (part.type !== 'file' || (typeof part.data === 'object' && !('url' in part.data))) return []
  const url = typeof part.data === 'object' ? part.data.url : `data:${part.mediaType};base64,${part.data}`
  return [{ type: 'file', mediaType: part.mediaType, url }]
}

const callsOf = (parts: readonly Part[], turn: number): readonly UiChunk[] =>
  parts
    .filter((part) => part.type === 'call')
    .map(({ name, input }, index) => ({ type: 'tool-input-available', toolCallId: `${turn}.${index}`, toolName: name, input }))

/** The chunks of an event that ends a call, or the run. */
function outcomeOf(event: LoomEvent): readonly UiChunk[] {
  switch (event.type) {
    case 'tool.finished': {
      const { call, status, output } = event.data
      if (status === 'error') return [{ type: 'tool-output-error', toolCallId: call, errorText: String(output.value) }]
      return [{ type: 'tool-output-available', toolCallId: call, output: output.value }]
    }
    case 'tool.denied':
      if (event.data.errorType === 'rejected') return [{ type: 'tool-output-denied', toolCallId: event.data.call }]
      return [{ type: 'tool-output-error', toolCallId: event.data.call, errorText: event.data.reason }]
    case 'run.finished':
      return [{ type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }]
    case 'run.stopped':
      if (event.data.kind === 'cancelled') return [{ type: 'abort', reason: event.data.reason }]
      return [{ type: 'finish-step' }, { type: 'finish', finishReason: endedAs[event.data.kind] ?? 'other' }]
    case 'run.failed':
      return [{ type: 'error', errorText: event.data.error.message }]
    default:
      return []
  }
}

/** The chunks of questions that are open: a call of this thread asks for approval at its part, and everything else is a part of its own. */
export function questionChunks(thread: string, questions: readonly Question[]): readonly UiChunk[] {
  return questions.map((question) => {
    const { id, kind, call, prompt } = question
    const isOwn = kind === 'approval' && call !== undefined && question.thread === thread
    return isOwn
      ? { type: 'tool-approval-request', approvalId: id, toolCallId: call.id, reason: prompt }
      : { type: 'data-question', id, data: question }
  })
}
