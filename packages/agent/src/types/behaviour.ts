/** How an agent behaves where people, time and failure are concerned. */
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { type CompleteBounds, defaultBounds, type ReplyBounds, replyBoundsShape } from './reply-bounds.ts'

/** How an agent behaves where people, time and failure are concerned. */
export interface Behaviour {
  /** What happens to questions that this process does not answer; default `wait`. */
  readonly unattended?: 'wait' | 'deny'
  /** What a second input on a busy thread does; default `queue`. */
  readonly whenBusy?: 'queue' | 'steer' | 'reject'
  /** Model attempts per turn; default 3. */
  readonly attempts?: number
  /** How often an answer that does not fit `output` is sent back; default 2. */
  readonly repairs?: number
  /** Calls that run at once; default 10. */
  readonly concurrency?: number
  /** The name of the tool through which alone the run ends; one reminder is given. Default: none. */
  readonly requireDone?: string
  /** Characters of a tool's output that reach the model; default 10,000. */
  readonly outputLimit?: number
  /** Characters of a longer output that are kept in the journal, so that the rest can be read; default 1,000,000. 0 keeps nothing of it. */
  readonly wholeLimit?: number
  /** Characters of what a step of a durable tool may return, as JSON; default 1,000,000. A longer value is an error of the step, which has run. */
  readonly stepLimit?: number
  /**
   * Whether the model is given the tool `read_more`, which reads results again that it was shown in part, or is not shown any more. Default: if the agent has
   * tools, and a `context` other than `everything`.
   */
  readonly readMore?: boolean
  /** The most that one reply of the model may hold; each bound has a default. */
  readonly reply?: ReplyBounds
  /** Bytes of files and images in one result of a tool that reach the model; default 2,097,152. */
  readonly mediaLimit?: number
  /** Milliseconds without a word from the model before the attempt counts as failed; default 60,000. */
  readonly modelIdle?: number
  /** Milliseconds that work has to end after a stop; default 2,000. */
  readonly grace?: number
}

/** Behaviour with every default filled in. */
export type CompleteBehaviour = Required<Omit<Behaviour, 'requireDone' | 'readMore' | 'reply'>> &
  Pick<Behaviour, 'requireDone' | 'readMore'> & { readonly reply: CompleteBounds }

/** What the options of behaviour must be. */
export const behaviourShape: Shape & Record<keyof Behaviour, Expected> = {
  unattended: expected.oneOf('wait', 'deny'),
  whenBusy: expected.oneOf('queue', 'steer', 'reject'),
  attempts: expected.whole(1),
  repairs: expected.whole(0),
  concurrency: expected.whole(1),
  requireDone: expected.name,
  outputLimit: expected.whole(0),
  wholeLimit: expected.whole(0),
  stepLimit: expected.whole(1),
  readMore: expected.flag,
  reply: expected.options(replyBoundsShape),
  mediaLimit: expected.whole(0),
  modelIdle: expected.number(1),
  grace: expected.number(0),
}

/** No default of the framework is without a bound. */
const defaultBehaviour: CompleteBehaviour = {
  unattended: 'wait',
  whenBusy: 'queue',
  attempts: 3,
  repairs: 2,
  concurrency: 10,
  outputLimit: 10_000,
  wholeLimit: 1_000_000,
  stepLimit: 1_000_000,
  reply: defaultBounds,
  mediaLimit: 2_097_152,
  modelIdle: 60_000,
  grace: 2_000,
}

/** Behaviour with the defaults of what is not given. */
export function completeBehaviour(given: Behaviour = {}): CompleteBehaviour {
  return { ...defaultBehaviour, ...given, reply: given.reply ? { ...defaultBounds, ...given.reply } : defaultBounds }
}
