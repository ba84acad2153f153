/** Where a stream begins. */
import { own } from '@loom-agent/kernel'
import { type Expected, expected } from '../platform/expected.ts'

/**
 * Where a stream begins: the seq of the first event of its thread, or of several threads of its tree the seq of the first event of each. A thread that is
 * not named begins with its first event. To continue a stream, give for each thread the seq after that of the last event that was seen.
 */
export type Cursor = number | { readonly [thread: string]: number }

const seq = expected.whole(1)

/** What a cursor must be. */
export const expectedCursor: Expected = expected.either(seq, {
  words: 'an object that has such a number for each thread',
  fits: (value) => expected.object.fits(value) && Object.values(value as object).every((one) => seq.fits(one)),
})

/** The first seq of the thread that is watched; undefined when the cursor does not say. */
export const rootSeq = (cursor: Cursor | undefined, thread: string): number | undefined =>
  typeof cursor === 'number' ? cursor : childSeq(cursor, thread)

/** The first seq of another thread of the tree; undefined when the cursor does not say. */
export const childSeq = (cursor: Cursor | undefined, thread: string): number | undefined =>
  typeof cursor === 'object' ? own(cursor, thread) : undefined
