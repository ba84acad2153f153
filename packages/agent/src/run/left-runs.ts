/**
 * Runs that wait and that nobody follows in this process. Loaded on use.
 *
 * DEPS-1. What code supplied to a run, such as dependencies, is held while this process drives or follows the run, and while the run waits: an answer may
 *     come to any process, this one too. Whether it still waits is looked at when later runs start and when threads are recovered: a few each time, the
 *     oldest first. What was given to a run that has ended elsewhere, or whose thread was removed, is let go of.
 */
import { isOver } from '@loom-agent/kernel'
import type { LeftRun, Runtime } from '../thread/runtime.ts'

/** How many runs are looked at each time. */
const looks = 4

/** Looks at the oldest of the runs that were left. Never rejects: what cannot be looked at now is looked at later. */
export async function lookAtLeft(runtime: Runtime): Promise<void> {
  const { left, overrides } = runtime
  for (const [key, run] of [...left].slice(0, looks)) {
    left.delete(key)
    if (!overrides.has(key)) continue
    if (await isOverNow(runtime, run).catch(() => false)) overrides.delete(key)
    else left.set(key, run)
  }
}

async function isOverNow({ journal, threads }: Runtime, { thread, incarnation, run, seq }: LeftRun): Promise<boolean> {
  const head = await journal.head(thread)
  if (!head || head.incarnation !== incarnation) return true
  // Most runs that wait go on waiting: nothing is read of them.
  if (head.seq === seq) return false
  const { frame } = await threads.load(thread, incarnation)
  const isQueued = frame.queue.some((queued) => queued.run === run)
  return !isQueued && (frame.run?.id !== run || isOver(frame.run))
}
