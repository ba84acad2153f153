/** The model that a fork goes on with. */
import { type Frame, isOver, LoomError } from '@loom-agent/kernel'
import { type ModelObject, modelId, resolveModel } from '../model/model.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import type { RunOverrides } from './agent-options.ts'
import type { Definition } from './definition.ts'

/** What this process may have the model from: what the caller gave for the run, and the models that forks were made with here, by their ids. */
export interface ModelSource {
  readonly overrides: RunOverrides
  readonly models?: ReadonlyMap<string, ModelObject>
}

/** Throws when this process cannot resolve the model that a fork goes on with: then it must not acquire the thread. */
export async function requireForkModel(definition: Definition, frame: Frame, source: ModelSource): Promise<void> {
  const { fork, run } = frame
  if (fork?.model === undefined || !run || (isOver(run) && run.status !== 'failed')) return
  await modelOfFork(definition, { thread: frame.thread, model: fork.model }, source)
}

/** The model of a fork's run: the one that the caller gave, or the one that the fork was made with. */
export function modelOfFork(
  { options, host }: Definition,
  { thread, model: id }: { readonly thread: string; readonly model: string },
  { overrides, models }: ModelSource,
): ModelObject | Promise<ModelObject> {
  if (overrides.model !== undefined) return resolveModel(overrides.model, host.resolveModel)
  const own = options.model !== undefined && modelId(options.model) === id ? options.model : undefined
  const given = models?.get(id) ?? own
  if (typeof given === 'object') return given
  const unresolved = (cause?: unknown): never => {
    const why = cause === undefined ? '' : `${toSentence(messageOf(cause))} `
    const message = `The fork ${thread} goes on with the model ${id}, which this process does not have. ${why}Give it: resume('${thread}', { model }).`
    throw new LoomError('LOOM_MODEL_UNRESOLVED', message, { cause, context: { thread, model: id } })
  }
  if (!host.resolveModel) return unresolved()
  try {
    const resolved = resolveModel(id, host.resolveModel)
    return resolved instanceof Promise ? resolved.catch(unresolved) : resolved
  } catch (error) {
    return unresolved(error)
  }
}
