/** Looking at schedules again and again: when the next of them is due, when one was set here, and every so often for those that others set. */
import { systemClock } from '@loom-agent/agent'
import { type ScheduledAgent, type StartDueOptions, startDue } from './start-due.ts'

/** How often is looked. */
export interface SchedulerOptions extends StartDueOptions {
  /** Milliseconds between two looks at most. */
  readonly every: number
}

/** Starts what is due until it is closed. */
export interface Scheduler {
  /** Looks at once, or again when the look that is under way has ended. */
  look(): void
  /** Looks no more. Resolves when the look that is under way has ended. */
  close(): Promise<void>
}

/** Makes a scheduler. It looks for the first time when it is asked to. */
export function createScheduler(agents: readonly ScheduledAgent[], { every, onError }: SchedulerOptions): Scheduler {
  let cancel: () => void = () => {}
  let looking: Promise<void> | undefined
  let isAsked = false
  let isClosed = false
  const lookOnce = async (): Promise<void> => {
    const next = await startDue(agents, { onError, ahead: every }).catch((error: unknown) => {
      onError?.(error)
      return undefined
    })
    looking = undefined
    if (isClosed) return
    if (isAsked) return begin()
    cancel = systemClock.at(systemClock.now() + Math.min(every, next?.in ?? every), begin)
  }
  const begin = (): void => {
    cancel()
    isAsked = looking !== undefined
    if (!isClosed && !looking) looking = lookOnce()
  }
  return {
    look: begin,
    async close() {
      isClosed = true
      cancel()
      await looking
    },
  }
}
