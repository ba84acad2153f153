/** The state of a chat under way, and how it changes: everything that is shown goes through here. */
import { isLoomError } from '@loom-agent/kernel'
import { type Line, line } from '../screen/line.ts'
import type { View } from '../screen/view.ts'
import type { Action, ChatState, Step } from './chat-state.ts'
import { quiet } from './on-key.ts'

/** The state of a chat, and how it changes. */
export interface ChatCore {
  now(): number
  state(): ChatState
  /** Takes another state, and shows lines above the block. */
  change(state: ChatState, lines?: readonly Line[]): void
  /** Takes a step, and has done what it asks for. */
  take(step: Step): void
  /** Shows what went wrong. */
  report(error: unknown): void
  /** Changes nothing by time any more. */
  end(): void
}

/** What the core of a chat needs. */
export interface CoreOptions {
  readonly now: () => number
  readonly perform: (action: Action) => Promise<void>
}

/** Creates the core of a chat, and the view of its states. */
export function createCore(
  first: ChatState,
  viewOf: (state: () => ChatState) => View,
  { now, perform }: CoreOptions,
): ChatCore & { readonly view: View } {
  let state = first
  let wake: NodeJS.Timeout | undefined
  const view = viewOf(() => state)
  const core: ChatCore = {
    now,
    state: () => state,
    change: (next, lines = []) => {
      state = next
      view.add(lines)
      view.refresh()
      clearTimeout(wake)
      const wait = nextChange(state, now())
      if (wait !== undefined) wake = setTimeout(() => core.change({ ...state, now: now() }), wait)
    },
    take: ({ state: next, lines, actions }) => {
      core.change(next, lines)
      for (const action of actions) perform(action).catch(core.report)
    },
    report: (error) => {
      const words = error instanceof Error ? error.message : String(error)
      core.change(state, [[], line(`✖ ${isLoomError(error) ? `${error.code} ` : ''}${words}`, 'red')])
    },
    end: () => clearTimeout(wake),
  }
  return { ...core, view }
}

/** When the block looks different by time alone; `undefined` when it does not. */
function nextChange({ status, questions: open, quietSince, now: shown, since }: ChatState, now: number): number | undefined {
  if (open.length > 0 && shown - quietSince < quiet) return Math.max(1, quietSince + quiet - now)
  const isTimed = status === 'working' || status === 'stopping' || (status === 'waiting' && open.length === 0)
  return isTimed ? 1_000 - (Math.max(0, now - since) % 1_000) : undefined
}
