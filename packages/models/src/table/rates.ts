/** Prices as vendors publish them: dollars for a million tokens. */
import type { Rates } from './model-info.ts'

/** Dollars for a million tokens of input, of output, read from a cache, and written to a cache. */
export type Dollars = readonly [input: number, output: number, cacheRead?: number, cacheWrite?: number]

const inMicros = (dollars: number): number => Math.round(dollars * 1_000_000)

/** Dollars as rates, which are integers. */
export function ratesOf([input, output, cacheRead, cacheWrite]: Dollars): Rates {
  return {
    input: inMicros(input),
    output: inMicros(output),
    ...(cacheRead !== undefined && { cacheRead: inMicros(cacheRead) }),
    ...(cacheWrite !== undefined && { cacheWrite: inMicros(cacheWrite) }),
  }
}
