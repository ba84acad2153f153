/** What the model was sent, turn by turn: the recorded events, folded and rendered by the code that renders for real. */
import { createPrompt } from '@loom-agent/agent/kit'
import { emptyFrame, evolve, type Json, type JsonObject, type LoomEvent } from '@loom-agent/kernel'
import type { FixtureRequest } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'
import { digestText, plainMessages, rollMessages } from './request-digest.ts'

/** The requests of a recorded thread. */
export function renderRequests(thread: string, events: readonly LoomEvent[]): readonly FixtureRequest[] {
  const models = modelsIn(events)
  const prompt = createPrompt()
  const requests: FixtureRequest[] = []
  let frame = emptyFrame(thread)
  let before: Rendered | undefined
  for (const [index, event] of events.entries()) {
    frame = evolve(frame, event)
    if (event.type !== 'context.assembled' || !isSent(events, index)) continue
    prompt.update(frame, 'v4', models.get(event.run ?? ''))
    before = rendered(prompt.messages(), before)
    const { rebased, added, digest } = before
    requests.push({
      turn: event.turn ?? 0,
      ...(rebased && { rebased: true as const }),
      messages: added,
      settings: JSON.parse(JSON.stringify(frame.run?.settings ?? {})) as JsonObject,
      digest: digestText(digest),
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

interface Rendered {
  readonly messages: readonly object[]
  readonly rebased: boolean
  readonly added: readonly Json[]
  readonly digest: number
}

/** Between two rebases a request holds the messages of the one before, the very same: only what is new is looked at. */
function rendered(messages: readonly object[], before: Rendered | undefined): Rendered {
  const extended = before?.messages.every((message, index) => message === messages[index]) ? before : undefined
  const added = plainMessages(messages.slice(extended?.messages.length ?? 0))
  return { messages, rebased: extended === undefined, added, digest: rollMessages(added, extended?.digest) }
}
