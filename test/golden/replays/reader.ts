/** The agent that the talk was recorded with. */
import { type ContextStrategy, tool, window } from '@loom-agent/agent'

/** The instructions that it was recorded with. */
export const instructions = 'Read, then answer.'

/** The strategy that it was recorded with. */
export const recordedWith: ContextStrategy = window({ turns: 3 })

/** Reads a page; page 2 has what is asked for. */
export const read = tool({
  name: 'read',
  effect: 'read',
  run: ({ page }: { page?: number }) => `Page ${page}. ${page === 2 ? 'The launch code is 7319. ' : ''}${'Stones lie in the river. '.repeat(8)}`,
})
