/** The text of an answer as it comes: deltas where there are any, the rest from the reply. */
import { textOf } from '@loom-agent/kernel'
import type { RunEvent } from '../types/run-event.ts'

/** The pieces of text in a stream of events. What was yielded is not yielded again when the reply is complete. */
export async function* textsOf(events: AsyncIterableIterator<RunEvent>): AsyncGenerator<string, void> {
  let yielded = ''
  for await (const event of events) {
    if (event.type === 'text-delta') {
      yielded += event.text
      yield event.text
    } else if (event.type === 'model.replied') {
      const text = textOf(event.data.parts)
      if (text.startsWith(yielded) && text.length > yielded.length) yield text.slice(yielded.length)
      yielded = ''
    }
  }
}
