/** Limits that a program gives while a run is under way: from a hook, with an answer. */
import { type JsonObject, type Limits, LoomError } from '@loom-agent/kernel'
import { checkLimits } from './definition.ts'
import { toJson } from './platform/normalize.ts'

/** Limits as they enter an event. JSON has no infinity: no limit is one that nobody reaches. Throws what `agent()` would throw. */
export function toLimits(what: string, given: Limits): Limits & JsonObject {
  if (typeof given !== 'object' || given === null) throw new LoomError('LOOM_OPTION_INVALID', `${what}: limits must be an object of numbers.`)
  const entries = Object.entries(given).map(([key, value]) => [key, value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value])
  const limits = Object.fromEntries(entries) as Limits
  checkLimits(what, limits)
  return toJson(limits) as Limits & JsonObject
}
