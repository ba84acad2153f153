/** What the model was sent, turn by turn: the recorded events, folded and rendered by the code that renders for real. */
import { createPrompt } from '@loom-agent/agent/kit'
import { emptyFrame, evolve, type LoomEvent } from '@loom-agent/kernel'
import { plain } from './essence.ts'
import type { FixtureRequest } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'

/** The requests of a recorded thread. */
export function renderRequests(thread: string, events: readonly LoomEvent[]): readonly FixtureRequest[] {
  const models = modelsIn(events)
  const prompt = createPrompt()
  const requests: FixtureRequest[] = []
  let frame = emptyFrame(thread)
  let before: readonly object[] | undefined
  for (const [index, event] of events.entries()) {
    frame = evolve(frame, event)
    if (event.type !== 'context.assembled' || !isSent(events, index)) continue
    prompt.update(frame, 'v4', models.get(event.run ?? ''))
    const messages = prompt.messages()
    // Between two rebases a request holds the messages of the one before, the very same: only what is new is kept.
    const known = before?.every((message, at) => message === messages[at]) ? before.length : undefined
    before = messages
    requests.push({
      turn: event.turn ?? 0,
      ...(known === undefined && { rebased: true as const }),
      messages: messages.slice(known).map(plain),
      settings: plain(frame.run?.settings ?? {}),
    })
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
