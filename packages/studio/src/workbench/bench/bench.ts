/** What the parts of the workbench share: the thread, its spans, and the one selection, which is a moment. */
import type { Columns } from '@loom-agent/telemetry'
import type { Chart } from '../flame/rectangles.ts'

/** A thread as the server lists it. */
export interface ThreadHead {
  readonly thread: string
  readonly incarnation: string
  readonly status: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial'
  readonly agent?: string | undefined
  readonly parent?: string | undefined
  readonly forkOf?: string | undefined
  readonly holder?: string | undefined
  readonly wakeAt?: number | undefined
  readonly seq: number
  readonly began: number
  readonly changed: number
}

/** A thread that is looked at. */
export interface Bench {
  readonly head: ThreadHead
  readonly columns: Columns
  readonly chart: Chart
  /** The moment that was chosen; `undefined`: the end, as it moves on. */
  readonly seq: number | undefined
  /** The event of the moment. */
  readonly at: number
  /** The span that the moment is about; -1 without one. */
  readonly span: number
  /** Chooses a moment; `undefined` follows the end. */
  select(seq: number | undefined): void
}
