/** A limit on the calls in flight. */
import { checkOptions, createWaitQueue, expected } from '@loom-agent/agent/kit'
import { gateModel, type Wrapper } from '../call/wrapper.ts'

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
  checkOptions('concurrency', { limit }, { limit: expected.required(expected.number(1)) })
  const queue = createWaitQueue<true, void>()
  let free = Math.floor(limit)
  const onEnd = (): void => {
    if (queue.first()) queue.next()
    else free += 1
  }
  return (model) =>
    gateModel(model, async ({ abortSignal }) => {
      if (free > 0) free -= 1
      else await queue.wait(true, abortSignal)
      return onEnd
    })
}
