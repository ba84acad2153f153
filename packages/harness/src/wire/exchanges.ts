/** Calls and their answers: the rules of pairing, which are the same for every vendor that names its calls. */
import { firstRefusal } from './places.ts'
import type { Check, Refusal, WireRequest } from './wire.ts'

/** A call or an answer. */
export interface Named {
  readonly id: unknown
  /** The number of its message. */
  readonly index: number
  /** Its place, as the vendor writes it. */
  readonly at?: string
}

/** Calls, and the answers that are where the vendor looks for them. */
export interface Exchange {
  /** The number of the message with the calls. */
  readonly index: number
  readonly calls: readonly Named[]
  readonly answers: readonly Named[]
}

interface PairingChecks {
  /** Every call is answered. */
  answered(refuse: (open: readonly unknown[], exchange: Exchange) => Refusal): Check
  /** Every answer belongs to a call. */
  asked(refuse: (stray: Named) => Refusal): Check
  /** No call is answered twice. */
  once(refuse: (again: Named, first: Named) => Refusal): Check
}

/** The checks of pairing for a vendor. */
export function pairing(exchangesOf: (request: WireRequest) => readonly Exchange[]): PairingChecks {
  const has = (list: readonly Named[], { id }: Named): boolean => list.some((other) => other.id === id)
  return {
    answered: (refuse) => (request) =>
      firstRefusal(exchangesOf(request), (exchange) => {
        const open = exchange.calls.filter((call) => !has(exchange.answers, call)).map(({ id }) => id)
        return open.length > 0 && refuse(open, exchange)
      }),
    asked: (refuse) => (request) =>
      firstRefusal(exchangesOf(request), ({ calls, answers }) => firstRefusal(answers, (answer) => !has(calls, answer) && refuse(answer))),
    once: (refuse) => (request) =>
      firstRefusal(exchangesOf(request), ({ answers }) =>
        firstRefusal(answers, (again, index) => {
          const first = answers.slice(0, index).find(({ id }) => id === again.id)
          return first && refuse(again, first)
        }),
      ),
  }
}
