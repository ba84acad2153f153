/** Calls a listener and ignores what it throws or rejects with: it cannot change what the journal does. */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    void Promise.resolve(listener?.(event)).catch(() => {})
  } catch {
    // The work that it is notified of goes on.
  }
}
