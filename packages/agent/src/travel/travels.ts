/** The methods of an agent for forks and replays. Their code is loaded on use. */
import type { Definition } from '../definition/definition.ts'
import { agentShape } from '../definition/option-shapes.ts'
import type { Edit, Fork, ForkOptions, ForkPlan } from '../fork/fork-types.ts'
import { checkModel } from '../model/model.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { limitsShape } from '../types/limits.ts'
import { checkThread } from '../types/thread-id.ts'
import type { Replayer } from './replay.ts'
import type { Replayed, ReplayOptions } from './replay-types.ts'

/** The methods for forks and replays. */
export interface Travels {
  fork(at: string, options?: ForkOptions): Promise<Fork<unknown>>
  planFork(at: string, options?: ForkOptions): Promise<ForkPlan>
  replay(thread: string, options?: ReplayOptions): Promise<Replayed<unknown>>
  replayAll(threads: Iterable<string> | AsyncIterable<string>, options?: ReplayOptions): AsyncGenerator<Replayed<unknown>, void>
}

/** Makes the methods; `changed` makes the agent with other options. */
export function travelsOf(instance: AgentInstance, changed: (options: ReplayOptions) => Replayer): Travels {
  const { definition } = instance
  const { journal } = definition
  return {
    async fork(at: string, given: ForkOptions = {}) {
      checkFork(definition, given)
      const { forkThread } = await import('../fork/fork.ts')
      return forkThread(instance, at, given) as Promise<Fork<unknown>>
    },
    async planFork(at: string, given: ForkOptions = {}) {
      checkFork(definition, given)
      const { planFork } = await import('../fork/fork.ts')
      return planFork(instance, at, given)
    },
    async replay(thread: string, given: ReplayOptions = {}) {
      checkThread(thread)
      checkReplay(definition, given)
      const { replayThread } = await import('./replay.ts')
      return replayThread(changed(given), journal, { ...given, thread }) as Promise<Replayed<unknown>>
    },
    async *replayAll(threads: Iterable<string> | AsyncIterable<string>, given: ReplayOptions = {}) {
      checkReplay(definition, given)
      const replayer = changed(given)
      const { replayThread } = await import('./replay.ts')
      for await (const thread of threads) yield (await replayThread(replayer, journal, { ...given, thread })) as Replayed<unknown>
    },
  }
}

const replayShape: Shape & Record<keyof ReplayOptions, Expected> = {
  with: expected.options(
    Object.fromEntries((['context', 'instructions', 'tools', 'deps', 'model', 'settings'] as const).map((key) => [key, agentShape[key]])),
  ),
  mode: expected.oneOf('stop-at-divergence', 'continue-recorded', 'continue-live'),
  fork: expected.object,
}

const checkReplay = ({ name }: Definition, given: ReplayOptions): void => checkOptions(`a replay by ${name}`, given, replayShape)

const call = expected.required(expected.text)
const edits: { readonly [K in Edit['kind']]: Shape } = {
  input: { input: expected.required(expected.anything) },
  result: { call, result: expected.required(expected.anything) },
  deny: { call, reason: expected.text },
  instructions: { text: expected.required(expected.text) },
  model: { model: expected.required(expected.anything) },
  'remove-turn': { turn: expected.required(expected.whole(1)) },
}

const forkShape: Shape & Record<keyof ForkOptions, Expected> = {
  thread: expected.anything,
  edit: { words: 'an edit, or a list of edits', fits: (value) => [value].flat().every(expected.object.fits) },
  effects: expected.oneOf('live', 'recorded', 'stub', 'ask'),
  limits: expected.options(limitsShape),
}

function checkFork({ name }: Definition, given: ForkOptions): void {
  const what = `a fork by ${name}`
  checkOptions(what, given, forkShape)
  for (const edit of [given.edit ?? []].flat() as readonly Edit[]) {
    const kind = expected.required(expected.oneOf(...Object.keys(edits)))
    checkOptions(`${what}, edit`, { kind: edit.kind }, { kind })
    checkOptions(`${what}, edit ${edit.kind}`, edit, { kind, ...edits[edit.kind] })
    if (edit.kind === 'model') checkModel(edit.model)
  }
}
