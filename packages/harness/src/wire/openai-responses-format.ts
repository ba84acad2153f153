/** Replies in OpenAI's responses format: a list of items, each started, filled and done. */
import { type Loose, loose } from './loose.ts'
import type { Ready, ReadyCall, ReplyFormat, StreamEvent } from './reply.ts'
import { seal } from './seal.ts'

const wantsEncrypted = ({ request }: Ready): boolean =>
  Array.isArray(request['include']) && request['include'].includes('reasoning.encrypted_content')

function reasoningItem(ready: Ready): Loose {
  const text = ready.reasoning.join('')
  const encrypted = wantsEncrypted(ready) ? { encrypted_content: seal(text) } : {}
  return { id: `rs_${ready.number}`, type: 'reasoning', summary: [{ type: 'summary_text', text }], ...encrypted }
}

function messageItem(ready: Ready): Loose {
  const content = [{ type: 'output_text', text: ready.text.join(''), annotations: [], logprobs: [] }]
  return { id: `msg_${ready.number}`, type: 'message', status: 'completed', role: 'assistant', content }
}

const callItem = (ready: Ready, { id, tool, json }: ReadyCall, index: number): Loose => {
  return { id: `fc_${ready.number}_${index}`, type: 'function_call', status: 'completed', call_id: id, name: tool, arguments: json }
}

/** The items of a reply. What is kept of it can be referred to later. */
export const itemsOf = (ready: Ready): readonly Loose[] => [
  ...(ready.reasoning.length > 0 ? [reasoningItem(ready)] : []),
  ...(ready.text.length > 0 ? [messageItem(ready)] : []),
  ...ready.calls.map((call, index) => callItem(ready, call, index)),
]

function responseOf(ready: Ready, more: object): Loose {
  const { number, created, model, request } = ready
  return { id: `resp_${number}`, object: 'response', created_at: created, model, store: request['store'] ?? true, ...more }
}

function ending(ready: Ready): { readonly type: string; readonly response: Loose } {
  const { input, cacheRead, cacheWrite, output, reasoning } = ready.usage
  const total = input + cacheRead + cacheWrite
  const usage = {
    input_tokens: total,
    input_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total + output,
  }
  const reason = { length: 'max_output_tokens', 'content-filter': 'content_filter', stop: undefined, 'tool-calls': undefined }[ready.finish]
  const status = reason === undefined ? 'completed' : 'incomplete'
  const details = reason === undefined ? null : { reason }
  return {
    type: `response.${status}`,
    response: responseOf(ready, { status, error: null, incomplete_details: details, output: itemsOf(ready), usage }),
  }
}

/** The events that fill an item, between its beginning and its end. */
function filling(ready: Ready, item: Loose): readonly Loose[] {
  const about = { item_id: item['id'] }
  const event = (type: string, more: object): Loose => ({ type: `response.${type}`, ...about, ...more })
  if (item['type'] === 'reasoning') {
    const part = { summary_index: 0 }
    return [
      event('reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } }),
      ...ready.reasoning.map((delta) => event('reasoning_summary_text.delta', { ...part, delta })),
      event('reasoning_summary_text.done', { ...part, text: ready.reasoning.join('') }),
      event('reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text: ready.reasoning.join('') } }),
    ]
  }
  if (item['type'] === 'message') {
    const part = { content_index: 0 }
    return [
      event('content_part.added', { ...part, part: { type: 'output_text', text: '', annotations: [] } }),
      ...ready.text.map((delta) => event('output_text.delta', { ...part, delta, logprobs: [] })),
      event('output_text.done', { ...part, text: ready.text.join(''), logprobs: [] }),
      event('content_part.done', { ...part, part: { type: 'output_text', text: ready.text.join(''), annotations: [] } }),
    ]
  }
  const call = ready.calls.find(({ id }) => id === item['call_id'])
  return [
    ...(call?.pieces ?? []).map((delta) => event('function_call_arguments.delta', { delta })),
    event('function_call_arguments.done', { arguments: item['arguments'] }),
  ]
}

/** An item as it starts: without content. */
function started({ summary, content, arguments: text, encrypted_content: _later, ...rest }: Loose): Loose {
  const empty = {
    ...(summary !== undefined && { summary: [] }),
    ...(content !== undefined && { content: [] }),
    ...(text !== undefined && { arguments: '' }),
  }
  return { ...rest, ...empty, ...(rest['type'] !== 'reasoning' && { status: 'in_progress' }) }
}

/** Responses of OpenAI. */
export const openaiResponsesFormat: ReplyFormat = {
  events(ready): readonly StreamEvent[] {
    const running = responseOf(ready, { status: 'in_progress', output: [] })
    const events: readonly Loose[] = [
      { type: 'response.created', response: running },
      { type: 'response.in_progress', response: running },
      ...itemsOf(ready).flatMap((item, index) =>
        [{ type: 'response.output_item.added', item: started(item) }, ...filling(ready, item), { type: 'response.output_item.done', item }].map(
          (event) => ({ ...event, output_index: index }),
        ),
      ),
      ending(ready),
    ]
    return events.map((event, index) => ({ event: String(event['type']), data: { ...event, sequence_number: index } }))
  },
  whole: (ready) => loose(ending(ready).response),
}
