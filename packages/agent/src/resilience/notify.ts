/** Telling those who only listen. */

/** Calls a listener that cannot change what happens, and so cannot break it: what it throws is its own problem. */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    const returned = listener?.(event)
    if (returned instanceof Promise) returned.catch(() => {})
  } catch {
    // A listener that fails must not turn a success into a failure.
  }
}
