/**
 * Draining: a process that is about to end takes on no new work, and hands on what it drives.
 *
 * DRAIN-1. Nothing new is started: no run, no turn, no model call, no call of a tool. What is in flight ends, and its result is durable.
 * DRAIN-2. A thread is released when nothing of it is in flight; any other process goes on with it from there.
 * DRAIN-3. What does not end within the grace period is given up as in a crash: the next driver judges it by its class.
 * DRAIN-4. A result that is waited for here, of a run that this process does not drive at the moment, is rejected at once: the run sleeps, or another
 *     process drives it. One whose question the resolver of this process is asked has the grace period: then it is rejected as well.
 * DRAIN-5. A run whose child could not be started or gone on with is not suspended: its thread stays running, so that recovery finds it. The child may
 *     not be stored, and nothing else would lead to it.
 * DRAIN-6. Agents that were made from one another drain together, and none of them starts anything afterwards.
 */
import { LoomError } from '@loom-agent/kernel'
import { releaseOverdue } from './lease.ts'
import type { Drain, DrainListener, Driving, Runtime } from './runtime.ts'

/** Whether the journal has what was asked for: then the next driver of the thread goes on with it. */
type Asked = 'stored' | 'not stored'

/** The error of work that a draining process does not take on, or hands on. */
export function drainingError(thread: string, asked: Asked): LoomError {
  const advice =
    asked === 'stored'
      ? 'Nothing is lost: resume it in another process, or let its recover() find it.'
      : 'Nothing was started or stored: ask another process.'
  return new LoomError('LOOM_DRAINING', `This process is draining and does not drive the thread ${thread}. ${advice}`, { context: { thread, asked } })
}

/** Lets draining wait for something that is under way here, until the returned function is called. */
export function joinDrain(drain: Drain, listener: DrainListener): () => void {
  drain.awaited.add(listener)
  return () => {
    drain.awaited.delete(listener)
    if (drain.awaited.size === 0) for (const resolve of drain.onEmpty.splice(0)) resolve()
  }
}

/** A thread is about to be driven: draining waits for it until its `end` is called. */
export function beginDriving(drain: Drain): Driving {
  const end = joinDrain(drain, (isOver) => {
    const { outbox } = driving
    if (isOver) outbox?.fail(drainingError(outbox.frame.thread, 'stored'))
    else outbox?.wake()
  })
  const driving: Driving = { outbox: undefined, end }
  return driving
}

/** Takes on no new work, and resolves when every thread that is driven here is released, and no result is waited for here any more. */
export async function drainRuntime(runtime: Runtime, grace: number): Promise<void> {
  const { drain, ports } = runtime
  const notify = (isOver: boolean): void => {
    for (const listener of [...drain.awaited]) listener(isOver)
  }
  drain.isDraining = true
  notify(false)
  const cancel = ports.clock.at(ports.clock.now() + grace, () => notify(true))
  if (drain.awaited.size > 0) await new Promise<void>((resolve) => drain.onEmpty.push(resolve))
  cancel()
  await releaseOverdue(runtime)
}
