/** Wires, their requests, and the rules that requests must keep. */
import type { Loose } from './loose.ts'

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
}

/** The complaint about a request that breaks a rule, or its message alone; `false` or undefined when the rule is kept. */
export type Refusal = Complaint | string | false | undefined

/** Judges a request by one rule. */
export type Check = (request: WireRequest) => Refusal

/** A rule of a vendor, as a row of a table. */
export interface WireRule {
  readonly id: string
  readonly wire: Wire
  /** The rule in one sentence. */
  readonly says: string
  /** A public page that states it, or on which the vendor's refusal is quoted. */
  readonly source: string
  /** The status of the refusal; default: 400. */
  readonly status?: number
  /** Must be pure, and must not throw whatever the body is. */
  readonly check: Check
}

/** A broken rule, with the vendor's answer to it. */
export interface WireProblem {
  readonly rule: string
  readonly message: string
  readonly status: number
  readonly body: Loose
}

/** The table of a wire: its rules by their ids. */
export type RuleRows = Readonly<Record<string, Omit<WireRule, 'id' | 'wire'>>>

/** The rows of a table, as rules. */
export const rulesOf = (wire: Wire, rows: RuleRows): readonly WireRule[] => Object.entries(rows).map(([id, row]) => ({ ...row, id, wire }))
