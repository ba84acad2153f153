/** A conversation as the messages of the AI SDK's user interfaces: what a page shows before it streams anything. */
import type { Question } from '@loom-agent/agent'
import type { LoomEvent, Message, Part } from '@loom-agent/kernel'
import { createUiChunks, fileOf, questionChunks, type UiChunk, type UiChunks } from './ui-chunks.ts'

/** A part of a message. */
type UiPart = { type: string; [field: string]: unknown }

/** A message as user interfaces of the AI SDK have it. */
export interface UiMessage {
  /** The id that the client gave it, or that its run has. */
  readonly id: string
  /** Who says it. */
  readonly role: 'user' | 'assistant'
  /** What it says, in the parts of the AI SDK. */
  readonly parts: readonly { readonly type: string; readonly [field: string]: unknown }[]
  /** Where it is in the journal. */
  readonly metadata?: { readonly loom: { readonly thread: string; readonly run: string; readonly seq: number } }
}

interface Growing {
  readonly id: string
  readonly parts: UiPart[]
  readonly chunks: UiChunks
  metadata: NonNullable<UiMessage['metadata']>
}

/** Takes a chunk of events, which come whole, into the parts of a message. */
function take(parts: UiPart[], chunk: UiChunk): void {
  const { type, id, delta, toolCallId, toolName, input, output, errorText, approvalId, reason } = chunk
  const tool = (): UiPart | undefined => parts.findLast((part) => part['toolCallId'] === toolCallId)
  if (type === 'start-step') parts.push({ type: 'step-start' })
  else if (type === 'text-start') parts.push({ type: 'text', text: '', state: 'done' })
  else if (type === 'reasoning-start') parts.push({ type: 'reasoning', id, text: '', state: 'done' })
  else if (type === 'text-delta' || type === 'reasoning-delta') Object.assign(parts.at(-1) ?? {}, { text: delta })
  else if (type === 'file') parts.push({ ...chunk })
  else if (type === 'data-question') parts.push({ type, id, data: chunk['data'] })
  else if (type === 'tool-input-available') parts.push({ type: `tool-${String(toolName)}`, toolCallId, state: 'input-available', input })
  else if (type === 'tool-approval-request') {
    Object.assign(tool() ?? {}, { state: 'approval-requested', approval: { id: approvalId, requestReason: reason } })
  } else if (type === 'tool-output-available') Object.assign(tool() ?? {}, { state: 'output-available', output })
  else if (type === 'tool-output-error') Object.assign(tool() ?? {}, { state: 'output-error', errorText })
  else if (type === 'tool-output-denied') Object.assign(tool() ?? {}, { state: 'output-denied' })
}

const partOf = (part: Part): readonly UiPart[] =>
  part.type === 'text' ? [{ type: 'text', text: part.text }] : fileOf(part).map((file) => ({ ...file }))

/** What a user has said. The id is the one of the start, which is the one that the client gave the message. */
function saidBy(messages: readonly Message[], id: string): readonly UiMessage[] {
  const parts = messages.flatMap((message) => (message.role === 'user' ? message.parts.flatMap(partOf) : []))
  return parts.length > 0 ? [{ id, role: 'user', parts }] : []
}

/** The messages of a thread: what users have said, and one of the assistant for each run. */
export function uiMessagesOf(thread: string, events: readonly LoomEvent[], questions: readonly Question[]): readonly UiMessage[] {
  const messages: (UiMessage | Growing)[] = []
  const inputs = new Map<number, { readonly input: readonly Message[]; readonly id: string }>()
  let open: Growing | undefined
  for (const event of events) {
    if (event.type === 'run.queued') {
      const { request, run } = event.data
      inputs.set(event.seq, { input: request.input, id: request.start?.id ?? `${thread}:${run}:input` })
    }
    if (event.type === 'run.started') {
      const { data } = event
      const own =
        'request' in data ? { input: data.request.input, id: data.request.start?.id ?? `${thread}:${data.run}:input` } : inputs.get(data.queued)
      if (own) messages.push(...saidBy(own.input, own.id))
      open = { id: `${thread}:${data.run}`, parts: [], chunks: createUiChunks(), metadata: { loom: { thread, run: data.run, seq: event.seq } } }
      messages.push(open)
    }
    if (!open || event.run !== open.metadata.loom.run) continue
    open.metadata = { loom: { ...open.metadata.loom, seq: event.seq } }
    for (const chunk of open.chunks(event)) take(open.parts, chunk)
  }
  if (open) for (const chunk of questionChunks(thread, questions)) take(open.parts, chunk)
  return messages.map((message) =>
    'chunks' in message ? { id: message.id, role: 'assistant', parts: message.parts, metadata: message.metadata } : message,
  )
}
