/** The methods of an agent for forks, replays, previews and messages. They are loaded together, on use. */
import { items, type Message } from '@loom-agent/kernel'
import { createRenderer } from '../context/render.ts'
import { definitionOf } from '../definition/agent-definition.ts'
import type { RunOptions } from '../definition/agent-options.ts'
import { forkThread, planFork } from '../fork/fork.ts'
import type { Fork, ForkOptions, ForkPlan } from '../fork/fork-types.ts'
import { type Preview, previewOf } from '../run/preview.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { AnyAgent } from '../types/any-agent.ts'
import type { UserMessages } from '../types/input.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { checkReplay, type Replayer, replayThread } from './replay.ts'
import type { Replayed, ReplayOptions } from './replay-types.ts'

/** The methods for forks, replays, previews and messages. */
export interface Travels {
  preview(messages: readonly Message[], options: RunOptions<never>): Promise<Preview>
  messages(thread: string): Promise<UserMessages>
  fork(at: string, options?: ForkOptions): Promise<Fork<unknown>>
  planFork(at: string, options?: ForkOptions): Promise<ForkPlan>
  replay(thread: string, options?: ReplayOptions): Promise<Replayed<unknown>>
  replayAll(threads: Iterable<string> | AsyncIterable<string>, options?: ReplayOptions): AsyncGenerator<Replayed<unknown>, void>
}

/** Makes the agent with other options. */
export type Remade = (options?: object) => AnyAgent & Pick<Replayer, 'fork'>

/** Makes the methods. */
export function travelsOf(instance: AgentInstance, remade: Remade): Travels {
  const { definition } = instance
  const { journal } = definition
  const changed = ({ with: options }: ReplayOptions): Replayer => {
    const agent = remade(options)
    return { definition: definitionOf(agent), fork: agent.fork }
  }
  return {
    preview: (messages, given) => previewOf(instance, messages, given),
    messages: (thread) => messagesOf(instance, thread),
    fork: (at, given = {}) => forkThread(instance, at, given),
    planFork: (at, given = {}) => planFork(instance, at, given),
    async replay(thread, given = {}) {
      checkThread(thread)
      checkReplay(definition, given)
      return replayThread(changed(given), journal, { ...given, thread })
    },
    async *replayAll(threads, given = {}) {
      checkReplay(definition, given)
      const replayer = changed(given)
      for await (const thread of threads) yield await replayThread(replayer, journal, { ...given, thread })
    },
  }
}

async function messagesOf({ runtime }: AgentInstance, thread: string): Promise<UserMessages> {
  checkThread(thread)
  const { frame } = await runtime.threads.load(thread)
  if (frame.seq === 0) throw threadNotFound(thread)
  const renderer = createRenderer('v4')
  return [...items(frame.history)].flatMap((entry) => (renderer.render(entry) as UserMessages[number] | undefined) ?? [])
}
