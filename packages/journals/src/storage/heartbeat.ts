/**
 * The heartbeat of a journal object that holds threads, and for how long its leases are certainly valid.
 *
 * LIVE-3. There is a timer only while the object holds a thread, and it keeps no process alive.
 * LIVE-8. A lease is valid while less time has passed since the last acknowledged heartbeat was sent than a lease lasts without one. The time is that
 *         of a monotonic clock: changes of the wall clock do not count.
 */
import { heartbeatInterval, heartbeatTimeout } from './liveness.ts'
import { type Expected, numberFrom } from './options.ts'
import { createStandby, type StandbyWork } from './standby-heartbeat.ts'

/** When heartbeats are sent. Times are in milliseconds. */
export interface HeartbeatOptions {
  /** The time between two heartbeats, 10,000 by default and at most. In SQLite a process is gone after three of them: give all processes the same. */
  readonly every?: number
  /**
   * A worker sends the heartbeats while the event loop stands still, such as in a tool that computes without a pause. After this time, 300,000 by
   * default, it stops: the process counts as gone, and another one may take its threads.
   */
  readonly stall?: number
}

/** What the options of heartbeats must be. */
export const heartbeatTable: Readonly<Record<keyof HeartbeatOptions, Expected>> = {
  every: {
    words: `a number from 1 to ${heartbeatInterval}: other processes count this one as gone after three times that`,
    fits: (value) => typeof value === 'number' && value >= 1 && value <= heartbeatInterval,
  },
  stall: numberFrom(1),
}

/** The heartbeats of a journal object. */
export interface Heartbeat {
  /** Threads are held from now on: heartbeats are sent, and `also` is called with each. */
  start(also: () => void): void
  /** No thread is held any more. */
  stop(): void
  /** Sends one now. */
  beat(): Promise<void>
  /** One that was sent at this moment of `now` was acknowledged. */
  acknowledged(sent: number): void
  /** Whether a lease is certainly valid (LIVE-8). Code that may block follows: from now on the worker is ready. */
  isValid(): boolean
  /** Whether the next one should have been sent by now. */
  isOverdue(): boolean
  /** The monotonic clock. */
  now(): number
  end(): Promise<void>
}

/** What heartbeats of one kind of store are. */
export interface HeartbeatWork extends HeartbeatOptions {
  /** Sends one; resolves when it is acknowledged. */
  readonly send: () => Promise<unknown>
  /** How a worker sends one; undefined where the main thread alone can. */
  readonly standby?: StandbyWork | undefined
  /** How long a lease lasts without a heartbeat; 30,000 by default. */
  readonly timeout?: number
  /** A monotonic clock; by default that of the process. */
  readonly now?: (() => number) | undefined
}

/** Makes heartbeats that are not sent yet. */
export function createHeartbeat(work: HeartbeatWork): Heartbeat {
  const { every = heartbeatInterval, stall = 30 * heartbeatInterval, timeout = heartbeatTimeout } = work
  const now = work.now ?? ((): number => performance.now())
  const standby = work.standby && createStandby(work.standby, { every, stall }, now)
  let last = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let isReady = false
  const acknowledged = (sent: number): void => {
    last = Math.max(last, sent)
  }
  const beat = async (): Promise<void> => {
    const sent = now()
    await work.send()
    acknowledged(sent)
  }
  const getReady = (): void => {
    if (isReady) return
    isReady = true
    standby?.hold()
  }
  const tick = (also: () => void): void => {
    getReady()
    standby?.pulse()
    also()
    // A heartbeat that fails is made up for by the next one. If that is too late, the epoch keeps this driver from writing.
    beat().catch(() => {})
  }
  const since = (): number => now() - Math.max(last, standby?.acknowledged() ?? last)
  return {
    start(also) {
      if (timer) return
      standby?.pulse()
      timer = setInterval(() => tick(also), every).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
      isReady = false
      standby?.rest()
    },
    beat,
    acknowledged,
    isValid() {
      getReady()
      return since() < timeout
    },
    isOverdue: () => since() >= every,
    now,
    end: async () => standby?.end(),
  }
}
