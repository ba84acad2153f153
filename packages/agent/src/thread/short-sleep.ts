/** Runs that sleep for a moment: their result is waited for, as if they worked. */
import { type Frame, items, type Run } from '@loom-agent/kernel'

/** Milliseconds of a sleep that is slept where the result is waited for; a longer one makes the run `waiting`. */
export const shortSleep = 60_000

/** Whether a suspended run only sleeps for a moment. One with an open question, or one that waits for a signal, does not: others can act until then. */
export function isShortSleep({ questions }: Frame, run: Run, now: number): boolean {
  const { until } = run
  if (until === undefined || until - now > shortSleep) return false
  return Object.keys(questions).length === 0 && !waitsForSignal(run)
}

function waitsForSignal({ calls }: Run): boolean {
  for (const { open } of items(calls)) if (open.some(({ signal }) => signal !== undefined)) return true
  return false
}
