/**
 * Loads a view of something that changes.
 *
 * LOADER-1. Of one thing one load is under way at a time. What changes meanwhile is loaded once, afterwards: a busy thread is not asked for more often than
 *     it can be read.
 * LOADER-2. What was loaded stays until newer data of the same thing is there; of another thing nothing stays.
 */

/** What was loaded, and how that stands. */
export interface Loaded<T> {
  /** What it is of. */
  readonly of: string
  /** The data; `undefined` until the first load has ended. */
  readonly data: T | undefined
  /** Why the last load failed. */
  readonly error: unknown
  /** Whether newer data is being loaded. */
  readonly isLoading: boolean
}

/** What is wanted: of what, in which version of it, and how it is loaded. */
export interface Wanted<T> {
  readonly of: string
  readonly version: string
  load(): Promise<T>
}

/** Loads what is wanted. */
export interface Loader<T> {
  /** Wants something. The same version again does nothing. */
  want(wanted: Wanted<T>): void
  /** Ends: nothing is notified any more. */
  close(): void
}

/** Makes a loader, which notifies of every change. */
export function createLoader<T>(notify: (loaded: Loaded<T>) => void): Loader<T> {
  let wanted: Wanted<T> | undefined
  let busyWith: string | undefined
  let known: Loaded<T> | undefined

  const tell = (loaded: Loaded<T>): void => {
    known = loaded
    notify(loaded)
  }

  const run = async (of: string): Promise<void> => {
    busyWith = of
    while (wanted?.of === of) {
      const one = wanted
      let ended: { readonly data: T } | { readonly error: unknown }
      try {
        ended = { data: await one.load() }
      } catch (error) {
        ended = { error }
      }
      // Another thing is wanted by now, and its own load notifies of it.
      if (busyWith !== of || wanted?.of !== of) return
      const isLoading = wanted !== one
      const data = 'data' in ended ? ended.data : known?.data
      tell({ of, data, error: 'error' in ended ? ended.error : undefined, isLoading })
      if (!isLoading) break
    }
    if (busyWith === of) busyWith = undefined
  }

  return {
    want(next) {
      if (wanted?.of === next.of && wanted.version === next.version) return
      const isOther = wanted?.of !== next.of
      wanted = next
      tell({ of: next.of, data: isOther ? undefined : known?.data, error: isOther ? undefined : known?.error, isLoading: true })
      if (isOther || busyWith !== next.of) void run(next.of)
    },
    close() {
      wanted = undefined
      busyWith = undefined
    },
  }
}
