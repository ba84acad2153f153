/** The locks of an agent: calls that name the same one exclude each other, in all its runs in this process. */

/** Which locks are held, and what waits for one. */
export interface Locks {
  readonly held: Set<string>
  /** Called when a lock is given back. */
  readonly freed: Set<() => void>
}

/** Locks, all of them free. */
export function createLocks(): Locks {
  return { held: new Set(), freed: new Set() }
}
