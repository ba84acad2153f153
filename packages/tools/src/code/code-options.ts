/** The options of the tools for code. */
import { checkOptions, type Expected, expected } from '@loom-agent/agent/kit'
import type { GuestLimits } from '../sandbox/run-guest.ts'

/** The options of `codeTools()`. */
export interface CodeToolsOptions {
  /** Milliseconds that code may compute; default 5,000. */
  readonly timeout?: number
  /** Bytes of memory that code may use; default 64 MiB. */
  readonly memory?: number
  /** Characters that code may print, and that its result may have; default 4,500, so that both fit into one result. */
  readonly maxOutput?: number
}

const codeShape: Readonly<Record<keyof CodeToolsOptions, Expected>> = {
  timeout: expected.whole(1),
  memory: { words: 'a whole number from 1048576 to 1073741824', fits: (value) => isWithin(value, 2 ** 20, 2 ** 30) },
  maxOutput: { words: 'a whole number from 1 to 1000000', fits: (value) => isWithin(value, 1, 1_000_000) },
}

const isWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && least <= Number(value) && Number(value) <= most

/** The limits, checked. */
export function limitsOf(options: CodeToolsOptions): GuestLimits {
  checkOptions('codeTools', options, codeShape)
  const { timeout = 5_000, memory = 64 * 1024 * 1024, maxOutput = 4_500 } = options
  return { time: timeout, memory, room: maxOutput }
}

/** Characters that code may have. */
export const longestCode = 100_000

/** How code is described to models. */
export const codeWords =
  'JavaScript, the body of an async function of input: return gives the result, which must be JSON. It has the language and console, and nothing else: no network, no files, no timers, no imports.'
