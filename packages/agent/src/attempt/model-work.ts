/** What calling a model needs. The thread driver has all of it and is passed as it is. */
import type { Outbox } from '@loom-agent/kernel'
import type { Channel } from '../bus/bus.ts'
import type { Prompt } from '../context/prompt.ts'
import type { Definition } from '../definition/definition.ts'
import type { RunContext } from '../definition/run-context.ts'
import type { IdleGuard } from '../model/idle-guard.ts'

/** The parts that a model call uses. */
export interface ModelWork {
  readonly definition: Definition
  readonly context: RunContext
  readonly outbox: Outbox
  readonly prompt: Prompt
  readonly channel: Channel
  readonly guard: IdleGuard
  /** Called when an attempt has ended. */
  readonly attemptEnded: () => void
}
