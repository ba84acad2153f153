/** Wires, their requests, and the rules that requests must keep. */
import type { Loose } from './loose.ts'
import type { ruleSources } from './rule-sources.ts'

/** Every wire, by the name that rules and servers use. */
export const wires = ['openai-chat', 'openai-compatible', 'openai-responses', 'anthropic', 'google'] as const

/** A wire format. `openai-compatible` is chat completions as other vendors implement it, with `reasoning_content`. */
export type Wire = (typeof wires)[number]

/** A request as a vendor gets it. */
export interface WireRequest {
  readonly path: string
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
  /** Items that the vendor keeps, by id. Without it, references to items are not judged. */
  readonly kept?: ReadonlyMap<string, Loose>
}

/** What is wrong with a request, in the words of the vendor. */
export interface Complaint {
  readonly message: string
  /** OpenAI names the parameter and a code. */
  readonly param?: string
  readonly code?: string
  /** The status of the refusal; default: 400. */
  readonly status?: number
}

/** The complaint about a request that breaks a rule, or its message alone; `false` or undefined when the rule is kept. */
export type Refusal = Complaint | string | false | undefined

/** Judges a request by one rule. It is pure, and does not throw whatever the body is. */
export type Check = (request: WireRequest) => Refusal

/** A rule of a vendor. */
export interface WireRule {
  readonly id: string
  /** The public page that states it. */
  readonly source: string
  readonly check: Check
}

/** A broken rule, with the vendor's answer to it. */
export interface WireProblem {
  readonly rule: string
  readonly message: string
  readonly status: number
  readonly body: Loose
}

/** Checks by the ids of their rules. */
export type RuleRows = Readonly<Partial<Record<keyof typeof ruleSources, Check>>>
