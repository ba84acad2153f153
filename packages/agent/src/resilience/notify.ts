/** Notifying listeners. */

/** Calls a listener and ignores what it throws or rejects with: it cannot change what happens. */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    void Promise.resolve(listener?.(event)).catch(() => {})
  } catch {
    // A listener that fails must not turn a success into a failure.
  }
}
