/** What the calls of a tool bring into their thread, and whether they send something out of it. */
import { type Expected, expected } from '../platform/expected.ts'
import { labelsShape, type TaintLabel } from '../types/taint-label.ts'

/** What the calls of a tool bring into their thread, and whether they send something out of it. */
export interface ToolTaint<Input = never> {
  /**
   * What a result holds; default nothing. A function says it of one call: it is asked about the result with what the body returned, and before a call that
   * sends something out with the arguments alone.
   */
  readonly brings?: TaintLabel | readonly TaintLabel[] | ((input: Input, output?: unknown) => TaintLabel | readonly TaintLabel[] | undefined)
  /** Whether a call sends something to where others may read it, such as the network; default `false`. A function says it of one call. */
  readonly sends?: boolean | ((input: Input) => boolean)
}

/** What the taint of a tool must be. */
export const taintShape: Expected = expected.options({
  brings: expected.either(labelsShape, expected.function),
  sends: expected.either(expected.flag, expected.function),
})

/** The labels that a declaration or a function of one names; undefined where it names something else. */
export function labelsOf(given: TaintLabel | readonly TaintLabel[] | undefined): readonly TaintLabel[] | undefined {
  if (given === undefined) return []
  return labelsShape.fits(given) ? [given].flat() : undefined
}
