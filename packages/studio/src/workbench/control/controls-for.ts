/** What somebody may do with a thread, as it stands. */
import type { ThreadHead } from '../bench/bench.ts'

/**
 * What can be done.
 *
 * - `steer`: a message for the next turn of the run under way
 * - `say`: a message that starts the next run of the thread
 * - `pause`: the run rests at its next safe point
 * - `resume`: the run goes on
 * - `stop`: the run ends
 */
export type Control = 'steer' | 'say' | 'pause' | 'resume' | 'stop'

const controls: { readonly [S in ThreadHead['status']]: readonly Control[] } = {
  running: ['steer', 'pause', 'stop'],
  waiting: ['steer', 'resume', 'stop'],
  idle: ['say'],
  done: ['say'],
  stopped: ['say'],
  failed: ['say', 'resume'],
  partial: ['say', 'resume'],
}

/** A thread, and the agents that the server has. */
export interface Controlled {
  readonly head: Pick<ThreadHead, 'status' | 'agent' | 'parent'>
  readonly agents: readonly string[]
}

/** The controls that a thread has. Of a child only the run under way is reached: its parent starts it. Without its agent nothing goes on here. */
export function controlsFor({ head, agents }: Controlled): readonly Control[] {
  const isServed = head.agent !== undefined && agents.includes(head.agent)
  return controls[head.status].filter((control) => {
    if (control === 'say') return isServed && head.parent === undefined
    return control === 'resume' ? isServed : true
  })
}
