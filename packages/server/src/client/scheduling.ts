/** The operations of schedules and webhooks. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Input, ModelSettings } from '@loom-agent/agent'
import type { DroppedDelivery, DueRun, JsonObject, Limits, ScheduledStart, Timing } from '@loom-agent/kernel'

/** The operations of schedules and webhooks. */
export interface Scheduling {
  /** The schedules, by name, each with its next due times. */
  readonly listSchedules: {
    readonly reply: {
      readonly items: readonly {
        readonly name: string
        readonly agent: string
        readonly timing: Timing
        readonly start: ScheduledStart
        readonly missed: 'skip' | 'once' | 'all'
        readonly most: number
        readonly grace: number
        readonly paused: boolean
        readonly next: readonly number[]
        readonly last: readonly DueRun[]
      }[]
    }
  }
  /** A schedule with its next due times. */
  readonly getSchedule: {
    readonly params: { readonly schedule: string }
    readonly query: { readonly count?: number | undefined }
    readonly reply: {
      readonly name: string
      readonly agent: string
      readonly timing: Timing
      readonly start: ScheduledStart
      readonly missed: 'skip' | 'once' | 'all'
      readonly most: number
      readonly grace: number
      readonly paused: boolean
      readonly next: readonly number[]
      readonly last: readonly DueRun[]
    }
  }
  /** Sets a schedule, or changes the one of this name. Due times from now on count. */
  readonly setSchedule: {
    readonly params: { readonly schedule: string }
    readonly body: {
      readonly agent: string
      readonly input: Input
      readonly at?: number | undefined
      readonly every?: string | undefined
      readonly zone?: string | undefined
      readonly until?: number | undefined
      readonly thread?: string | undefined
      readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined
      readonly limits?: Limits | undefined
      readonly settings?: ModelSettings | undefined
      readonly metadata?: JsonObject | undefined
      readonly missed?: 'skip' | 'once' | 'all' | undefined
      readonly most?: number | undefined
      readonly grace?: number | undefined
      readonly paused?: boolean | undefined
    }
    readonly reply: {
      readonly name: string
      readonly agent: string
      readonly timing: Timing
      readonly start: ScheduledStart
      readonly missed: 'skip' | 'once' | 'all'
      readonly most: number
      readonly grace: number
      readonly paused: boolean
      readonly next: readonly number[]
      readonly last: readonly DueRun[]
    }
  }
  /** Removes a schedule and its record. The runs that it has started stay. */
  readonly removeSchedule: {
    readonly params: { readonly schedule: string }
    readonly reply: undefined
  }
  /** Pauses a schedule: it starts nothing until it is let go on. */
  readonly pauseSchedule: {
    readonly params: { readonly schedule: string }
    readonly reply: {
      readonly name: string
      readonly agent: string
      readonly timing: Timing
      readonly start: ScheduledStart
      readonly missed: 'skip' | 'once' | 'all'
      readonly most: number
      readonly grace: number
      readonly paused: boolean
      readonly next: readonly number[]
      readonly last: readonly DueRun[]
    }
  }
  /** Lets a paused schedule go on. Due times from now on count. */
  readonly resumeSchedule: {
    readonly params: { readonly schedule: string }
    readonly reply: {
      readonly name: string
      readonly agent: string
      readonly timing: Timing
      readonly start: ScheduledStart
      readonly missed: 'skip' | 'once' | 'all'
      readonly most: number
      readonly grace: number
      readonly paused: boolean
      readonly next: readonly number[]
      readonly last: readonly DueRun[]
    }
  }
  /** Takes a delivery of another program, which its signature names: starts or steers a run, or does nothing. Sent twice, it is one run. */
  readonly takeDelivery: {
    readonly params: { readonly hook: string }
    readonly reply: { readonly thread: string; readonly run: string; readonly seq: number }
  }
  /** The webhooks of which the journal knows how far they are. */
  readonly listWebhooks: {
    readonly reply: {
      readonly items: readonly {
        readonly name: string
        readonly cursor: string
        readonly moved: number
        readonly holder?: string | undefined
        readonly dropped: readonly DroppedDelivery[]
      }[]
    }
  }
}
