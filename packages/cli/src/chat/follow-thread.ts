/** Following a thread: its past is folded at once, then every event and signal is passed on as it comes. */
import { type Agent, isSignal, type RunEvent } from '@loom-agent/agent'
import { readEvents } from '@loom-agent/kernel'
import { type ChatItem, chat } from '@loom-agent/telemetry'

/** What follows a thread. */
export interface Follower {
  /** Takes an event or a signal, with what the chat of the thread has come to. */
  readonly onEvent: (event: RunEvent, items: readonly ChatItem[]) => void
  /** Called once, when the past has been folded. */
  readonly onPast: (items: readonly ChatItem[]) => void
  /** Ends the following. */
  readonly signal: AbortSignal
}

/** The past of a thread is read in pages, each event once. Rejects when the thread cannot be read, and resolves when the signal is aborted. */
export async function followThread(agent: Agent, thread: string, { onEvent, onPast, signal }: Follower): Promise<void> {
  const state = chat.start()
  let seq = 0
  for await (const event of readEvents(agent.journal, thread)) {
    if (signal.aborted) return
    chat.apply(state, event)
    seq = event.seq
    onEvent(event, chat.view(state))
  }
  onPast(chat.view(state))
  for await (const event of agent.watch(thread, { from: seq + 1, nested: true, signal })) {
    if (signal.aborted) return
    if (!isSignal(event) && event.thread === thread) chat.apply(state, event)
    onEvent(event, chat.view(state))
  }
}
