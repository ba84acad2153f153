/** The limits of a run, from an agent, a run, a hook or an answer. */
import { defaultLoop, type JsonObject, type Limits, LoomError } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'

const limitKeys = ['turns', 'tokens', 'cost', 'time', 'depth', 'onReached', 'loop'] as const

/** No default of the framework is without a bound. */
export const defaultLimits: Limits = { turns: 50, depth: 5, time: 24 * 60 * 60 * 1000, loop: defaultLoop }

/** Refuses limits that are not valid. */
export function checkLimits(what: string, limits: Limits): void {
  checkOptions(`${what}.limits`, limits, limitKeys)
  for (const key of ['turns', 'tokens', 'cost', 'time', 'depth'] as const) {
    const value = limits[key]
    if (value === undefined || (Number.isFinite(value) && value >= 0)) continue
    throw new LoomError('LOOM_OPTION_INVALID', `${what}: limits.${key} is ${value}. Give a number that is not negative.`, {
      context: { what, key, value: String(value) },
    })
  }
}

/** Limits as they enter an event. JSON has no infinity: it becomes the largest safe integer. Throws what `agent()` would throw. */
export function toLimits(what: string, given: Limits): Limits & JsonObject {
  if (typeof given !== 'object' || given === null)
    throw new LoomError('LOOM_OPTION_INVALID', `${what}: limits must be an object of numbers.`, { context: { what } })
  const entries = Object.entries(given).map(([key, value]) => [key, value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value])
  const limits = Object.fromEntries(entries) as Limits
  checkLimits(what, limits)
  return toJson(limits) as Limits & JsonObject
}
