/** The models that one model stands for. */
import { type ModelIdentity, modelId } from './model.ts'
import { idsBehind } from './vendor.ts'

/** The key under which such a model has their ids. Several copies of this package agree on it. */
const memberIds = Symbol.for('loom.memberIds')

/** What a model that stands for several has besides its name. */
interface Members {
  readonly [memberIds]?: readonly string[]
}

/** The ids of all models that may reply when this one is called: its own, or those that it stands for. */
export function memberIdsOf(model: ModelIdentity): readonly string[] {
  return (model as Members)[memberIds] ?? idsBehind(modelId(model))
}

/** The model, which stands for the models of these ids. A copy of it does, too. */
export function standingFor<M extends object>(model: M, ids: readonly string[]): M {
  return Object.defineProperty(model, memberIds, { value: ids, enumerable: true })
}
