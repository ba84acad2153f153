/** What a run emits. */
import type { LoomEvent } from '@loom-agent/kernel'
import type { Signal } from './signal.ts'

/** A durable event, or a live and provisional signal. */
export type RunEvent = LoomEvent | Signal
