/** A call as it is now: what was given when it was entered may be older. */
import { type Call, callOf, type Outbox } from '@loom-agent/kernel'

/** The call with everything that is in the outbox; as it was given, where its run has ended. */
export function currentCall({ frame }: Pick<Outbox, 'frame'>, call: Call): Call {
  return (frame.run && callOf(frame.run, call.id)) ?? call
}
