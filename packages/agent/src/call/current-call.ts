/** A call as it is now: what was given when it was entered may be older. */
import { type Call, callOf, isOver, type Outbox } from '@loom-agent/kernel'

/** The call with everything that is in the outbox; as it was given, where its run has ended. */
export function currentCall({ frame }: Pick<Outbox, 'frame'>, call: Call): Call {
  return (frame.run && callOf(frame.run, call.id)) ?? call
}

/** Whether a call has no result yet, and its run goes on. */
export function isOpenCall({ frame: { run } }: Pick<Outbox, 'frame'>, { id }: Call): boolean {
  const call = run && !isOver(run) ? callOf(run, id) : undefined
  return call !== undefined && call.state !== 'settled'
}
