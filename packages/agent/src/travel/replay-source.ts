/** What code supplies to the assemblies of a replay. */
import { type Frame, isLoomError, LoomError, type Run, type ToolSpec } from '@loom-agent/kernel'
import type { AssemblySource } from '../context/assembly.ts'
import type { Situation } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import { layersFor } from '../definition/run-context.ts'
import { callUser } from '../platform/call-user.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import { compileTools } from '../tool/toolbox.ts'
import { specsAs } from './recorded-specs.ts'

/** The run whose assemblies are made anew, and the tools that its record lists. */
interface ReplayedRun {
  readonly run: Run
  readonly listed: readonly ToolSpec[]
}

/** What code supplies to an assembly. No model is resolved: none is asked. */
export async function sourceOf({ options, toolbox }: Definition, frame: Frame, { run, listed }: ReplayedRun): Promise<AssemblySource> {
  const metadata = (run.request.metadata ?? {}) as Situation['metadata']
  const place = { thread: frame.thread, metadata }
  const { deps: given } = options
  const deps: unknown = typeof given === 'function' ? await callUser(() => (given as (at: object) => unknown)(place)) : given
  const situation = {
    ...place,
    frame,
    // Most instructions do without: only those that look at dependencies miss them.
    get deps() {
      if (deps === undefined && run.request.needsDeps) throw depsMissing(frame, run)
      return deps as never
    },
  }
  const { instructions = '', tools } = options
  try {
    const box = toolbox ?? compileTools(typeof tools === 'function' ? ((await callUser(() => tools(situation))) as ToolSet<never>) : tools)
    const layers = await layersFor(options.layers, box)
    return {
      get deps() {
        return situation.deps
      },
      instructions: typeof instructions === 'function' ? await callUser(() => instructions(situation)) : instructions,
      toolbox: { specs: specsAs(box, listed), ...(box.searched && { searched: box.searched }), brought: box.brought },
      ...(layers && { layers }),
    }
  } catch (error) {
    // The record of a child does not say whether its parent gave it dependencies.
    throw frame.parent && deps === undefined && !isLoomError(error) ? depsMissing(frame, run, error) : error
  }
}

function depsMissing({ thread, parent }: Frame, { id }: Run, cause?: unknown): LoomError {
  const failed = `The instructions or the tools of the agent threw: ${toSentence(messageOf(cause))} ${thread} is a child of ${parent?.thread}, whose deps it may need.`
  const looked = `The instructions or the tools of the agent look at deps. The run ${id} was started with dependencies, and there are none now.`
  const message = `${parent ? failed : looked} Give them: with: { deps }.`
  return new LoomError('LOOM_DEPS_MISSING', message, { cause, context: { thread, run: id } })
}
