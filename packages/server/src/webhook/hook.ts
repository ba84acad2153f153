/** Hooks: places at which deliveries of other programs come in. */
import type { Input, ModelSettings } from '@loom-agent/agent'
import { type Limits, LoomError } from '@loom-agent/kernel'
import { checkSecrets, type ReceivedDelivery, type Secrets } from './signature.ts'

/** What a delivery starts. */
export interface HookStart {
  /** What the run is asked. */
  readonly input: Input
  /** The thread; default: a new one for each delivery. */
  readonly thread?: string | undefined
  /** What happens when the thread is busy; with `steer` the input becomes a message of the run under way. */
  readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined
  /** Limits of the run. */
  readonly limits?: Limits | undefined
  /** Settings of the model. */
  readonly settings?: ModelSettings | undefined
  /** Journaled with the run, beside `hook` and `delivery`. */
  readonly metadata?: { readonly [key: string]: unknown } | undefined
}

/** A delivery that is believed. */
export interface BelievedDelivery {
  readonly id: string
  readonly headers: Headers
}

/** A place at which deliveries come in: `POST /hooks/{name}`. */
export interface Hook {
  /** Its name, in the path. */
  readonly name: string
  /** The agent whose runs it starts. */
  readonly agent: string
  /** What deliveries are signed with, as Standard Webhooks says; or `verify`. */
  readonly secrets?: Secrets | undefined
  /** Seconds that the time of a delivery may differ from that of the server; default 300. */
  readonly window?: number | undefined
  /** Another way to believe a delivery: returns its id, or undefined when it is not to be believed. */
  readonly verify?: ((delivery: ReceivedDelivery) => string | undefined | Promise<string | undefined>) | undefined
  /** Bytes of a body; default: as many as any body may have. */
  readonly longest?: number | undefined
  /** What the body of a delivery asks for; undefined: nothing. It must return the same whenever it is given the same. */
  readonly start: (body: unknown, delivery: BelievedDelivery) => Input | HookStart | undefined | Promise<Input | HookStart | undefined>
  /** Whether what it says is the sender's own word, and not that of strangers; default false. */
  readonly trusted?: boolean | undefined
}

/** Checks hooks, and finds them by name. */
export function hooksByName(hooks: readonly Hook[], agents: ReadonlyMap<string, unknown>): ReadonlyMap<string, Hook> {
  const byName = new Map(hooks.map((hook) => [hook.name, hook]))
  for (const { name, agent, secrets, verify } of hooks) {
    if (!/^[A-Za-z0-9][\w.-]{0,39}$/.test(name)) throw hookInvalid(name, 'its name is none. Give 1 to 40 letters, digits and . _ -.')
    if (!agents.has(agent)) throw hookInvalid(name, `there is no agent ${agent} here. Give the name of one that is served.`)
    if ((secrets === undefined) === (verify === undefined)) throw hookInvalid(name, 'it needs secrets or verify, and not both.')
    if (Array.isArray(secrets)) checkSecrets(secrets)
  }
  if (byName.size < hooks.length) throw hookInvalid(hooks[0]?.name ?? '', 'two hooks have the same name. Give each a name of its own.')
  return byName
}

/** The error for a hook that cannot be. */
export function hookInvalid(name: string, problem: string): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', `The hook ${name.slice(0, 100)} cannot be: ${problem}`, { context: { hook: name.slice(0, 100) } })
}
