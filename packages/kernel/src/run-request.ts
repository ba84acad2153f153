/** What a run is asked to do, and what it may spend. */
import type { JsonObject } from './json.ts'
import type { Message } from './message.ts'

/** How often the same call with the same result may repeat before something is done about it. */
export type LoopLimits = { readonly [K in 'warn' | 'nudge' | 'stop']: number }

/** What a run may spend: cost in integer micro-units, time in milliseconds of driving. `onReached` is for tokens and cost; turns and time stop. */
export type Limits = {
  /** Turns of the run; default 50, or 10 for a child. Reached: the run stops. */
  readonly turns?: number
  /** Input and output tokens together; default: no limit. Reached: see `onReached`. */
  readonly tokens?: number
  /** Integer micro-units; default: no limit. A model without a known price: see `unpriced`. Reached: see `onReached`. */
  readonly cost?: number
  /** A model whose price is not known, where there is a limit of cost: is refused before it is called (default), or allowed and counts nothing. */
  readonly unpriced?: 'refuse' | 'allow'
  /** Milliseconds of driving, without waiting; default 24 hours. Reached: the run stops, whatever is in flight. */
  readonly time?: number
  /** Calls that models propose, in the run and in all children below it; default 10,000. Reached: further calls are refused, then the run stops. */
  readonly calls?: number
  /** Children, with those that they start in turn; default 100. Reached: no further one is started, and its caller gets an error. */
  readonly children?: number
  /** How deep agents may be nested; default 5. */
  readonly depth?: number
  /** For tokens and cost: asks whether to go on (default), or stops. */
  readonly onReached?: 'ask' | 'stop'
  /** The same call with the same result so many times: note it, warn the model, stop; default 3, 4, 5. `false` turns it off. */
  readonly loop?: LoopLimits | false
}

/** The caller's id of a start, and a digest of the input that was given with it. */
export type StartId = { readonly id: string; readonly digest: string }

/** Something that was read: a call, or an event by its seq, with its thread where that is another one, and what it is in words: `fetch(https://...)`. */
export type TaintedBy = Readonly<{ what: string; thread?: string; call?: string; seq?: number }>
/** What was read before a call was proposed or an input was written: the first of what others wrote, and the first of what is private. */
export type Taint = Readonly<{ untrusted?: TaintedBy; private?: TaintedBy }>

/** What a guard said of an input before it was stored; `digest` is of the input as it was given. */
export type Guarded = Readonly<{ guard: string; verdict: 'rewrite' | 'block' | 'ask' | 'warn'; digest: string; reason?: string }>

/** What a run is asked to do, and every fact about it that `decide` looks at. */
export type RunRequest = Readonly<{ input: readonly Message[]; model: string; settings?: JsonObject; limits: Limits; metadata?: JsonObject }> & {
  readonly agent: { readonly name: string; readonly fingerprint: string }
  /** There when the caller gave the start an id: the same id starts no second run. */
  readonly start?: StartId
  /** The input stays in the context, whatever is left out. */
  readonly pin?: true
  /** What was read before the input was written: a child's by the agent that starts it. */
  readonly taint?: Taint
  /** What guards said of the input. */
  readonly guarded?: readonly Guarded[]
  /** Dependencies were given with the run; a caller that resumes it must give them again. */
  readonly needsDeps?: true
  /** Questions are settled as denied: nobody is there to answer. */
  readonly unattended?: 'deny'
  /** The run ends only through the tool of this name; one reminder is given. */
  readonly done?: string
  /** How often a reply that does not fit the output schema is sent back. */
  readonly repairs?: number
  /** A layer of permissions for this run, which only tightens. */
  readonly permissions?: JsonObject
  /** The JSON Schema that the answer must fit. */
  readonly output?: JsonObject
}

/** What the approval of a limit of nothing adds: a child gets such a limit when its parent has nothing left. */
export const leastGrant = 10_000
