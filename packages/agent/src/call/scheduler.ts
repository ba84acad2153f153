/** The scheduler: who runs now. Places are limited, locks exclude, priority orders those that wait. */

/** A request for a place. */
export interface Turn {
  readonly priority: number
  readonly lock?: string | undefined
}

/** Gives places to calls. */
export interface Scheduler {
  /** Calls back when the place is there: at once if it is free. The callback gets what gives the place back. */
  enter(turn: Turn, go: (leave: () => void) => void): { cancel(): void }
}

interface Waiting {
  readonly turn: Turn
  readonly go: (leave: () => void) => void
}

/** Locks that several schedulers respect: those of all runs of an agent. */
export interface Locks {
  readonly held: Set<string>
  /** Called when a lock is given back. */
  readonly freed: Set<() => void>
}

/** Locks that nobody holds. */
export function createLocks(): Locks {
  return { held: new Set(), freed: new Set() }
}

/** A scheduler with this many places. */
export function createScheduler(places: number, locks: Locks = createLocks()): Scheduler {
  const waiting: Waiting[] = []
  let taken = 0

  const mayGo = ({ turn }: Waiting): boolean => taken < places && (turn.lock === undefined || !locks.held.has(turn.lock))

  const start = (entry: Waiting): void => {
    const { lock } = entry.turn
    taken += 1
    if (lock !== undefined) locks.held.add(lock)
    let left = false
    entry.go(() => {
      if (left) return
      left = true
      taken -= 1
      if (lock !== undefined) locks.held.delete(lock)
      admit()
      if (lock !== undefined) for (const admitOther of [...locks.freed]) admitOther()
    })
  }

  /** Lets in all that may go, the highest priority first, in order of arrival among equals. */
  const admit = (): void => {
    for (;;) {
      let best: Waiting | undefined
      for (const entry of waiting) {
        if (mayGo(entry) && entry.turn.priority > (best?.turn.priority ?? Number.NEGATIVE_INFINITY)) best = entry
      }
      if (!best) break
      waiting.splice(waiting.indexOf(best), 1)
      start(best)
    }
    if (waiting.some((entry) => entry.turn.lock !== undefined)) locks.freed.add(admit)
    else locks.freed.delete(admit)
  }

  return {
    enter(turn, go) {
      const entry: Waiting = { turn, go }
      if (waiting.length === 0 && mayGo(entry)) start(entry)
      else {
        waiting.push(entry)
        admit()
      }
      return {
        cancel() {
          const index = waiting.indexOf(entry)
          if (index !== -1) waiting.splice(index, 1)
          admit()
        },
      }
    },
  }
}
