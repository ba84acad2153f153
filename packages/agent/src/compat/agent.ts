/** The agent of the original Python project: three ways to create one, and a thin adapter of Loom's own. */
import { agent as defineAgent } from '../agent.ts'
import type { Agent as LoomAgent } from '../agent-type.ts'
import type { RunOptions } from '../definition/agent-options.ts'
import type { Model } from '../model/model.ts'
import type { Input } from '../types/input.ts'
import type { AgentEvent } from './events/agent-event.ts'
import { agentOptionsOf, type CompatOptions } from './options.ts'
import { resumeRun, runText, streamRun, type Threaded } from './runs.ts'
import { executeTask, type Task } from './task.ts'

/**
 * An agent by its documented name.
 *
 * @example
 * const math = Agent.create(llm, { systemPrompt: 'Be exact.', tools: [add] })
 * console.log(await math.run('2+2?'))
 */
export class Agent {
  /** Loom's own agent: everything that this class does not offer. */
  readonly loom: LoomAgent
  readonly #threaded: Threaded
  constructor(options: CompatOptions) {
    this.loom = defineAgent(agentOptionsOf(options))
    this.#threaded = { agent: this.loom, thread: options.threadId }
  }
  /** Makes an agent of a model and options. */
  static create(llm: Model, options: Omit<CompatOptions, 'llm' | 'llmProvider'> = {}): Agent {
    return new Agent({ ...options, llm })
  }
  /** Makes an agent step by step. */
  static builder(llm: Model): AgentBuilder {
    return new AgentBuilder({ llm })
  }
  /** Text in, text out; throws when there is no text to give. */
  run(input: Input, options?: RunOptions): Promise<string> {
    return runText(this.#threaded, input, options)
  }
  /** The events of a new run. */
  stream(input: Input, options?: RunOptions): AsyncGenerator<AgentEvent, void> {
    return streamRun(this.#threaded, input, options)
  }
  /** Goes on with a thread after a crash, an answer, a pause, a failure or a raised limit. */
  resume(threadId: string): AsyncGenerator<AgentEvent, void> {
    return resumeRun(this.#threaded, threadId)
  }
  /** A task in, a task out; how the task ended is in its status, never thrown. */
  executeTask(task: Task, options?: RunOptions): Promise<Task> {
    return executeTask(this.loom, task, options)
  }
}

/** Options one after another. Every step makes a new builder, so that one can be the start of several agents. */
export class AgentBuilder {
  readonly #options: CompatOptions
  constructor(options: CompatOptions) {
    this.#options = options
  }
  /** Sets the name of the agent. */
  withName(nodeId: string): AgentBuilder {
    return this.#with({ nodeId })
  }
  /** Sets the instructions. */
  withSystemPrompt(systemPrompt: string): AgentBuilder {
    return this.#with({ systemPrompt })
  }
  /** Sets the tools, as a list or keyed by name. */
  withTools(tools: NonNullable<CompatOptions['tools']>): AgentBuilder {
    return this.#with({ tools })
  }
  /** Sets the limit of turns for each run; default 50. */
  withMaxIterations(maxIterations: number): AgentBuilder {
    return this.#with({ maxIterations })
  }
  /** Sets the hooks, in the order in which they are called. */
  withHooks(hooks: NonNullable<CompatOptions['hooks']>): AgentBuilder {
    return this.#with({ hooks })
  }
  /** Sets permissions as a map of tool names to verdicts. */
  withPermissionPolicy(permissionPolicy: NonNullable<CompatOptions['permissionPolicy']>): AgentBuilder {
    return this.#with({ permissionPolicy })
  }
  /** Sets permissions as a policy of Loom. */
  withToolPolicy(toolPolicy: NonNullable<CompatOptions['toolPolicy']>): AgentBuilder {
    return this.#with({ toolPolicy })
  }
  /** Sets the journal; default: in memory. */
  withEventJournal(eventJournal: NonNullable<CompatOptions['eventJournal']>): AgentBuilder {
    return this.#with({ eventJournal })
  }
  /** Sets the thread of all runs; default: a new one for each. */
  withThreadId(threadId: string): AgentBuilder {
    return this.#with({ threadId })
  }
  /** Ends runs only through the tool `done`. */
  withRequireDoneTool(requireDoneTool = true): AgentBuilder {
    return this.#with({ requireDoneTool })
  }
  /** The agent. */
  build(): Agent {
    return new Agent(this.#options)
  }
  #with(options: CompatOptions): AgentBuilder {
    return new AgentBuilder({ ...this.#options, ...options })
  }
}
