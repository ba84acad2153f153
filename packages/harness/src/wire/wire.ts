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
  /** What is wrong with the request, if the rule is broken. Must be pure, and must not throw whatever the body is. */
  check(request: WireRequest): Complaint | undefined
}

/** A broken rule, with the vendor's answer to it. */
export interface WireProblem {
  readonly rule: string
  readonly message: string
  readonly status: number
  readonly body: Loose
}

/** The first complaint about a list of things. */
export function firstComplaint<T>(items: readonly T[], check: (item: T, index: number) => Complaint | undefined): Complaint | undefined {
  for (const [index, item] of items.entries()) {
    const complaint = check(item, index)
    if (complaint) return complaint
  }
  return undefined
}

/** A row of one wire's table. */
export type RuleRow = Omit<WireRule, 'wire'>

/** The rows of a wire's table, as rules. */
export const rulesOf = (wire: Wire, rows: readonly RuleRow[]): readonly WireRule[] => rows.map((row) => ({ ...row, wire }))
