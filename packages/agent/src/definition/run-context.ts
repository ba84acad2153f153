/** What code supplies to a run: dependencies, instructions, tools, the model. Behaviour, never facts about the past. */
import { type Frame, LoomError, type Run } from '@loom-agent/kernel'
import { type ModelObject, resolveModel } from '../model/model.ts'
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
export function resolveRun(definition: Definition, frame: Frame, given: { run: Run; overrides: RunOverrides }): RunContext | Promise<RunContext> {
  const { options, toolbox, host } = definition
  const { run, overrides } = given
  const metadata = (run.request.metadata ?? {}) as { readonly [key: string]: unknown }
  const place = { thread: frame.thread, metadata, frame }
  const own = overrides.tools === undefined ? toolbox : compileTools(overrides.tools)
  const isStatic = typeof options.deps !== 'function' && typeof options.instructions !== 'function' && own !== undefined
  const model = resolveModel(overrides.model ?? options.model, host.resolveModel)
  if (isStatic && !(model instanceof Promise)) {
    const deps = overrides.deps ?? options.deps
    checkDeps(run, deps)
    return { run: run.id, deps, metadata, instructions: (options.instructions as string | undefined) ?? '', toolbox: own, model }
  }
  return resolveLater(definition, { place, run, overrides, toolbox: own, model })
}

interface Unresolved {
  readonly place: Omit<Situation, 'deps'>
  readonly run: Run
  readonly overrides: RunOverrides
  readonly toolbox: Toolbox | undefined
  readonly model: ModelObject | Promise<ModelObject>
}

async function resolveLater(definition: Definition, { place, run, overrides, toolbox, model }: Unresolved): Promise<RunContext> {
  const { options } = definition
  const supplied: unknown =
    typeof options.deps === 'function'
      ? await (options.deps as (place: object) => unknown)({ thread: place.thread, metadata: place.metadata })
      : options.deps
  const deps = overrides.deps ?? supplied
  checkDeps(run, deps)
  const situation = { ...place, deps: deps as never }
  const { instructions = '', tools } = options
  return {
    run: run.id,
    deps,
    metadata: place.metadata,
    instructions: typeof instructions === 'function' ? await instructions(situation) : instructions,
    toolbox: toolbox ?? compileTools(typeof tools === 'function' ? ((await tools(situation)) as ToolSet<never>) : tools),
    model: await model,
  }
}

/** A run that was given dependencies cannot go on without them. */
export function checkDeps(run: Pick<Run, 'id' | 'request'>, deps: unknown): void {
  if (!run.request.needsDeps || deps !== undefined) return
  const advice = 'Give them again (resume(thread, { deps })), or make deps a function so that any process can resume.'
  throw new LoomError('LOOM_DEPS_MISSING', `The run ${run.id} was started with dependencies, and there are none now. ${advice}`, {
    context: { run: run.id },
  })
}
