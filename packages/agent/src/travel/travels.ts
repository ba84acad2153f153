/** The methods of an agent for forks and replays. Their code and the checks of their options are loaded on use. */
import type { Fork, ForkOptions, ForkPlan } from '../fork/fork-types.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { checkThread } from '../types/thread-id.ts'
import type { Replayer } from './replay.ts'
import type { Replayed, ReplayOptions } from './replay-types.ts'

/** The methods for forks and replays. */
export interface Travels {
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
    async fork(at: string, given: ForkOptions = {}) {
      const { forkThread } = await import('../fork/fork.ts')
      return forkThread(instance, at, given) as Promise<Fork<unknown>>
    },
    async planFork(at: string, given: ForkOptions = {}) {
      const { planFork } = await import('../fork/fork.ts')
      return planFork(instance, at, given)
    },
    async replay(thread: string, given: ReplayOptions = {}) {
      checkThread(thread)
      const { checkReplay, replayThread } = await import('./replay.ts')
      checkReplay(definition, given)
      return replayThread(changed(given), journal, { ...given, thread }) as Promise<Replayed<unknown>>
    },
    async *replayAll(threads: Iterable<string> | AsyncIterable<string>, given: ReplayOptions = {}) {
      const { checkReplay, replayThread } = await import('./replay.ts')
      checkReplay(definition, given)
      const replayer = changed(given)
      for await (const thread of threads) yield (await replayThread(replayer, journal, { ...given, thread })) as Replayed<unknown>
    },
  }
}
