/** The text of an answer as it comes: deltas where there are any, the rest from the reply. */
import { textOf } from '@loom-agent/kernel'
import type { RunEvent } from '../agent-type.ts'

/** The pieces of text in a stream of events. What was told is not told again when the reply is complete. */
export async function* textsOf(events: AsyncIterableIterator<RunEvent>): AsyncGenerator<string, void> {
  let told = ''
  for await (const event of events) {
    if (event.type === 'text-delta') {
      told += event.text
      yield event.text
    } else if (event.type === 'model.replied') {
      const text = textOf(event.data.parts)
      if (text.startsWith(told) && text.length > told.length) yield text.slice(told.length)
      told = ''
    }
  }
}
