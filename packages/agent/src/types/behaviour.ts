/** How an agent behaves where people, time and failure are concerned. */
import { LoomError } from '@loom-agent/kernel'

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
  /** Milliseconds without a word from the model before the attempt counts as failed; default 60,000. */
  readonly modelIdle?: number
  /** Milliseconds that work has to end after a stop; default 2,000. */
  readonly grace?: number
}

/** Behaviour with every default filled in. */
export type CompleteBehaviour = Required<Omit<Behaviour, 'requireDone'>> & Pick<Behaviour, 'requireDone'>

const whenBusy: readonly unknown[] = ['queue', 'steer', 'reject'] satisfies Behaviour['whenBusy'][]

/** Refuses a way to treat a busy thread that does not exist. */
export function checkWhenBusy(what: string, given: unknown): void {
  if (whenBusy.includes(given)) return
  throw new LoomError('LOOM_OPTION_INVALID', `${what}: whenBusy is ${JSON.stringify(given)}. Use one of ${whenBusy.join(', ')}.`, {
    context: { option: 'whenBusy' },
  })
}

/** No default of the framework is without a bound. */
export const defaultBehaviour: CompleteBehaviour = {
  unattended: 'wait',
  whenBusy: 'queue',
  attempts: 3,
  repairs: 2,
  concurrency: 10,
  outputLimit: 10_000,
  modelIdle: 60_000,
  grace: 2_000,
}

/** The names of all options of behaviour. */
export const behaviourKeys: readonly string[] = [...Object.keys(defaultBehaviour), 'requireDone']
