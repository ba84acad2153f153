/** The faults of a simulation, and how likely each is. */
import { type Clock, type Head, type Journal, LoomError, matches, type Summary } from '@loom-agent/kernel'

/**
 * Each kind of fault: a worker dies at a crash point, or freezes there; the journal cannot be reached, or stores and its reply is lost,
 * or its reply is lost and the batch is sent again, or it is slow; a thread cannot be released; the clock jumps; a worker is drained and replaced.
 */
export const simFaults = ['crash', 'freeze', 'fail', 'lose', 'resend', 'delay', 'release', 'jump', 'drain'] as const
/** A kind of fault. */
export type SimFault = (typeof simFaults)[number]
/** How likely each fault is wherever it is possible; 0 turns it off. */
export type SimOdds = Readonly<Record<SimFault, number>>

/** The likelihoods of a simulation. */
export const faultOdds: SimOdds = {
  crash: 0.012,
  freeze: 0.012,
  fail: 0.01,
  lose: 0.01,
  resend: 0.04,
  delay: 0.1,
  release: 0.1,
  jump: 0.3,
  drain: 0.15,
}
/** A simulation in which nothing goes wrong. */
export const noOdds: SimOdds = { crash: 0, freeze: 0, fail: 0, lose: 0, resend: 0, delay: 0, release: 0, jump: 0, drain: 0 }

/** Chance, from a seed. */
export interface Dice {
  /** A number in [0, 1). */
  readonly random: () => number
  /** An integer from `low` to `high`. */
  between(low: number, high: number): number
  pick<T>(choices: readonly T[]): T
  /** Whether a fault occurs now; counted when it does. */
  strikes(fault: SimFault): boolean
  readonly struck: Readonly<Record<SimFault, number>>
  /** No more faults. */
  calm(): void
  isCalm(): boolean
}

/** Dice for a simulation. */
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
    isCalm: () => isCalm,
  }
}

/** What an operation on a journal that cannot be reached ends with. */
export class SimulatedFailure extends Error {
  override readonly name: string = 'SimulatedFailure'
}

/** What an unreliable connection needs to know. */
export interface ConnectionSetup {
  readonly dice: Dice
  readonly clock: Clock
  /** Called when an operation fails. */
  readonly failed: () => void
}

/** A journal behind an unreliable connection. */
export function unreliable(journal: Journal, { dice, clock, failed }: ConnectionSetup): Journal {
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
    async release(thread, lease) {
      if (dice.strikes('release')) fail('The journal cannot be reached.')
      return journal.release(thread, lease)
    },
  }
}

/** A journal with a child that nobody waits for and that cannot be read: every recovery finds it. */
export function withDamagedOrphan(journal: Journal): Journal {
  const parent = orphanHead('z-parent', { status: 'done', agent: 'root' })
  const child = orphanHead('z-orphan', { status: 'running', agent: 'child', parent: parent.thread })
  return {
    ...journal,
    head: async (thread) => [parent, child].find((head) => head.thread === thread) ?? journal.head(thread),
    threads: async (query = {}) => [...(await journal.threads(query)), ...[parent, child].filter((head) => matches(head, query))],
    async read(thread, range) {
      if (thread !== child.thread) return journal.read(thread, range)
      throw new LoomError('LOOM_JOURNAL_DAMAGED', `The thread ${thread} is damaged.`, { context: { thread } })
    },
  }
}

const orphanTimes = { now: 1, began: 1, changed: 1 }

const orphanHead = (thread: string, summary: Summary): Head => ({ thread, incarnation: thread, seq: 5, epoch: 1, summary, times: orphanTimes })
