/** The ports of an agent and what they are by default: the platform's clock, randomness and hash. */

import type { Clock, Frame, Usage } from '@loom-agent/kernel'
import { sha256 } from '#sha256'
import { checkedPorts } from './checked-ports.ts'
import { type Expected, expected, type Shape } from './expected.ts'
import { createSystemClock } from './system-clock.ts'

/** Makes ids that are never made twice. */
export type Ids = () => string
/** A number in [0, 1). */
export type Random = () => number
/** A collision-resistant digest of a text. */
export type Hash = (text: string) => string

/** Everything impure that an agent uses besides its journal, model and tools. Each port has a default of the platform. */
export interface Ports {
  /** The time, and timers. */
  readonly clock: Clock
  /** Makes ids that are used once. */
  readonly ids: Ids
  /** A number from 0 to below 1. */
  readonly random: Random
  /** Digests a text; default SHA-256. */
  readonly hash: Hash
  /** The price of a model call in integer micro-units; undefined when it is not known. */
  readonly price: (model: string, usage: Usage) => number | undefined
  /** Counts the tokens of a text for context strategies; default: an estimate by its scripts. */
  readonly countTokens?: (text: string) => number
  /** Turns on checks that cost time, such as entering a durable body once more at its first wait. */
  readonly development: boolean
  /** For tests: replaces the live frame after each commit by one folded from the journal. */
  readonly refold?: (frame: Frame) => Promise<Frame>
  /** For tests: every step of a durable body ends the entry, and the body is entered again. */
  readonly reenter?: boolean
}

/** What ports must be. */
export const portsShape: Shape & Record<keyof Ports, Expected> = {
  clock: expected.clock,
  ids: expected.function,
  random: expected.function,
  hash: expected.function,
  price: expected.function,
  countTokens: expected.function,
  development: expected.flag,
  refold: expected.function,
  reenter: expected.flag,
}

/** The clock of the platform. */
export const systemClock: Clock = createSystemClock()

const isProduction = (): boolean => {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.['NODE_ENV'] === 'production' || process?.env?.['LOOM_ENV'] === 'production'
}

/** The given ports, completed by those of the platform. */
export function completePorts(given: Partial<Ports> = {}): Ports {
  return {
    clock: systemClock,
    ids: () => crypto.randomUUID(),
    random: () => Math.random(),
    hash: sha256,
    price: () => undefined,
    development: !isProduction(),
    ...given,
    ...checkedPorts(given),
  }
}
