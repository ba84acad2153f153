/** The scheduler: which call runs now. Places are limited, locks exclude, priority orders those that wait. */

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

/** Locks that several schedulers respect: those of all runs of an agent. */
export interface Locks {
  readonly held: Set<string>
  /** Called when a lock is given back. */
  readonly freed: Set<() => void>
}

/** Locks, all of them free. */
export function createLocks(): Locks {
  return { held: new Set(), freed: new Set() }
}

/** A scheduler with this many places. */
export function createScheduler(places: number, locks: Locks = createLocks()): Scheduler {
  const waiting: Waiting[] = []
  let taken = 0

  const mayGo = ({ lock }: Admission): boolean => taken < places && (lock === undefined || !locks.held.has(lock))

  const start = ({ lock }: Admission, go: () => void): void => {
    taken += 1
    if (lock !== undefined) locks.held.add(lock)
    go()
  }

  /** Admits all that may go, the highest priority first, in order of arrival among equals. */
  const admit = (): void => {
    for (;;) {
      let best: Waiting | undefined
      for (const entry of waiting) {
        if (mayGo(entry.admission) && entry.admission.priority > (best?.admission.priority ?? Number.NEGATIVE_INFINITY)) best = entry
      }
      if (!best) break
      waiting.splice(waiting.indexOf(best), 1)
      start(best.admission, best.go)
    }
    if (waiting.some((entry) => entry.admission.lock !== undefined)) locks.freed.add(admit)
    else locks.freed.delete(admit)
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
      if (lock !== undefined) locks.held.delete(lock)
      if (waiting.length > 0) admit()
      if (lock !== undefined) for (const admitOther of [...locks.freed]) admitOther()
    },
  }
}
