/** The scheduler: which call runs now. Places are limited, locks exclude, priority orders those that wait. */
import type { Locks } from '../definition/locks.ts'

/** A request for a place. */
export interface Admission {
  readonly priority: number
  readonly lock?: string | undefined
}

/** Gives places to calls. */
export interface Scheduler {
  /** Calls back when there is a place, at once if one is free; otherwise returns a function that gives up the wait. */
  enter(admission: Admission, go: () => void): (() => void) | undefined
  /** Gives the place back, once. */
  leave(admission: Admission): void
}

interface Waiting {
  readonly admission: Admission
  readonly go: () => void
}

/** A scheduler with this many places. A lock is taken from all the given owners at once: those of the agent, and of the agents that it works for. */
export function createScheduler(places: number, owners: readonly Locks[]): Scheduler {
  const waiting: Waiting[] = []
  let taken = 0

  const mayGo = ({ lock }: Admission): boolean => taken < places && (lock === undefined || !owners.some(({ held }) => held.has(lock)))

  const start = ({ lock }: Admission, go: () => void): void => {
    taken += 1
    if (lock !== undefined) for (const { held } of owners) held.add(lock)
    go()
  }

  /** Admits all that may go, the highest priority first, in order of arrival among equals. */
  const admit = (): void => {
    while (taken < places) {
      let best: Waiting | undefined
      for (const entry of waiting) {
        if (mayGo(entry.admission) && entry.admission.priority > (best?.admission.priority ?? Number.NEGATIVE_INFINITY)) best = entry
      }
      if (!best) break
      waiting.splice(waiting.indexOf(best), 1)
      start(best.admission, best.go)
    }
    const waitsForLock = waiting.some((entry) => entry.admission.lock !== undefined)
    for (const { freed } of owners) {
      if (waitsForLock) freed.add(admit)
      else freed.delete(admit)
    }
  }

  return {
    enter(admission, go) {
      if (waiting.length === 0 && mayGo(admission)) {
        start(admission, go)
        return undefined
      }
      const entry: Waiting = { admission, go }
      waiting.push(entry)
      admit()
      return () => {
        const index = waiting.indexOf(entry)
        if (index !== -1) waiting.splice(index, 1)
        admit()
      }
    },
    leave({ lock }) {
      taken -= 1
      if (lock !== undefined) for (const { held } of owners) held.delete(lock)
      if (waiting.length > 0) admit()
      if (lock !== undefined) for (const { freed } of owners) for (const admitOther of [...freed]) admitOther()
    },
  }
}
