/** What inputs and results may hold. */
import { type Expected, expected } from '../platform/expected.ts'

/** What a result may hold: what others wrote, or what is private. */
export type TaintLabel = 'untrusted' | 'private'

/** Both. */
export const taintLabels: readonly TaintLabel[] = ['untrusted', 'private']

const label = expected.oneOf(...taintLabels)

/** A label, or a list of labels. */
export const labelsShape: Expected = expected.either(label, expected.list(label, 'a list of them'))
