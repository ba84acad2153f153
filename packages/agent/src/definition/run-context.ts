/** What code supplies to a run: dependencies, instructions, tools, the model. Behaviour, never facts about the past. */
import { type Frame, LoomError, type Run } from '@loom-agent/kernel'
import { type ModelObject, resolveModel } from '../model/model.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import { compileTools, type Toolbox } from '../tool/toolbox.ts'
import type { RunOverrides, Situation } from './agent-options.ts'
import type { Definition } from './definition.ts'

/** The code side of one run, resolved once per driver. */
export interface RunContext {
  readonly run: string
  readonly deps: unknown
  readonly metadata: { readonly [key: string]: unknown }
  readonly instructions: string
  readonly toolbox: Toolbox
  readonly model: ModelObject
}

/** Resolves what code supplies to a run; at once where nothing has to be waited for. */
export function resolveRun(
  definition: Definition,
  frame: Frame,
  { run, overrides, inheritedDeps }: { run: Run; overrides: RunOverrides; inheritedDeps?: unknown },
): RunContext | Promise<RunContext> {
  const { options, host } = definition
  const ownDeps: unknown = options.deps ?? inheritedDeps
  const { instructions = '', tools } = options
  const metadata = (run.request.metadata ?? {}) as Situation['metadata']
  const toolbox = overrides.tools === undefined ? definition.toolbox : compileTools(overrides.tools)
  const model = resolveModel(overrides.model ?? options.model, host.resolveModel)
  const supply = (own: unknown): { run: string; deps: unknown; metadata: Situation['metadata'] } => {
    const deps = overrides.deps ?? own
    checkDeps(run, deps)
    return { run: run.id, deps, metadata }
  }
  if (typeof options.deps !== 'function' && typeof instructions === 'string' && toolbox && !(model instanceof Promise)) {
    return { ...supply(ownDeps), instructions, toolbox, model }
  }
  const resolve = async (): Promise<RunContext> => {
    const { thread } = frame
    const supplied = supply(typeof options.deps === 'function' ? await options.deps({ thread, metadata }) : ownDeps)
    const situation = { thread, metadata, frame, deps: supplied.deps as never }
    const system = typeof instructions === 'function' ? await instructions(situation) : instructions
    checkOptions(`agent ${definition.name}`, { instructions: system }, { instructions: expected.required(expected.text) })
    return {
      ...supplied,
      instructions: system,
      toolbox: toolbox ?? compileTools(typeof tools === 'function' ? ((await tools(situation)) as ToolSet<never>) : tools),
      model: await model,
    }
  }
  return resolve()
}

/** A run that was given dependencies cannot go on without them. */
export function checkDeps(run: Pick<Run, 'id' | 'request'>, deps: unknown): void {
  if (!run.request.needsDeps || deps !== undefined) return
  const advice = 'Give them again (resume(thread, { deps })), or make deps a function so that any process can resume.'
  throw new LoomError('LOOM_DEPS_MISSING', `The run ${run.id} was started with dependencies, and there are none now. ${advice}`, {
    context: { run: run.id },
  })
}
