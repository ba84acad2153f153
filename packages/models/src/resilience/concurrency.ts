/** Only so many calls of a model at once. */
import { checkNumbers } from '@loom-agent/agent/kit'
import { gateModel, type Wrapper } from '../call/wrapper.ts'
import { createLine } from './queue.ts'

/**
 * Lets so many calls through at once; the others wait in line, first come first served. A call has ended when its stream was read or left.
 *
 * All models that the wrapper is given share the places.
 *
 * @example
 * const four = concurrency(4)
 * const [a, b] = [four(sonnet), four(haiku)]
 */
export function concurrency(limit: number): Wrapper {
  checkNumbers('concurrency', { limit }, { limit: { min: 1, required: true } })
  const line = createLine()
  let free = Math.floor(limit)
  const leave = (): void => {
    free += 1
    if (line.length > 0) {
      free -= 1
      line.call()
    }
  }
  return (model) =>
    gateModel(model, async ({ abortSignal }) => {
      if (free > 0) free -= 1
      else await line.wait(abortSignal)
      return leave
    })
}
