/** Numbers among options. */
import { LoomError } from '@loom-agent/kernel'

/** The range of a number. */
export interface Bounds {
  readonly min: number
  readonly max?: number
  readonly required?: true
}

/** Refuses numbers outside their bounds. */
export function checkNumbers(what: string, options: object, bounds: { readonly [name: string]: Bounds }): void {
  for (const [name, { min, max = Number.POSITIVE_INFINITY, required }] of Object.entries(bounds)) {
    const value = (options as { readonly [name: string]: unknown })[name]
    if ((value === undefined && !required) || (typeof value === 'number' && value >= min && value <= max)) continue
    const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`
    throw new LoomError('LOOM_OPTION_INVALID', `${what}: ${name} is ${String(value)}. Give a number ${range}.`, { context: { what, name } })
  }
}
