/** Replies in Anthropic's messages format: a list of blocks, each started, filled and stopped. */
import { type Loose, parsed } from './loose.ts'
import type { Ready, ReplyFormat, StreamEvent, WireFinish } from './reply.ts'
import { seal, signThought } from './seal.ts'

const finishes: Readonly<Record<WireFinish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
}

interface Block {
  /** Without content. */
  readonly empty: Loose
  readonly deltas: readonly Loose[]
  /** With all of its content. */
  readonly whole: Loose
}

function blocksOf({ reasoning, hidden, text, calls }: Ready): readonly Block[] {
  const thought = reasoning.join('')
  const signature = signThought(thought)
  const thinking: Block = {
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...reasoning.map((piece) => ({ type: 'thinking_delta', thinking: piece })), { type: 'signature_delta', signature }],
    whole: { type: 'thinking', thinking: thought, signature },
  }
  const redacted = { type: 'redacted_thinking', data: seal(hidden ?? '') }
  const words: Block = {
    empty: { type: 'text', text: '' },
    deltas: text.map((piece) => ({ type: 'text_delta', text: piece })),
    whole: { type: 'text', text: text.join('') },
  }
  return [
    ...(reasoning.length > 0 ? [thinking] : []),
    ...(hidden === undefined ? [] : [{ empty: redacted, deltas: [], whole: redacted }]),
    ...(text.length > 0 ? [words] : []),
    ...calls.map(({ id, tool, json, pieces }): Block => {
      const call = { type: 'tool_use', id, name: tool }
      const deltas = pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
      return { empty: { ...call, input: {} }, deltas, whole: { ...call, input: parsed(json) ?? {} } }
    }),
  ]
}

function inputUsage({ usage }: Ready): Loose {
  return { input_tokens: usage.input, cache_creation_input_tokens: usage.cacheWrite, cache_read_input_tokens: usage.cacheRead }
}

const outputUsage = ({ usage }: Ready): Loose => ({
  output_tokens: usage.output,
  ...(usage.reasoning > 0 && { output_tokens_details: { thinking_tokens: usage.reasoning } }),
})

function messageOf(ready: Ready, more: object): Loose {
  return { id: `msg_${ready.number}`, type: 'message', role: 'assistant', model: ready.model, stop_sequence: null, ...more }
}

/** Messages of Anthropic. */
export const anthropicFormat: ReplyFormat = {
  events(ready): readonly StreamEvent[] {
    const started = messageOf(ready, { content: [], stop_reason: null, usage: { ...inputUsage(ready), output_tokens: 1 } })
    const events: readonly Loose[] = [
      { type: 'message_start', message: started },
      { type: 'ping' },
      ...blocksOf(ready).flatMap(({ empty, deltas }, index) => [
        { type: 'content_block_start', index, content_block: empty },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: finishes[ready.finish], stop_sequence: null }, usage: outputUsage(ready) },
      { type: 'message_stop' },
    ]
    return events.map((data) => ({ event: String(data['type']), data }))
  },
  whole: (ready) =>
    messageOf(ready, {
      content: blocksOf(ready).map(({ whole }) => whole),
      stop_reason: finishes[ready.finish],
      usage: { ...inputUsage(ready), ...outputUsage(ready) },
    }),
}
