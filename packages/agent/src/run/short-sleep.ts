/** Runs that sleep for a moment: their result is waited for, as if they worked. */
import type { Frame, Run } from '@loom-agent/kernel'

/** Milliseconds of a sleep that is slept where the result is waited for; a longer one makes the run `waiting`. */
const shortSleep = 60_000

/** Whether a suspended run only sleeps for a moment. One whose next moment is the expiry of a question does not: it can be answered until then. */
export function isShortSleep({ questions }: Frame, { until }: Run, now: number): boolean {
  if (until === undefined || until - now > shortSleep) return false
  return Object.values(questions).every(({ expires }) => expires !== until)
}
