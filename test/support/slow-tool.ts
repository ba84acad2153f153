/** A call that works until it is let go, or aborted. */
import { type Tool, tool } from '@loom-agent/agent'

/** The tool `slow`; `started` resolves when it is called, and `go` lets the call return. */
export function slowTool(): { readonly slow: Tool; readonly started: Promise<void>; go(): void } {
  const started = Promise.withResolvers<void>()
  const released = Promise.withResolvers<string>()
  const slow = tool({
    name: 'slow',
    effect: 'read',
    run: (_, { signal }) => {
      started.resolve()
      signal.addEventListener('abort', () => released.resolve('aborted'))
      return released.promise
    },
  })
  return { slow, started: started.promise, go: () => released.resolve('done') }
}
