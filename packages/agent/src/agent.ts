/** agent(): one kind of agent, always durable. */
import { items, LoomError } from '@loom-agent/kernel'
import type { Agent, AgentHost, AgentOptions, OutputOf, RunHandle, RunOptions } from './agent-type.ts'
import { createRenderer } from './context/render.ts'
import { checkLimits, type Definition, define, type ErasedOptions } from './definition/definition.ts'
import type { SignedAnswer } from './types/answer.ts'
import { parseQuestionId } from './question/questions.ts'
import { type Input, toMessages, type UserMessages } from './types/input.ts'
import { checkModel, settingKeys } from './model/model.ts'
import { checkOptions } from './platform/options.ts'
import { answerAndWake } from './run/answer-question.ts'
import type { Runtime } from './thread/thread-driver.ts'
import { launch } from './run/start-run.ts'
import { previewOf } from './run/preview.ts'
import { type RecoverOptions, recover } from './run/recover.ts'
import type { Result } from './types/result.ts'
import { checkThread } from './thread/append-input.ts'
import { createWorld } from './thread/runtime.ts'
import type { Schema } from './types/schema.ts'
import type { ReplayOptions } from './travel/replay-thread.ts'
import { travelsOf } from './travel/travels.ts'

/** A function that defines agents for the given dependencies. */
export type DefineAgent<Deps> = <S extends Schema | undefined = undefined, Key extends keyof AgentOptions = never>(
  options: AgentOptions<Deps, S> & Named<Key>,
) => Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>

/** Options of which only the names are known: whether `deps` is among them decides what a run must bring. */
type Named<Key extends string> = { readonly [K in Key]?: unknown }

/**
 * Makes an agent. Without an argument in a typed call, `agent<Deps>()` answers an `agent` for those dependencies.
 *
 * @example
 * const math = agent({ name: 'math', instructions: 'Be exact.', model, tools: { add } })
 * console.log((await math.run('2+2?')).text)
 */
export interface AgentFactory {
  <Deps>(): DefineAgent<Deps>
  <S extends Schema | undefined = undefined, Deps = unknown, Key extends keyof AgentOptions = never>(
    options: AgentOptions<Deps, S> & Named<Key>,
  ): Agent<Deps, OutputOf<S>, 'deps' extends Key ? true : false>
}

/** The factory for a host: the umbrella hands its model resolver in here. */
export function createAgentFactory(host: AgentHost): AgentFactory {
  const make = (options?: unknown): unknown => (options === undefined ? make : createAgent(options as ErasedOptions, host))
  return make as AgentFactory
}

/** Makes an agent whose models are objects. */
export const agent: AgentFactory = createAgentFactory({})

const runKeys = ['thread', 'deps', 'model', 'tools', 'settings', 'limits', 'signal', 'metadata', 'onQuestion', 'whenBusy'] as const

function createAgent(options: ErasedOptions, host: AgentHost): Agent<never, unknown> {
  const definition = define(options, host)
  const runtime: Runtime = {
    definition,
    world: createWorld(definition),
    policies: [definition.policy],
    ancestors: [],
    onQuestion: options.onQuestion,
    launch,
  }
  const start = (input: Input, given: RunOptions<never> = {}): RunHandle<unknown> => {
    checkRun(definition, given)
    const messages = toMessages(input)
    const fresh = given.thread === undefined
    return launch(runtime, { thread: given.thread ?? definition.ports.ids(), messages, options: given, fresh })
  }
  const changed = (given: ReplayOptions): Agent<never, unknown> =>
    createAgent({ ...options, ...given.with, journal: definition.journal } as ErasedOptions, host)
  return Object.freeze({
    kind: 'agent',
    name: definition.name,
    description: definition.description,
    definition,
    journal: definition.journal,
    run: async (input: Input, given?: RunOptions<never>) => start(input, given).result() as Promise<Result<unknown>>,
    start,
    stream: (input: Input, given?: RunOptions<never>) => start(input, given).events(),
    resume(thread: string, given: Omit<RunOptions<never>, 'thread' | 'whenBusy'> = {}) {
      checkRun(definition, { ...given, thread })
      return launch(runtime, { thread, options: given })
    },
    answer: (questionId: string, answer: SignedAnswer) => answerAndWake(runtime, parseQuestionId(questionId), answer),
    recover(given: RecoverOptions = {}) {
      checkOptions(`recover of ${definition.name}`, given, ['every', 'signal', 'onRecovered'])
      return recover(runtime, given)
    },
    ...travelsOf(runtime, changed),
    messages: (thread: string) => messagesOf(runtime, thread),
    preview: (input: Input, given: RunOptions<never> = {}) => {
      checkRun(definition, given)
      return previewOf(runtime, toMessages(input), given)
    },
    with: (other: Partial<AgentOptions<never>>) => createAgent({ ...options, journal: definition.journal, ...other } as ErasedOptions, host),
  } satisfies Agent<never, unknown>)
}

function checkRun(definition: Definition, given: RunOptions<never>): void {
  const what = `a run of ${definition.name}`
  checkOptions(what, given, runKeys)
  if (given.thread !== undefined) checkThread(given.thread)
  if (given.settings) checkOptions(`${what}.settings`, given.settings, settingKeys)
  if (given.limits) checkLimits(what, given.limits)
  if (given.model !== undefined) checkModel(given.model)
}

async function messagesOf({ world }: Runtime, thread: string): Promise<UserMessages> {
  checkThread(thread)
  const { frame } = await world.residents.load(thread)
  if (frame.seq === 0) throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${thread} in this journal.`, { context: { thread } })
  const renderer = createRenderer('v4')
  return [...items(frame.history)].flatMap((entry) => (renderer.render(entry) as UserMessages[number] | undefined) ?? [])
}
