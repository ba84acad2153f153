/** The methods of an agent for forks, replays, previews and messages. They are loaded together, on use. */
import { items, type Message } from '@loom-agent/kernel'
import { createRenderer } from '../context/render.ts'
import { forkThread, planFork } from '../fork/fork.ts'
import type { ErasedFork, ErasedRewound, ForkOptions, ForkPlan, RewindOptions, RewindPlan } from '../fork/fork-types.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { UserMessages } from '../types/input.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { type Preview, type PreviewOptions, previewOf } from './preview.ts'
import { checkReplay, replayThread } from './replay.ts'
import { checkReplayAll, type ReplayAllOptions, type ReplayedThread, replaySelection, selectThreads, type ThreadSelection } from './replay-all.ts'
import type { ErasedReplayed, ReplayOptions } from './replay-types.ts'

/** The methods for forks, replays, previews and messages. */
export interface Travels {
  preview(messages: readonly Message[], options: PreviewOptions<never>): Promise<Preview>
  messages(thread: string): Promise<UserMessages>
  fork(at: string, options?: ForkOptions): Promise<ErasedFork>
  planFork(at: string, options?: ForkOptions): Promise<ForkPlan>
  rewind(at: string, options?: RewindOptions): Promise<ErasedRewound>
  planRewind(at: string, options?: RewindOptions): Promise<RewindPlan>
  replay(thread: string, options?: ReplayOptions<never>): Promise<ErasedReplayed>
  replayAll<Verdict>(
    threads: ThreadSelection,
    options?: ReplayAllOptions<Verdict, never>,
  ): AsyncGenerator<ReplayedThread<unknown, Verdict, never, true>, void>
}

/** Makes the methods. */
export function travelsOf(instance: AgentInstance, withOptions: (options?: object) => AgentInstance): Travels {
  const { definition } = instance
  return {
    preview: (messages, given) => previewOf(instance, messages, given),
    messages: (thread) => messagesOf(instance, thread),
    fork: (at, given = {}) => forkThread(instance, at, given),
    planFork: (at, given = {}) => planFork(instance, at, given),
    rewind: async (at, given = {}) => (await loadRewind()).rewindThread(instance, at, given),
    planRewind: async (at, given = {}) => (await loadRewind()).planRewind(instance, at, given),
    async replay(thread, given = {}) {
      checkThread(thread)
      checkReplay(definition, given)
      return replayThread(withOptions(given.with), thread, given)
    },
    async *replayAll<Verdict>(threads: ThreadSelection, given: ReplayAllOptions<Verdict, never> = {}) {
      checkReplayAll(definition.name, given)
      const selected = await selectThreads(instance.runtime.journal, definition.name, threads)
      const replaying = withOptions(given.with)
      // Nobody is there to be asked about every call of every thread.
      const asked: ReplayOptions<never> = { ...given, fork: { effects: 'recorded', ...given.fork } }
      const replayOne = (thread: string): Promise<ErasedReplayed> => replayThread(replaying, thread, asked)
      yield* replaySelection(selected, replayOne, given) as AsyncGenerator<ReplayedThread<unknown, Verdict, never, true>, void>
    },
  }
}

/** Loaded on use: most agents have no workspace. */
const loadRewind = (): Promise<typeof import('../fork/rewind.ts')> => import('../fork/rewind.ts')

async function messagesOf({ runtime }: AgentInstance, thread: string): Promise<UserMessages> {
  checkThread(thread)
  const { frame } = await runtime.threads.load(thread)
  if (frame.seq === 0) throw threadNotFound(thread)
  const renderer = createRenderer('v4')
  return [...items(frame.history)].flatMap((entry) => (renderer.render(entry) as UserMessages[number] | undefined) ?? [])
}
