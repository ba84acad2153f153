/** Steering by the names of the original Python project: an adapter of the handle of a run. A request is durable before it is carried out. */
import { frameAt, LoomError } from '@loom-agent/kernel'
import type { Agent, RunEvent, RunHandle } from '../agent-type.ts'
import { approve, reject } from '../human/answer.ts'
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
  async isAborted(): Promise<boolean> {
    const { run } = await frameAt(this.#agent.journal, this.#run.thread)
    return run?.stop?.kind === 'cancelled' || run?.end?.kind === 'cancelled'
  }
  async isPaused(): Promise<boolean> {
    const { run } = await frameAt(this.#agent.journal, this.#run.thread)
    return run?.pause === true
  }
}

/** What can be published: control of the run, or the answer to a permission question. */
export type SteeringEvent =
  | { readonly type: 'control'; readonly action: 'abort' | 'pause' | 'resume'; readonly reason?: string }
  | { readonly type: 'control'; readonly action: 'message'; readonly text: string; readonly priority?: number }
  | { readonly type: 'permission'; readonly question: string; readonly allow: boolean; readonly reason?: string }

/** A bus to and from one run: subscribe to events by kind, publish steering. */
export class EventBus {
  readonly steering: SteeringControl
  readonly #run: RunHandle
  constructor(agent: Pick<Agent, 'journal' | 'resume'>, run: RunHandle) {
    this.steering = new SteeringControl(agent, run)
    this.#run = run
  }
  /** Calls the listener for each event of a kind until the run rests. Returns a function that ends it earlier. A listener must not throw. */
  subscribe(kind: EventKind, listener: (event: RunEvent) => void): () => void {
    const events = this.#run.events()
    const listen = async (): Promise<void> => {
      for await (const event of events) if (kindOf(event) === kind) listener(event)
    }
    // The run's own result has its failure; what a listener throws concerns nobody else.
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
