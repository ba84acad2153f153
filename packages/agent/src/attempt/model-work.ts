/** What a model is called with. The thread driver is one: it is passed on whole. */
import type { Outbox } from '@loom-agent/kernel'
import type { Channel } from '../bus/bus.ts'
import type { Prompt } from '../context/prompt.ts'
import type { Definition } from '../definition/definition.ts'
import type { RunContext } from '../definition/run-context.ts'
import type { IdleGuard } from '../model/idle-guard.ts'

/** Everything that a model call needs. */
export interface ModelWork {
  readonly definition: Definition
  readonly context: RunContext
  readonly outbox: Outbox
  readonly prompt: Prompt
  readonly channel: Channel
  readonly guard: IdleGuard
}
