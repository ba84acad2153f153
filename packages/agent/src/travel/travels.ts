/** The methods of an agent for forks and replays. Their code is loaded on use. */
import { LoomError } from '@loom-agent/kernel'
import type { Definition } from '../definition/definition.ts'
import type { Fork, ForkOptions, ForkPlan } from '../fork/fork-types.ts'
import { checkOptions } from '../platform/options.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { checkLimits } from '../types/limits.ts'
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

function checkReplay({ name }: Definition, given: ReplayOptions): void {
  const what = `a replay by ${name}`
  checkOptions(what, given, ['with', 'mode', 'fork'])
  if (given.with) checkOptions(`${what}, with`, given.with, ['context', 'instructions', 'tools', 'deps', 'model', 'settings'])
  const modes = ['stop-at-divergence', 'continue-recorded', 'continue-live', undefined] as const
  if (!modes.includes(given.mode)) {
    throw new LoomError('LOOM_OPTION_INVALID', `${what}: mode is ${String(given.mode)}. Choose ${modes.slice(0, -1).join(', ')}.`, {
      context: { what, mode: String(given.mode) },
    })
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
    throw new LoomError('LOOM_OPTION_INVALID', `${what}: effects is ${String(given.effects)}. Choose live, recorded, stub or ask.`, {
      context: { what, effects: String(given.effects) },
    })
  for (const edit of [given.edit ?? []].flat() as readonly { readonly kind: keyof typeof editKeys }[]) {
    const keys = editKeys[edit.kind]
    if (!keys)
      throw new LoomError('LOOM_OPTION_INVALID', `${what}: ${String(edit.kind)} is no edit. Choose ${Object.keys(editKeys).join(', ')}.`, {
        context: { what, kind: String(edit.kind) },
      })
    checkOptions(`${what}, edit ${edit.kind}`, edit, keys)
  }
}
