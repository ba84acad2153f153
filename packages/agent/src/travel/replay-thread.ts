/** Replaying a thread of an agent with some of its options changed. */
import type { Frame, Journal, Run } from '@loom-agent/kernel'
import type { AssemblySource } from '../context/assemble.ts'
import type { Situation } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import type { Fork, ForkOptions } from '../fork/fork-types.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import { compileTools } from '../tool/toolbox.ts'
import { recordOf, replayEvents } from './replay.ts'
import type { Replayed, ReplayOptions } from './replay-types.ts'

/** The agent with the changed options, as far as a replay needs it. */
export interface Replayer {
  readonly definition: Definition
  fork(at: string, options: ForkOptions): Promise<Fork<unknown>>
}

/** Replays a thread; only `continue-live` writes anything, and that into a fork. */
export async function replayThread(
  replayer: Replayer,
  journal: Journal,
  { thread, mode, fork = {} }: ReplayOptions & { thread: string },
): Promise<Replayed<unknown>> {
  const { definition } = replayer
  const known = new Map<string, Promise<AssemblySource>>()
  const by = (frame: Frame, run: Run): Promise<AssemblySource> => {
    const context = known.get(run.id) ?? contextOf(definition, frame, run)
    known.set(run.id, context)
    return context
  }
  const live = mode === 'continue-live'
  const report = await replayEvents(recordOf(journal, thread), {
    thread,
    definition,
    by,
    mode: live ? 'stop-at-divergence' : (mode ?? 'continue-recorded'),
  })
  return live && report.divergence ? { ...report, fork: await replayer.fork(report.divergence.at, fork) } : report
}

/** What code supplies to an assembly. No model is resolved: none is asked. */
async function contextOf({ options, toolbox }: Definition, frame: Frame, run: Run): Promise<AssemblySource> {
  const metadata = (run.request.metadata ?? {}) as Situation['metadata']
  const place = { thread: frame.thread, metadata }
  const deps = (typeof options.deps === 'function' ? await (options.deps as (at: object) => unknown)(place) : options.deps) as never
  const situation = { ...place, deps, frame }
  const { instructions = '', tools } = options
  return {
    instructions: typeof instructions === 'function' ? await instructions(situation) : instructions,
    toolbox: toolbox ?? compileTools(typeof tools === 'function' ? ((await tools(situation)) as ToolSet<never>) : tools),
  }
}
