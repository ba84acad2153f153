/** Steering by the names of the original Python project: an adapter of the handle of a run. A request is durable before it is carried out. */

import { LoomError } from '@loom-agent/kernel'
import type { Agent } from '../agent-type.ts'
import { notify } from '../platform/call-user.ts'
import type { RunHandle } from '../run/run-handle.ts'
import { storedFrame } from '../travel/stored-frame.ts'
import { approve, reject } from '../types/answer.ts'
import type { RunEvent } from '../types/run-event.ts'
import { type EventKind, kindOf } from '../view/kinds.ts'

/** Controls a run: abort, pause, resume, and messages by priority. */
export class SteeringControl {
  readonly #agent: Pick<Agent, 'journal' | 'resume'>
  readonly #run: RunHandle
  constructor(agent: Pick<Agent, 'journal' | 'resume'>, run: RunHandle) {
    this.#agent = agent
    this.#run = run
  }
  /** Stops the run; the signal reaches model, tools and children. */
  abort(reason?: string): Promise<void> {
    return this.#run.stop(reason)
  }
  /** Stops at the next safe point; nothing polls meanwhile. */
  pause(): Promise<void> {
    return this.#run.pause()
  }
  /** Resumes a run that was paused. */
  resume(): RunHandle {
    return this.#agent.resume(this.#run.thread)
  }
  /** Sends the run a message for its next turn; the highest priority goes first. */
  sendMessage(text: string, priority = 0): Promise<void> {
    return this.#run.steer(text, { priority })
  }
  /** Whether the run was asked to stop, or was stopped. */
  async isAborted(): Promise<boolean> {
    const { run } = await storedFrame(this.#agent.journal, this.#run.thread)
    return run?.stop?.kind === 'cancelled' || run?.end?.kind === 'cancelled'
  }
  /** Whether the run was asked to pause and has not been resumed. */
  async isPaused(): Promise<boolean> {
    const { run } = await storedFrame(this.#agent.journal, this.#run.thread)
    return run?.pause === true
  }
}

/** What can be published: control of the run, or the answer to a permission question. */
export type SteeringEvent =
  | {
      readonly type: 'control'
      /** What to do with the run. */
      readonly action: 'abort' | 'pause' | 'resume'
      /** Why it is aborted, or why a permission is refused. */
      readonly reason?: string
    }
  | {
      readonly type: 'control'
      readonly action: 'message'
      /** The message for the next turn. */
      readonly text: string
      /** Higher goes first; default 0. */
      readonly priority?: number
    }
  | {
      readonly type: 'permission'
      /** The id of the question. */
      readonly question: string
      /** Whether it is approved or rejected. */
      readonly allow: boolean
      readonly reason?: string
    }

/** A bus to and from one run: subscribe to events by kind, publish steering. */
export class EventBus {
  /** The control of the run. */
  readonly steering: SteeringControl
  readonly #run: RunHandle
  constructor(agent: Pick<Agent, 'journal' | 'resume'>, run: RunHandle) {
    this.steering = new SteeringControl(agent, run)
    this.#run = run
  }
  /** Calls the listener for each event of a kind until the run rests. Returns a function that ends it earlier. What a listener throws is ignored. */
  subscribe(kind: EventKind, listener: (event: RunEvent) => void): () => void {
    const events = this.#run.events()
    const listen = async (): Promise<void> => {
      for await (const event of events) if (kindOf(event) === kind) notify(listener, event)
    }
    // A failure of the run is in its result.
    listen().catch(() => {})
    return () => void events.return?.()
  }
  /** Carries out the event; resolves when it is durable. */
  async publish(event: SteeringEvent): Promise<void> {
    if (event.type === 'permission') {
      return this.#run.answer(event.question, event.allow ? approve() : reject(event.reason))
    }
    switch (event.action) {
      case 'abort':
        return this.steering.abort(event.reason)
      case 'pause':
        return this.steering.pause()
      case 'resume':
        return void this.steering.resume()
      case 'message':
        return this.steering.sendMessage(event.text, event.priority)
      default:
        throw new LoomError('LOOM_OPTION_INVALID', 'Only control and permission events can be published. Subscribe to progress and errors.')
    }
  }
}
