/** The agent of the original Python project, which is its executor too: three ways to create one, and a thin adapter of Loom's own. */
import { emptyFrame, evolve, type Frame, isOver, type Journal, LoomError, readEvents } from '@loom-agent/kernel'
import { agent as defineAgent } from '../agent.ts'
import type { Agent as LoomAgent } from '../agent-type.ts'
import type { RunOptions } from '../definition/agent-options.ts'
import type { Model } from '../model/model.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { Input } from '../types/input.ts'
import type { AgentEvent } from './events/agent-event.ts'
import { agentEvents } from './events/projection.ts'
import { type AgentStreamResponse, streamResponses } from './events/stream-response.ts'
import { agentOptionsOf, type CompatOptions } from './options.ts'
import { executeTask, type Task } from './task.ts'

/**
 * An agent by its documented name. `AgentExecutor` is another name of it.
 *
 * @example
 * const math = Agent.create(llm, { systemPrompt: 'Be exact.', tools: [add] })
 * console.log(await math.run('2+2?'))
 */
export class Agent {
  /** Loom's own agent: everything that this class does not offer. */
  readonly loom: LoomAgent
  readonly #onThread: RunOptions
  constructor(options: CompatOptions) {
    this.loom = defineAgent(agentOptionsOf(options))
    this.#onThread = options.threadId === undefined ? {} : { thread: options.threadId }
  }
  /** Makes an agent of a model and options. */
  static create(llm: Model, options: Omit<CompatOptions, 'llm' | 'llmProvider'> = {}): Agent {
    return new Agent({ ...options, llm })
  }
  /** Makes an agent step by step. */
  static builder(llm: Model): AgentBuilder {
    return new AgentBuilder({ llm })
  }
  /** Text in, text out; throws when there is no text to give. What a limit or a loop left unfinished is given as far as it goes. */
  async run(input: Input, options?: RunOptions): Promise<string> {
    return textOfResult(await this.start(input, options).result())
  }
  /** The events of a new run. */
  stream(input: Input, options?: RunOptions): AsyncGenerator<AgentEvent, void> {
    return agentEvents(this.start(input, options).events())
  }
  /** The events of a new run: the recursion, turn by turn. */
  tt(input: Input, options?: RunOptions): AsyncGenerator<AgentEvent, void> {
    return this.stream(input, options)
  }
  /** The seven stream types of a new run. */
  execute(input: Input, options?: RunOptions): AsyncGenerator<AgentStreamResponse, void> {
    return streamResponses(this.start(input, options).events())
  }
  /** Starts a run and returns its handle at once, for an EventBus or a SteeringControl. */
  start(input: Input, options?: RunOptions): RunHandle {
    return this.loom.start(input, { ...this.#onThread, ...options })
  }
  /** Goes on with a thread after a crash, an answer, a pause, a failure or a raised limit; of a run that is over, returns its end. */
  async *resume(threadId: string): AsyncGenerator<AgentEvent, void> {
    const after = await lastRest(this.loom.journal, threadId)
    yield* agentEvents(this.loom.resume(threadId).events({ from: after.seq + 1 }), { after })
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

/** A run that fails, is cancelled or waits for an answer has no text to give: it throws, and the error says how to go on. */
function textOfResult(result: Awaited<ReturnType<LoomAgent['run']>>): string {
  const { thread, text, status } = result
  if (status === 'failed') throw new LoomError('LOOM_RUN_FAILED', result.error.message, { context: { thread, code: result.error.code } })
  if (status === 'stopped' && result.kind === 'cancelled') throw new LoomError('LOOM_ABORTED', result.reason, { context: { thread } })
  if (status !== 'waiting') return text
  const asked = result.questions.map(({ prompt }) => prompt).join(' ')
  const questions = result.questions.map(({ id }) => id)
  throw new LoomError('LOOM_RUN_FAILED', `The run waits: ${asked} Answer the question and resume the thread.`, { context: { thread, questions } })
}

/** The frame at which the run last came to rest. */
async function lastRest(journal: Journal, thread: string): Promise<Frame> {
  let rest: Frame | undefined
  let before = emptyFrame(thread)
  let frame = before
  for await (const event of readEvents(journal, thread)) {
    before = frame
    frame = evolve(frame, event)
    if (event.type === 'run.started') rest = undefined
    else if (event.type === 'run.suspended' || event.type === 'run.failed') rest = frame
  }
  return rest ?? (frame.run && isOver(frame.run) ? before : frame)
}
