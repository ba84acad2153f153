/** The executor of the original Python project: the same agent under other names. */
import { agent as defineAgent } from '../agent.ts'
import type { Agent as LoomAgent } from '../agent-type.ts'
import type { RunOptions } from '../definition/agent-options.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { Input } from '../types/input.ts'
import type { AgentEvent } from './events/agent-event.ts'
import { type AgentStreamResponse, streamResponses } from './events/stream-response.ts'
import { agentOptionsOf, type CompatOptions } from './options.ts'
import { onThread, resumeRun, runText, streamRun, type Threaded } from './runs.ts'

/**
 * Executes inputs.
 *
 * @example
 * const executor = new AgentExecutor({ llm, tools: [add] })
 * for await (const response of executor.execute('2+2?')) if (response.type === 'text_delta') write(response.content)
 */
export class AgentExecutor {
  /** Loom's own agent: everything that this class does not offer. */
  readonly loom: LoomAgent
  readonly #threaded: Threaded
  constructor(options: CompatOptions) {
    this.loom = defineAgent(agentOptionsOf(options))
    this.#threaded = { agent: this.loom, thread: options.threadId }
  }
  /** The seven stream types of a new run. */
  execute(input: Input, options?: RunOptions): AsyncGenerator<AgentStreamResponse, void> {
    return streamResponses(this.start(input, options).events())
  }
  /** The events of a new run: the recursion, turn by turn. */
  tt(input: Input, options?: RunOptions): AsyncGenerator<AgentEvent, void> {
    return streamRun(this.#threaded, input, options)
  }
  /** Text in, text out; throws when there is no text to give. */
  run(input: Input, options?: RunOptions): Promise<string> {
    return runText(this.#threaded, input, options)
  }
  /** Starts a run and returns its handle at once, for an EventBus or a SteeringControl. */
  start(input: Input, options?: RunOptions): RunHandle {
    return this.loom.start(input, onThread(this.#threaded, options))
  }
  /** Goes on with a thread after a crash, an answer, a pause, a failure or a raised limit. */
  resume(threadId: string): AsyncGenerator<AgentEvent, void> {
    return resumeRun(this.#threaded, threadId)
  }
}
