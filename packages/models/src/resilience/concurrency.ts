/** A limit on the calls in flight. */
import { checkNumbers } from '@loom-agent/agent/kit'
import { gateModel, type Wrapper } from '../call/wrapper.ts'
import { createWaitQueue } from './wait-queue.ts'

/**
 * Limits the calls in flight; the others wait, first come first served. A call has ended when its stream was read to its end or cancelled.
 *
 * All models that the wrapper is given share the limit.
 *
 * @example
 * const four = concurrency(4)
 * const [a, b] = [four(sonnet), four(haiku)]
 */
export function concurrency(limit: number): Wrapper {
  checkNumbers('concurrency', { limit }, { limit: { min: 1, required: true } })
  const queue = createWaitQueue()
  let free = Math.floor(limit)
  const onEnd = (): void => {
    free += 1
    if (queue.length > 0) {
      free -= 1
      queue.next()
    }
  }
  return (model) =>
    gateModel(model, async ({ abortSignal }) => {
      if (free > 0) free -= 1
      else await queue.wait(abortSignal)
      return onEnd
    })
}
