/** The faults of a simulated world, and how often each may come. */
import type { Journal } from '@loom-agent/kernel'
import type { VirtualClock } from './virtual-clock.ts'

/**
 * Each kind of fault: a worker dies at a boundary, or stands still there for a while; the journal cannot be reached, or stores and its reply is lost,
 * or its reply is lost and the batch is sent again, or it takes its time; the clock jumps.
 */
export const simFaults = ['crash', 'freeze', 'fail', 'lose', 'resend', 'delay', 'jump'] as const
/** A kind of fault. */
export type SimFault = (typeof simFaults)[number]
/** How likely each fault is wherever it is possible; 0 turns it off. */
export type SimOdds = Readonly<Record<SimFault, number>>

/** What most worlds are like. */
export const defaultOdds: SimOdds = { crash: 0.012, freeze: 0.012, fail: 0.01, lose: 0.01, resend: 0.04, delay: 0.1, jump: 0.3 }
/** A world in which nothing goes wrong. */
export const noOdds: SimOdds = { crash: 0, freeze: 0, fail: 0, lose: 0, resend: 0, delay: 0, jump: 0 }

/** Chance, from a seed. */
export interface Dice {
  /** A number in [0, 1). */
  readonly random: () => number
  /** An integer from `low` to `high`. */
  between(low: number, high: number): number
  pick<T>(choices: readonly T[]): T
  /** Whether a fault comes now; counted when it does. */
  strikes(fault: SimFault): boolean
  readonly struck: Readonly<Record<SimFault, number>>
  /** No more faults. */
  calm(): void
}

/** Dice for a world. */
export function createDice(random: () => number, odds: SimOdds): Dice {
  const struck: Record<SimFault, number> = { ...noOdds }
  let isCalm = false
  return {
    random,
    struck,
    between: (low, high) => low + Math.floor(random() * (high - low + 1)),
    pick: <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T,
    strikes(fault) {
      const strikes = !isCalm && random() < odds[fault]
      if (strikes) struck[fault] += 1
      return strikes
    },
    calm() {
      isCalm = true
    },
  }
}

/** What an operation on a journal that cannot be reached ends with. */
export class SimulatedFailure extends Error {
  override readonly name: string = 'SimulatedFailure'
}

/** What a bad line needs to know. */
export interface Line {
  readonly dice: Dice
  readonly clock: VirtualClock
  /** Told when an operation fails. */
  readonly failed: () => void
}

/** A journal at the other end of a bad line. */
export function badLine(journal: Journal, { dice, clock, failed }: Line): Journal {
  const wait = (): Promise<void> => new Promise((resolve) => void clock.at(clock.now() + dice.between(1, 4000), resolve))
  const fail = (message: string): never => {
    failed()
    throw new SimulatedFailure(message)
  }
  return {
    ...journal,
    async append(thread, batch) {
      if (dice.strikes('delay')) await wait()
      if (dice.strikes('fail')) fail('The journal cannot be reached.')
      let result = await journal.append(thread, batch)
      if (dice.strikes('resend')) {
        await wait()
        result = await journal.append(thread, batch)
      }
      if (dice.strikes('lose')) fail('The reply of the journal was lost.')
      return result
    },
  }
}
