/** agent(): one kind of agent, always durable. */
import { items, LoomError } from '@loom-agent/kernel'
import type { Agent, AgentHost, AgentOptions, OutputOf, RunHandle, RunOptions } from './agent-type.ts'
import { createRenderer } from './context/render.ts'
import { checkLimits, type Definition, define, type ErasedOptions } from './definition.ts'
import type { Fork, ForkOptions } from './fork/fork.ts'
import type { SignedAnswer } from './human/answer.ts'
import { parseQuestionId } from './human/question.ts'
import { type Input, toMessages, type UserMessages } from './input.ts'
import { checkModel, settingKeys } from './model/model.ts'
import { checkOptions } from './platform/options.ts'
import { answerAndWake } from './run/answer.ts'
import type { Runtime } from './run/drive.ts'
import { launch } from './run/launch.ts'
import { previewOf } from './run/preview.ts'
import { type RecoverOptions, recover } from './run/recover.ts'
import type { Result } from './run/result.ts'
import { checkThread } from './run/visit.ts'
import { createWorld } from './run/world.ts'
import type { Schema } from './tool/schema.ts'
import type { Replayed, ReplayOptions } from './travel/replay-thread.ts'

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
    async fork(at: string, given: ForkOptions = {}) {
      checkFork(definition, given)
      const { forkThread } = await import('./fork/fork.ts')
      return forkThread(runtime, at, given) as Promise<Fork<unknown>>
    },
    async planFork(at: string, given: ForkOptions = {}) {
      checkFork(definition, given)
      const { planFork } = await import('./fork/fork.ts')
      return planFork(runtime, at, given)
    },
    async replay(thread: string, given: ReplayOptions = {}) {
      checkReplay(definition, given)
      const { replayThread } = await import('./travel/replay-thread.ts')
      return replayThread(changed(given), definition.journal, { ...given, thread }) as Promise<Replayed<unknown>>
    },
    async *replayAll(threads: Iterable<string> | AsyncIterable<string>, given: ReplayOptions = {}) {
      checkReplay(definition, given)
      const replayer = changed(given)
      const { replayThread } = await import('./travel/replay-thread.ts')
      for await (const thread of threads) yield (await replayThread(replayer, definition.journal, { ...given, thread })) as Replayed<unknown>
    },
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

function checkReplay({ name }: Definition, given: ReplayOptions): void {
  const what = `a replay by ${name}`
  checkOptions(what, given, ['with', 'mode', 'fork'])
  if (given.with) checkOptions(`${what}, with`, given.with, ['context', 'instructions', 'tools', 'deps', 'model', 'settings'])
  const modes = ['stop-at-divergence', 'continue-recorded', 'continue-live', undefined] as const
  if (!modes.includes(given.mode)) {
    throw new LoomError('LOOM_OPTION_INVALID', `${what}: mode is ${String(given.mode)}. Choose ${modes.slice(0, -1).join(', ')}.`)
  }
}

const editKeys = {
  input: ['kind', 'input'],
  result: ['kind', 'call', 'result'],
  deny: ['kind', 'call', 'reason'],
  instructions: ['kind', 'text'],
  model: ['kind', 'model'],
  'remove-turn': ['kind', 'turn'],
} as const

function checkFork({ name }: Definition, given: ForkOptions): void {
  const what = `a fork by ${name}`
  checkOptions(what, given, ['thread', 'edit', 'effects', 'limits'])
  if (given.limits) checkLimits(what, given.limits)
  const effects = ['live', 'recorded', 'stub', 'ask', undefined] as const
  if (!effects.includes(given.effects))
    throw new LoomError('LOOM_OPTION_INVALID', `${what}: effects is ${String(given.effects)}. Choose live, recorded, stub or ask.`)
  for (const edit of [given.edit ?? []].flat() as readonly { readonly kind: keyof typeof editKeys }[]) {
    const keys = editKeys[edit.kind]
    if (!keys) throw new LoomError('LOOM_OPTION_INVALID', `${what}: ${String(edit.kind)} is no edit. Choose ${Object.keys(editKeys).join(', ')}.`)
    checkOptions(`${what}, edit ${edit.kind}`, edit, keys)
  }
}

async function messagesOf({ world }: Runtime, thread: string): Promise<UserMessages> {
  checkThread(thread)
  const { frame } = await world.residents.load(thread)
  if (frame.seq === 0) throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${thread} in this journal.`, { context: { thread } })
  const renderer = createRenderer('v4')
  return [...items(frame.history)].flatMap((entry) => (renderer.render(entry) as UserMessages[number] | undefined) ?? [])
}
