/** What a process is doing when it is killed. */

/** The bits that a process reports: several at once, since calls run in parallel. */
export const bits = { opening: 1, append: 2, asked: 4, done: 8, model: 16, started: 32, over: 64 } as const

/** One of the bits. */
export type Bit = keyof typeof bits

/** The rows of the table of kills. */
export const phases = [
  'inside an append',
  'inside an append, an effect without its result',
  'after an effect, before its result',
  'while an effect is asked for',
  'model call',
  'opening',
  'between',
] as const

/** What a process was doing when it was killed; of several things the most specific. */
export type Phase = (typeof phases)[number]

/** The phases between an effect and its durable result. */
export const afterEffect: readonly Phase[] = ['inside an append, an effect without its result', 'after an effect, before its result']

/** The phases inside an append. */
export const insideAppend: readonly Phase[] = ['inside an append', 'inside an append, an effect without its result']

/** The phase of the last reported bits. */
export function phaseOf(mask: number): Phase {
  if (mask & bits.append) return mask & bits.done ? 'inside an append, an effect without its result' : 'inside an append'
  if (mask & bits.done) return 'after an effect, before its result'
  if (mask & bits.asked) return 'while an effect is asked for'
  if (mask & bits.opening) return 'opening'
  return mask & bits.model ? 'model call' : 'between'
}
