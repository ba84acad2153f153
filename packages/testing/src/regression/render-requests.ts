/** What the model was sent, turn by turn: the recorded events, folded and rendered by the code that renders for real. */
import { createPrompt } from '@loom-agent/agent/kit'
import { emptyFrame, evolve, type LoomEvent } from '@loom-agent/kernel'
import { plain } from './compared-data.ts'
import type { FixtureRequest } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'

/** What renders the messages of a thread. */
type RenderedPrompt = Pick<ReturnType<typeof createPrompt>, 'update' | 'current'>

/** The requests of a recorded thread. Each message is looked at once: `prompt` renders them. */
export function renderRequests(thread: string, events: readonly LoomEvent[], prompt: RenderedPrompt = createPrompt()): readonly FixtureRequest[] {
  const models = modelsIn(events)
  const requests: FixtureRequest[] = []
  let frame = emptyFrame(thread)
  let before: readonly object[] | undefined
  let length = 0
  for (const [index, event] of events.entries()) {
    frame = evolve(frame, event)
    if (event.type !== 'context.assembled' || !isSent(events, index)) continue
    prompt.update(frame, 'v4', models.get(event.run ?? ''))
    const messages = prompt.current()
    // Between two rebases one list grows (PROMPT-1): only what is new is kept.
    const isRebased = messages !== before
    requests.push({
      turn: event.turn ?? 0,
      ...(isRebased && { rebased: true as const }),
      messages: messages.slice(isRebased ? 0 : length).map(plain),
      settings: plain(frame.run?.settings ?? {}),
    })
    before = messages
    ;({ length } = messages)
  }
  return requests
}

/** Whether the model was called with what was assembled: a hook may have had it assembled once more. */
function isSent(events: readonly LoomEvent[], assembled: number): boolean {
  for (let next = assembled + 1; next < events.length; next += 1) {
    const type = events[next]?.type
    if (type === 'context.assembled' || type === 'turn.entered') return false
    if (type === 'model.requested') return true
  }
  return false
}
