/** agent(): one kind of agent, always durable. */
import type { Agent, Named, OutputOf } from './agent-type.ts'
import { registerAgent } from './definition/agent-definition.ts'
import type { AgentHost, AgentOptions, RunOptions } from './definition/agent-options.ts'
import { type Definition, define, type ErasedOptions, ruledTools } from './definition/definition.ts'
import { agentShape, resumeShape, runShape } from './definition/option-shapes.ts'
import type { ExplainAt } from './explain/explain-with.ts'
import type { ExplainWhat } from './explain/explanation.ts'
import type { ForkOptions, RewindOptions } from './fork/fork-types.ts'
import type { WatchOptions } from './look/watch-options.ts'
import { watchThread } from './look/watch-thread.ts'
import { checkModel } from './model/model.ts'
import { runLayerOf } from './permission/run-layer.ts'
import { expected, type Shape } from './platform/expected.ts'
import { checkOptions } from './platform/options.ts'
import { createChildRunner } from './run/children.ts'
import { compactOwn } from './run/control.ts'
import { type ControlOptions, stopDraft } from './run/control-drafts.ts'
import type { RecoverOptions } from './run/recover-types.ts'
import type { StartRequest } from './run/run-input.ts'
import { startIdOf, threadOfStart } from './run/start-once.ts'
import { startRun } from './run/start-run.ts'
import type { AdoptOptions } from './thread/adoption.ts'
import type { AgentInstance } from './thread/agent-instance.ts'
import { drainRuntime } from './thread/drain.ts'
import { createRuntime } from './thread/runtime.ts'
import type { PreviewOptions } from './travel/preview.ts'
import type { ReplayAllOptions, ThreadSelection } from './travel/replay-all.ts'
import type { ReplayOptions } from './travel/replay-types.ts'
import type { Travels } from './travel/travels.ts'
import type { SignedAnswer } from './types/answer.ts'
import { type Input, toMessages } from './types/input.ts'
import { taintOfInput } from './types/input-taint.ts'
import type { Schema } from './types/schema.ts'
import { checkThread } from './types/thread-id.ts'
import type { SignalArguments } from './types/wait.ts'

/** A function that defines agents for the given dependencies. */
export type DefineAgent<Deps> = <S extends Schema | undefined = undefined, Key extends keyof AgentOptions = never>(
  options: AgentOptions<Deps, S> & Named<Key>,
) => Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>

/**
 * Makes an agent. Without an argument in a typed call, `agent<Deps>()` returns an `agent` for those dependencies.
 *
 * @example
 * const math = agent({ name: 'math', instructions: 'Be exact.', model, tools: { add } })
 * console.log(done(await math.run('2+2?')).text)
 */
export interface AgentFactory {
  <Deps>(): DefineAgent<Deps>
  <S extends Schema | undefined = undefined, Deps = unknown, Key extends keyof AgentOptions = never>(
    options: AgentOptions<Deps, S> & Named<Key>,
  ): Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>
}

/** The factory for a host: the umbrella passes its model resolver in here. */
export function createAgentFactory(host: AgentHost): AgentFactory {
  const make = (options?: unknown): unknown => {
    if (options === undefined) return make
    if (!expected.object.fits(options)) checkOptions('agent()', options, agentShape)
    return createAgent(options as ErasedOptions, host)
  }
  return make as AgentFactory
}

/** Makes an agent whose models are objects. */
export const agent: AgentFactory = createAgentFactory({})

/** Milliseconds that work in flight has to end when the agent is drained. */
const drainGrace = 20_000

/** Makes an agent at work. One that is made from another shares what that has in this process: locks, drain, and the threads of their journal. */
function createInstance(options: ErasedOptions, host: AgentHost, from?: AgentInstance): AgentInstance {
  const defined = define(options, host, from?.definition.locks)
  const runtime = createRuntime(defined, from)
  // One clock for all agents of a runtime.
  const definition = { ...defined, ports: runtime.ports }
  return {
    definition,
    runtime,
    policies: [definition.policy],
    locks: [definition.locks],
    forkEffects: undefined,
    resolvers: [options.onQuestion],
    childRunner: createChildRunner,
  }
}

function createAgent(options: ErasedOptions, host: AgentHost, from?: AgentInstance): Agent<never, unknown> {
  const instance = createInstance(options, host, from)
  const { definition } = instance
  const { name, description, journal } = definition
  const changed = (other?: object): ErasedOptions => ({ ...options, journal, ...other }) as ErasedOptions
  const withOptions = (other?: object): AgentInstance => createInstance(changed(other), host, instance)
  return registerAgent(
    Object.freeze({
      kind: 'agent',
      name,
      description,
      journal,
      run: async (input: Input, given?: RunOptions<never>) => startRun(instance, requestOf(definition, input, given)).result(),
      start: (input: Input, given?: RunOptions<never>) => startRun(instance, requestOf(definition, input, given)),
      stream: (input: Input, given?: RunOptions<never>) => startRun(instance, requestOf(definition, input, given)).events(),
      resume(thread: string, given: Omit<RunOptions<never>, 'thread' | 'id' | 'permissions' | 'whenBusy'> = {}) {
        checkThread(thread)
        checkRun(definition, given, resumeShape)
        return startRun(instance, { thread, options: given })
      },
      watch: (thread: string, given: WatchOptions = {}) => watchThread(instance.runtime, thread, given),
      async stop(thread: string, reason?: string, options?: { by?: string }) {
        checkThread(thread)
        // Whether the run is driven or not: the request is appended before anything is driven.
        return startRun(instance, { thread, options: {}, stop: stopDraft(reason, options) }).result()
      },
      async drain(given: { grace?: number | undefined } = {}) {
        checkOptions(`drain of ${name}`, given, { grace: expected.number(0) })
        await drainRuntime(instance.runtime, given.grace ?? drainGrace)
      },
      ...methodsOnUse(instance, withOptions),
      with: ((other?: object) => createAgent(changed(other), host, instance)) as Agent<never, unknown>['with'],
    } satisfies Agent<never, unknown>),
    definition,
  )
}

type MethodsOnUse = Pick<Agent<never, unknown>, 'answer' | 'compact' | 'explain' | 'signal' | 'recover' | keyof Travels>

/** The methods whose code is loaded on use: most programs do without. */
function methodsOnUse(instance: AgentInstance, withOptions: (options?: object) => AgentInstance): MethodsOnUse {
  const { name } = instance.definition
  const travels = async (): Promise<Travels> => {
    const { travelsOf } = await import('./travel/travels.ts')
    return travelsOf(instance, withOptions)
  }
  return {
    async answer(questionId: string, answer: SignedAnswer, given: AdoptOptions = {}) {
      checkOptions(`an answer of ${name}`, given, { adopt: expected.flag })
      const { answerQuestion } = await import('./run/answer-question.ts')
      await answerQuestion(instance, { questionId, answer, ...given })
    },
    async signal(thread: string, ...sent: SignalArguments) {
      const { sendSignal } = await import('./run/send-signal.ts')
      await sendSignal(instance, thread, sent)
    },
    compact: (thread: string, given?: ControlOptions) => compactOwn(instance, thread, given),
    async recover(given: RecoverOptions = {}) {
      const { recover } = await import('./run/recover.ts')
      return recover(instance, given)
    },
    async explain(at: ExplainAt, what?: ExplainWhat) {
      const { explainWith } = await import('./explain/explain-with.ts')
      const { journal, context: strategy } = instance.definition
      return explainWith(journal, at, { what, strategy })
    },
    preview(input: Input, given: PreviewOptions<never> = {}) {
      checkRun(instance.definition, given, { ...runShape, at: expected.name })
      const messages = toMessages(input)
      return travels().then(({ preview }) => preview(messages, given))
    },
    messages: async (thread: string) => (await travels()).messages(thread),
    fork: async (at: string, given?: ForkOptions) => (await travels()).fork(at, given),
    planFork: async (at: string, given?: ForkOptions) => (await travels()).planFork(at, given),
    rewind: async (at: string, given?: RewindOptions) => (await travels()).rewind(at, given),
    planRewind: async (at: string, given?: RewindOptions) => (await travels()).planRewind(at, given),
    replay: async (thread: string, given?: ReplayOptions<never>) => (await travels()).replay(thread, given),
    async *replayAll<Verdict>(threads: ThreadSelection, given?: ReplayAllOptions<Verdict, never>) {
      yield* (await travels()).replayAll(threads, given)
    },
  }
}

/** The request that an input and the options of a run make. Throws for options that are not valid. */
function requestOf(definition: Definition, input: Input, options: RunOptions<never> = {}): StartRequest {
  checkRun(definition, options)
  const messages = toMessages(input)
  const taint = taintOfInput(input, options.taint)
  const start = startIdOf(definition, options, { messages, taint })
  const request = { messages, options, start, ...(taint && { taint }) }
  if (options.thread !== undefined) return { ...request, thread: options.thread }
  if (start) return { ...request, thread: threadOfStart(definition, start.id) }
  return { ...request, thread: definition.ports.ids(), isNew: true }
}

function checkRun(definition: Definition, given: RunOptions<never>, shape: Shape = runShape): void {
  checkOptions(`a run of ${definition.name}`, given, shape)
  if (given.thread !== undefined) checkThread(given.thread)
  if (given.model !== undefined) checkModel(given.model)
  if (given.permissions !== undefined) runLayerOf(given.permissions, ruledTools(given.tools === undefined ? definition.toolbox : undefined))
}
