/** What code supplies to a run: dependencies, instructions, tools, the model. Behaviour, never facts about the past. */
import { type Frame, LoomError, type Run } from '@loom-agent/kernel'
import type { LayerText } from '../context/layers.ts'
import { type ModelObject, resolveModel } from '../model/model.ts'
import { ignore } from '../platform/call-user.ts'
import { chain } from '../platform/chain.ts'
import { listReadMore } from '../tool/read-more-listing.ts'
import { compileTools, type Toolbox } from '../tool/toolbox.ts'
import type { Situation } from './agent-options.ts'
import type { Definition, ErasedOptions } from './definition.ts'
import type { ModelSource } from './fork-model.ts'

/** The code side of one run, resolved once per driver. */
export interface RunContext {
  readonly run: string
  readonly deps: unknown
  readonly metadata: { readonly [key: string]: unknown }
  readonly instructions: string
  /** What stands in the system text behind the instructions; absent: nothing. */
  readonly layers?: readonly LayerText[]
  readonly toolbox: Toolbox
  readonly model: ModelObject
}

/** A run, and what it may have its code from. */
export interface RunSource extends ModelSource {
  readonly run: Run
  /** The dependencies of the run above, where this is a child. */
  readonly inheritedDeps?: unknown
}

/** Resolves what code supplies to a run; at once where nothing has to be waited for. */
export function resolveRun(definition: Definition, frame: Frame, source: RunSource): RunContext | Promise<RunContext> {
  return chain(supplied(definition, frame, source), (context) => {
    const layers = layersFor(definition.options.layers, context.toolbox)
    return layers ? layers.then((made) => ({ ...context, layers: made })) : context
  })
}

/** The layers behind the instructions; undefined where there are none. Loaded on use: most agents have instructions alone. */
export function layersFor(options: ErasedOptions['layers'], { brought }: Toolbox): Promise<readonly LayerText[]> | undefined {
  if (options === undefined && brought.length === 0) return undefined
  return import('./system-layers.ts').then(({ makeLayers }) => makeLayers(options ?? {}, brought))
}

function supplied(definition: Definition, frame: Frame, source: RunSource): RunContext | Promise<RunContext> {
  const { run, overrides, inheritedDeps } = source
  const { options } = definition
  const ownDeps: unknown = options.deps ?? inheritedDeps
  const { instructions = '' } = options
  const metadata = (run.request.metadata ?? {}) as Situation['metadata']
  const given = overrides.tools === undefined ? definition.toolbox : compileTools(overrides.tools)
  const toolbox = given && listReadMore(given, definition.readMore)
  const model = modelFor(definition, frame, source)
  const supply = (own: unknown): Pick<RunContext, 'run' | 'deps' | 'metadata'> => {
    const deps = overrides.deps ?? own
    checkDeps(run, deps)
    return { run: run.id, deps, metadata }
  }
  if (
    typeof options.deps !== 'function' &&
    typeof instructions === 'string' &&
    toolbox &&
    !(toolbox instanceof Promise) &&
    !(model instanceof Promise)
  ) {
    return { ...supply(ownDeps), instructions, toolbox, model }
  }
  // The functions before it may fail, and then nothing waits for the model.
  ignore(model)
  // Loaded on use: most agents have no functions to ask.
  return import('./ask-functions.ts').then(({ askFunctions }) => askFunctions(definition, frame, { supply, ownDeps, toolbox, model, metadata }))
}

/** The model of a run: the one that the caller gave, that of the fork which the thread is, or the agent's own. */
function modelFor(definition: Definition, { fork, thread }: Frame, source: RunSource): ModelObject | Promise<ModelObject> {
  const { options, host } = definition
  if (fork?.model === undefined) return resolveModel(source.overrides.model ?? options.model, host.resolveModel)
  const made = { thread, model: fork.model }
  return forkModels
    ? forkModels.modelOfFork(definition, made, source)
    : loadForkModels().then(({ modelOfFork }) => modelOfFork(definition, made, source))
}

let forkModels: typeof import('./fork-model.ts') | undefined

/** Loads how the model of a fork is found. Loaded on use: most threads are no forks with a model of their own. */
export async function loadForkModels(): Promise<typeof import('./fork-model.ts')> {
  forkModels ??= await import('./fork-model.ts')
  return forkModels
}

/** A run that was given dependencies cannot go on without them. */
export function checkDeps(run: Pick<Run, 'id' | 'request'>, deps: unknown): void {
  if (!run.request.needsDeps || deps !== undefined) return
  const advice = 'Give them again (resume(thread, { deps }), or with: { deps } for a replay), or make deps a function so that any process can resume.'
  throw new LoomError('LOOM_DEPS_MISSING', `The run ${run.id} was started with dependencies, and there are none now. ${advice}`, {
    context: { run: run.id },
  })
}
