/** What code supplies to a run: dependencies, instructions, tools, the model. Behaviour, never facts about the past. */
import { type Frame, isOver, LoomError, type Run } from '@loom-agent/kernel'
import { type ModelObject, modelId, resolveModel } from '../model/model.ts'
import { expected } from '../platform/expected.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
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

/** A run, what the caller gave for it in this process, and the models that forks were made with here, by their ids. */
export interface RunSource {
  readonly run: Run
  readonly overrides: RunOverrides
  readonly models?: ReadonlyMap<string, ModelObject>
  /** The dependencies of the run above, where this is a child. */
  readonly inheritedDeps?: unknown
}

/** Resolves what code supplies to a run; at once where nothing has to be waited for. */
export function resolveRun(definition: Definition, frame: Frame, source: RunSource): RunContext | Promise<RunContext> {
  const { run, overrides, inheritedDeps } = source
  const { options } = definition
  const ownDeps: unknown = options.deps ?? inheritedDeps
  const { instructions = '', tools } = options
  const metadata = (run.request.metadata ?? {}) as Situation['metadata']
  const toolbox = overrides.tools === undefined ? definition.toolbox : compileTools(overrides.tools)
  const model = modelFor(definition, frame, source)
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

/** Throws when this process cannot resolve the model that a fork goes on with: then it must not acquire the thread. */
export async function requireForkModel(definition: Definition, frame: Frame, source: Pick<RunSource, 'overrides' | 'models'>): Promise<void> {
  const { fork, run } = frame
  if (fork?.model === undefined || !run || (isOver(run) && run.status !== 'failed')) return
  await modelFor(definition, frame, source)
}

/** The model of a run: the one that the caller gave, that of the fork which the thread is, or the agent's own. */
function modelFor(
  { options, host }: Definition,
  { fork, thread }: Frame,
  { overrides, models }: Pick<RunSource, 'overrides' | 'models'>,
): ModelObject | Promise<ModelObject> {
  const id = overrides.model === undefined ? fork?.model : undefined
  if (id === undefined) return resolveModel(overrides.model ?? options.model, host.resolveModel)
  const own = options.model !== undefined && modelId(options.model) === id ? options.model : undefined
  const given = models?.get(id) ?? own
  if (typeof given === 'object') return given
  const unresolved = (cause?: unknown): never => {
    const why = cause === undefined ? '' : `${toSentence(messageOf(cause))} `
    const message = `The fork ${thread} goes on with the model ${id}, which this process does not have. ${why}Give it: resume('${thread}', { model }).`
    throw new LoomError('LOOM_MODEL_UNRESOLVED', message, {
      cause,
      context: { thread, model: id },
    })
  }
  if (!host.resolveModel) return unresolved()
  try {
    const resolved = resolveModel(id, host.resolveModel)
    return resolved instanceof Promise ? resolved.catch(unresolved) : resolved
  } catch (error) {
    return unresolved(error)
  }
}

/** A run that was given dependencies cannot go on without them. */
export function checkDeps(run: Pick<Run, 'id' | 'request'>, deps: unknown): void {
  if (!run.request.needsDeps || deps !== undefined) return
  const advice = 'Give them again (resume(thread, { deps }), or with: { deps } for a replay), or make deps a function so that any process can resume.'
  throw new LoomError('LOOM_DEPS_MISSING', `The run ${run.id} was started with dependencies, and there are none now. ${advice}`, {
    context: { run: run.id },
  })
}
