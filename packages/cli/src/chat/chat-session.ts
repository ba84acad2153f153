/** A chat under way: keys, events and time change its state, and what they ask for is done. */
import type { Agent } from '@loom-agent/agent'
import { styleOf } from '../output/style.ts'
import type { Terminal } from '../platform/terminal.ts'
import type { Line } from '../screen/line.ts'
import { openTty } from '../screen/tty.ts'
import { createTyping } from '../screen/typing.ts'
import { createView } from '../screen/view.ts'
import { blockOf } from './block.ts'
import { createCore } from './chat-core.ts'
import { type Action, type ChatBeginning, type ChatState, chatOf } from './chat-state.ts'
import { type ChatThread, createChatThread } from './chat-thread.ts'
import { onKey } from './on-key.ts'

/** What actions can do with the chat. */
export interface ChatSession {
  readonly agent: Agent
  /** The folder in which the chat was started. */
  readonly folder: string
  /** Who answers. */
  readonly by: string | undefined
  now(): number
  state(): ChatState
  /** Takes another state, and shows lines above the block. */
  take(state: ChatState, lines?: readonly Line[]): void
  /** Goes on with another thread; `undefined` begins a new one with the next message. */
  readonly turnTo: ChatThread['turnTo']
  /** Ends the chat. */
  quit(code: number): void
}

/** Performs what a step asks for. */
export type Perform = (session: ChatSession, action: Exclude<Action, { kind: 'look for questions' }>) => Promise<void>

/** How a chat is run. */
export interface ChatOptions {
  readonly agent: Agent
  readonly beginning: Omit<ChatBeginning, 'size' | 'now' | 'agent'>
  /** What is said first. */
  readonly greeting: readonly Line[]
  readonly perform: Perform
  /** Called when the chat has begun. */
  readonly onBegin: (session: ChatSession) => Promise<void>
}

/** How a chat ended. */
export interface ChatEnd {
  readonly code: number
  readonly thread: string | undefined
}

/** Runs a chat in the terminal of this process until it ends. */
export async function runChat(terminal: Terminal, options: ChatOptions): Promise<ChatEnd> {
  const { agent, beginning } = options
  const { promise: ended, resolve: quit } = Promise.withResolvers<number>()
  const now = (): number => terminal.now()
  const typing = createTyping((keys) => {
    for (const key of keys) core.take(onKey(core.state(), key, now()))
  })
  const tty = openTty({ onInput: typing.take, onResize: () => core.change({ ...core.state(), size: tty.size() }), onEnd: () => quit(129) })
  const perform = (action: Action): Promise<void> =>
    action.kind === 'look for questions' ? thread.lookForQuestions() : options.perform(session, action)
  const first = chatOf({ ...beginning, agent: agent.name, size: tty.size(), now: now() })
  const core = createCore(first, (state) => createView(tty, styleOf(terminal), () => blockOf(state())), { now, perform })
  const thread = createChatThread(agent, core)
  const by = terminal.env['USER'] ?? terminal.env['USERNAME']
  const session: ChatSession = { agent, folder: terminal.cwd, by, now, state: core.state, take: core.change, turnTo: thread.turnTo, quit }
  for (const [name, code] of endings) process.once(name, () => quit(code))
  core.change(first, options.greeting)
  options.onBegin(session).catch(core.report)
  const code = await ended
  for (const part of [thread, typing, core]) part.end()
  core.view.close()
  tty.close()
  return { code, thread: core.state().thread }
}

const endings = [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const
