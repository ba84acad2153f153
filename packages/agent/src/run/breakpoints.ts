/** Breakpoints with the journal alone: where the runs of a thread stop, and stepping from one stop to the next. */
import type { Journal } from '@loom-agent/kernel'
import type { BreakpointArguments, StepArguments } from './break-requests.ts'

/**
 * Sets where the runs of a thread stop, in place of the breakpoints before; `[]` removes them. Also of its open children, and those that it starts. A run
 * that stops is paused, whichever process drives it: `agent.resume(thread)` goes on.
 *
 * @example
 * await setBreakpoints(journal, 'user-123', [{ tool: 'pay' }, { error: true, once: true }])
 */
export async function setBreakpoints(journal: Journal, thread: string, ...given: BreakpointArguments): Promise<void> {
  const { appendBreakpoints } = await import('./append-breakpoints.ts')
  await appendBreakpoints(journal, thread, given)
}

/**
 * Says where a run that has stopped is to stop next; `agent.resume` of the root of its tree goes on then. `into`: at the next place, also of a child.
 * `over`: at the next place of this thread. `out`: at the next place of the thread above, when this one has ended.
 *
 * @example
 * await step(journal, 'user-123', 'over')
 * await agent.resume('user-123').result()
 */
export async function step(journal: Journal, thread: string, ...given: StepArguments): Promise<void> {
  const { appendStep } = await import('./append-breakpoints.ts')
  await appendStep(journal, thread, given)
}
