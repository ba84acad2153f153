/** A process that can die: its access to the journal ends in the middle of whatever it does. */

import { checkOptions, type Expected, expected } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { wrapJournal } from './wrap-journal.ts'

/** When a process dies, counted in its appends: just before one is stored, or just after, before the process receives the result. */
export interface Death {
  /** Which append of the process, from 1. */
  readonly append: number
  /** Before the append is stored, or after it. */
  readonly when: 'before' | 'after'
}

/** A journal as one process sees it that can die. */
export interface MortalJournal {
  /** The journal to give to the agent of the process. */
  readonly journal: Journal
  /** How many appends the process has started. */
  appends(): number
  /** Whether the process has died. */
  isDead(): boolean
  /** Resolves when the process has died. */
  readonly died: Promise<void>
  /** Ends the process at once. */
  kill(): void
}

const deathShape: Readonly<Record<keyof Death, Expected>> = {
  append: expected.required(expected.whole(1)),
  when: expected.required(expected.oneOf('before', 'after')),
}

/** The view that one process has of a journal. From its death on no operation returns any more, as in a killed process. */
export function mortalJournal(journal: Journal, death?: Death): MortalJournal {
  if (death !== undefined) checkOptions('mortalJournal', death, deathShape)
  const { promise: died, resolve } = Promise.withResolvers<void>()
  let dead = false
  let appends = 0
  const kill = (): void => {
    dead = true
    resolve()
  }
  const never = new Promise<never>(() => {})
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) return never
    const value = await work()
    return dead ? never : value
  }
  const mortal: Journal = {
    ...wrapJournal(journal, alive),
    // After a death the thread is held by a process that is gone, which counts as released.
    acquire: (thread, claim) =>
      alive(async () => {
        const first = await journal.acquire(thread, claim)
        if (first.kind !== 'held' || first.holder === undefined || first.holder === claim.worker) return first
        const forced = await journal.acquire(thread, { ...claim, seen: first.epoch, force: true })
        return forced.kind === 'held' ? { kind: 'held', epoch: forced.epoch } : forced
      }),
    append(thread, batch) {
      if (!dead) appends += 1
      const now = death?.append === appends ? death.when : undefined
      if (now === 'before') kill()
      return alive(async () => {
        const result = await journal.append(thread, batch)
        if (now === 'after') kill()
        return result
      })
    },
    watch: (thread, hint) =>
      journal.watch(thread, (seq) => {
        if (!dead) hint(seq)
      }),
  }
  return { journal: mortal, appends: () => appends, isDead: () => dead, died, kill }
}
