/** The methods of an agent for forks, replays and previews. They are loaded together, on use. */
import type { Message } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import { forkThread, planFork } from '../fork/fork.ts'
import type { Fork, ForkOptions, ForkPlan } from '../fork/fork-types.ts'
import { type Preview, previewOf } from '../run/preview.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { checkThread } from '../types/thread-id.ts'
import { checkReplay, type Replayer, replayThread } from './replay.ts'
import type { Replayed, ReplayOptions } from './replay-types.ts'

/** The methods for forks, replays and previews. */
export interface Travels {
  preview(messages: readonly Message[], options: RunOptions<never>): Promise<Preview>
  fork(at: string, options?: ForkOptions): Promise<Fork<unknown>>
  planFork(at: string, options?: ForkOptions): Promise<ForkPlan>
  replay(thread: string, options?: ReplayOptions): Promise<Replayed<unknown>>
  replayAll(threads: Iterable<string> | AsyncIterable<string>, options?: ReplayOptions): AsyncGenerator<Replayed<unknown>, void>
}

/** Makes the methods; `changed` makes the agent with other options. */
export function travelsOf(instance: AgentInstance, changed: (options: ReplayOptions) => Replayer): Travels {
  const { definition } = instance
  const { journal } = definition
  return {
    preview: (messages, given) => previewOf(instance, messages, given),
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
