/** Replies in the format of chat completions. */
import type { Ready, ReadyCall, ReplyFormat, StreamEvent, WireFinish } from './reply.ts'

const finishes: Readonly<Record<WireFinish, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
}

function usageOf({ usage }: Ready): object {
  const { input, cacheRead, cacheWrite, output, reasoning } = usage
  const prompt = input + cacheRead + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

const idOf = ({ number }: Ready): string => `chatcmpl-${number}`

function callDeltas({ id, tool, pieces }: ReadyCall, index: number): readonly object[] {
  const first = { index, id, type: 'function', function: { name: tool, arguments: '' } }
  return [first, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map((call) => ({ tool_calls: [call] }))
}

/** `shows`: whether reasoning is sent. */
function chatFormat(shows: boolean): ReplyFormat {
  return {
    events(ready): readonly StreamEvent[] {
      const { text, calls, reasoning, created, model, finish, request } = ready
      const chunk = (choices: readonly object[], more: object = {}): StreamEvent => {
        return { data: { id: idOf(ready), object: 'chat.completion.chunk', created, model, choices, ...more } }
      }
      const choice = (delta: object, reason: string | null = null): StreamEvent => chunk([{ index: 0, delta, logprobs: null, finish_reason: reason }])
      const { include_usage: wantsUsage } = (request['stream_options'] ?? {}) as { include_usage?: boolean }
      return [
        choice({ role: 'assistant', content: text.length > 0 ? '' : null }),
        ...(shows ? reasoning.map((piece) => choice({ reasoning_content: piece })) : []),
        ...text.map((piece) => choice({ content: piece })),
        ...calls.flatMap(callDeltas).map((delta) => choice(delta)),
        choice({}, finishes[finish]),
        ...(wantsUsage ? [chunk([], { usage: usageOf(ready) })] : []),
        { data: '[DONE]' },
      ]
    },
    whole(ready) {
      const { text, calls, reasoning, created, model, finish } = ready
      const message = {
        role: 'assistant',
        content: text.length > 0 ? text.join('') : null,
        ...(shows && reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ id, tool, json }) => ({ id, type: 'function', function: { name: tool, arguments: json } })),
        }),
      }
      const choices = [{ index: 0, message, logprobs: null, finish_reason: finishes[finish] }]
      return { id: idOf(ready), object: 'chat.completion', created, model, choices, usage: usageOf(ready) }
    },
  }
}

/** Chat completions of OpenAI: reasoning is counted, not shown. */
export const openaiChatFormat: ReplyFormat = chatFormat(false)

/** Chat completions of others, who show their reasoning. */
export const openaiCompatibleFormat: ReplyFormat = chatFormat(true)
