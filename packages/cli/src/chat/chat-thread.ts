/** The thread of a chat: follows it, its questions and its model, and turns to another one. */
import { type Agent, questions, type RunEvent } from '@loom-agent/agent'
import type { ChatItem } from '@loom-agent/telemetry'
import { type Line, line } from '../screen/line.ts'
import type { ChatCore } from './chat-core.ts'
import { withoutThread } from './chat-state.ts'
import { followThread } from './follow-thread.ts'
import { itemLines } from './item-lines.ts'
import { onEvent } from './on-event.ts'
import { questionLines } from './question-lines.ts'

/** The thread of a chat. */
export interface ChatThread {
  /** Goes on with a thread, and resolves when its past has been read; `undefined` begins a new one with the next message. */
  turnTo(thread: string | undefined, options?: { readonly isNew?: boolean }): Promise<void>
  /** Looks for open questions, and shows those that are new, whole, above the block. */
  lookForQuestions(): Promise<void>
  /** Follows nothing any more. */
  end(): void
}

/** Things of the past that are shown when a chat goes on with a thread. */
const shownPast = 12

/** Creates the thread of a chat, which has none yet. */
export function createChatThread(agent: Agent, core: ChatCore): ChatThread {
  let following = new AbortController()
  let seen = new Set<string>()
  let learned: string | undefined

  const lookForQuestions = async (): Promise<void> => {
    const { thread } = core.state()
    if (thread === undefined) return
    const open = await questions(agent.journal, { thread })
    const state = core.state()
    if (state.thread !== thread) return
    const fresh = open.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    const now = core.now()
    const isAnother = open[0]?.id !== state.questions[0]?.id
    const lines = fresh.flatMap((one) => questionLines(one, now))
    core.change({ ...state, questions: open, ...(isAnother && { quietSince: now, now }) }, lines)
  }

  /** How much the model can be shown, where that is known. */
  const learnWindow = async (model: string | undefined): Promise<void> => {
    if (model === undefined || model === learned) return
    learned = model
    const { modelTable } = await import('@loom-agent/models')
    const known = Object.hasOwn(modelTable, model) ? modelTable[model]?.contextWindow : undefined
    const { window: _window, ...rest } = core.state()
    core.change(known === undefined ? rest : { ...rest, window: known })
  }

  const read = (thread: string, isNew: boolean): Promise<void> => {
    const { promise: isRead, resolve, reject } = Promise.withResolvers<void>()
    let isPast = !isNew
    const onPast = (items: readonly ChatItem[]): void => {
      if (isPast) core.change(core.state(), pastLines(items, thread))
      isPast = false
      lookForQuestions().catch(core.report)
      resolve()
    }
    const take = (event: RunEvent, items: readonly ChatItem[]): void => {
      const { state, lines, actions } = onEvent({ ...core.state(), now: core.now() }, event, items)
      core.take({ state, lines: isPast ? [] : lines, actions: isPast ? [] : actions })
      learnWindow(state.model).catch(core.report)
    }
    const { signal } = following
    followThread(agent, thread, { onEvent: take, onPast, signal }).catch((error: unknown) => (isPast ? reject(error) : core.report(error)))
    return isRead
  }

  return {
    lookForQuestions,
    turnTo: async (thread, { isNew = false } = {}) => {
      following.abort()
      following = new AbortController()
      seen = new Set()
      learned = undefined
      const state = withoutThread(core.state())
      core.change(thread === undefined ? state : { ...state, thread })
      if (thread !== undefined) await read(thread, isNew)
    },
    end: () => following.abort(),
  }
}

/** The latest of what was said, when a chat goes on with a thread. */
function pastLines(items: readonly ChatItem[], thread: string): readonly Line[] {
  // That a call was approved is said by its result.
  const told = items.filter((item) => item.kind !== 'question' || item.call === undefined)
  const left = told.length - shownPast
  const shown = told.slice(-shownPast).flatMap(itemLines)
  return left > 0 ? [line(`  … ${left} earlier: loom show ${thread}`, 'faint'), ...shown] : shown
}
