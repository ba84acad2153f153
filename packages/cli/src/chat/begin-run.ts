/** Following a run from its first event. */
import type { RunHandle } from '@loom-agent/agent'
import type { ChatSession } from './chat-session.ts'

/** Follows the thread of a run that has begun. Rejects when it cannot begin. */
export async function begun(session: ChatSession, handle: RunHandle): Promise<void> {
  const result = handle.result()
  // How the run ends is an event. What keeps it from beginning is none.
  result.catch(() => {})
  if (session.state().thread === handle.thread) return void (await Promise.race([result, firstEvent(handle)]))
  await Promise.race([result, firstEvent(handle)])
  await session.turnTo(handle.thread, { isNew: true })
}

/** Resolves when the first event of a run is durable: from then on its thread can be followed. */
async function firstEvent(handle: RunHandle): Promise<void> {
  const events = handle.events()
  await events.next()
  await events.return?.()
}
