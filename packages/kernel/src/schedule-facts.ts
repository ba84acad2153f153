/** Facts about schedules and webhooks, which have threads of their own. */
import type { Json, JsonObject } from './json.ts'
import type { Limits } from './run-request.ts'

/** The last due time, in milliseconds since 1970. */
type Until = Readonly<{ until?: number }>
/** When a schedule is due: once, at the times of a cron expression in a time zone, or again and again after so many milliseconds. */
export type Timing = Readonly<{ at: number }> | (Readonly<{ cron: string; zone: string } | { interval: number; from: number }> & Until)
/** What each run of a schedule is started with: an input as users give it. Without a thread, each has a new one. */
export type ScheduledStart = Readonly<{ input: Json; thread?: string; whenBusy?: 'queue' | 'steer' | 'reject' }> &
  Readonly<{ limits?: Limits; settings?: JsonObject; metadata?: JsonObject }>
/** What happens to due times that are further back than `grace` milliseconds: none, the last or the last `most` of them are started. */
export type MissedRule = Readonly<{ missed: 'skip' | 'once' | 'all'; most: number; grace: number }>
/** A schedule: due times after `from` are decided about. */
export type ScheduleSet = MissedRule &
  Readonly<{ name: string; agent: string; timing: Timing; start: ScheduledStart; from: number; paused?: true; by?: string }>
/** What became of a due time. */
export type DueRun = Readonly<{ time: number } & ({ thread: string; run: string } | { error: { code: string; message: string } })>
/** A delivery that was given up. */
export type DroppedDelivery = Readonly<{ id: string; thread: string; seq: number; attempts: number; problem: string }>

/** When a schedule is looked at next, in milliseconds since 1970. */
type Wake = { wakeAt?: number }
/** What each type of these events carries. */
export interface ScheduleData {
  /** A schedule was set, changed, paused or let go on: the latest counts. */
  'schedule.set': ScheduleSet & Wake
  /** All due times up to `to` were decided about, by the schedule that was set at `set`: the intent to start some of them, and those that start nothing. */
  'schedule.due': { set: number; to: number; starts: readonly number[]; skipped?: { from: number; to: number } } & Wake
  /** What the last decision asked for was started. */
  'schedule.started': { runs: readonly DueRun[] } & Wake
  /** A webhook has delivered or given up all up to a position of the feed. `stale`: the position before is not in this journal. The fold ignores it. */
  'webhook.moved': { cursor: string; delivered: number; dropped?: readonly DroppedDelivery[]; stale?: true }
}
