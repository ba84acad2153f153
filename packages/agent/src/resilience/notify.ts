/** Telling those who only listen. */

/** Calls a listener that cannot change what happens, and so cannot break it: what it throws is its own problem. */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    const told = listener?.(event)
    if (told instanceof Promise) told.catch(() => {})
  } catch {
    // A listener that fails must not turn a success into a failure.
  }
}
