/** The ledger of a wire server: what arrived, what became of it, and what it cost. */
import type { Loose } from './loose.ts'
import type { WireUsage } from './reply.ts'
import type { Wire, WireProblem } from './wire.ts'

/** Prices in integer micro-units for a million tokens. What is read from a cache or written to one costs as input unless it is said. */
export interface WirePrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** What a reply is billed with. */
export interface WireBill extends Required<WireUsage> {
  /** Integer micro-units; 0 for a model without a price. */
  readonly cost: number
}

/** A request that arrived. */
export interface WireArrival {
  /** Counted from 1. */
  readonly number: number
  readonly wire: Wire
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Loose
  readonly model: string
  readonly streams: boolean
  /** Milliseconds of the wall clock. */
  readonly time: number
  /** The rules that it broke. */
  readonly problems: readonly WireProblem[]
  /** The status of the answer, once there is one. */
  readonly status: number | undefined
  /** A reply that was made is billed, whether or not it arrived. Refusals and error answers are not. */
  readonly bill: WireBill | undefined
  /** When the socket was closed or the answer complete. */
  readonly closedAt: number | undefined
  /** Whether the client went away before the answer was complete. */
  readonly isAborted: boolean
  /** Comes when `closedAt` is known. */
  readonly over: Promise<void>
}

/** An arrival while the server works on it. */
export type OpenArrival = { -readonly [K in keyof WireArrival]: WireArrival[K] }

/** The bill of a reply. */
export function billOf(usage: Required<WireUsage>, price: WirePrice = { input: 0, output: 0 }): WireBill {
  const { input, cacheRead, cacheWrite, output } = usage
  const read = cacheRead * (price.cacheRead ?? price.input)
  const written = cacheWrite * (price.cacheWrite ?? price.input)
  return { ...usage, cost: Math.round((input * price.input + read + written + output * price.output) / 1_000_000) }
}
