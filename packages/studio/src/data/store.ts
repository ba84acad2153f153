/** A value that changes, and those who are notified of it. */

/** A value that can be read and followed. */
export interface Readable<T> {
  /** The value now. */
  get(): T
  /** Calls a listener after each change; returns what ends that. */
  subscribe(listener: () => void): () => void
}

/** A value that can be set as well. */
export interface Store<T> extends Readable<T> {
  /** Sets the value. The same value again notifies nobody. */
  set(value: T): void
}

/** Makes a store. */
export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
