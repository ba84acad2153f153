/** The bound of what a wrapper holds back of a reply: the agent does not see that, and so cannot bound it. */
import { LoomError } from '@loom-agent/kernel'

/** The most characters of one reply that a wrapper holds back. */
const most = 8 << 20

/** Counts what is held back of one reply. Throws when it is too much. */
export interface HeldText {
  add(characters: number): void
}

/** Makes a count that begins at nothing. */
export function createHeldText(): HeldText {
  let held = 0
  return {
    add(characters) {
      held += characters
      if (held <= most) return
      const message = `The reply of the model has more than ${most} characters of text that may still become a call or an answer: it was cancelled.`
      throw new LoomError('LOOM_REPLY_LIMIT', `${message} Use another model, or one that calls tools itself.`, {
        context: { bound: 'characters', max: most },
      })
    },
  }
}
