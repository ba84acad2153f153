/** What scenarios are made of: a few tools of every class, and an agent with a script. */
import { type AgentOptions, agent, type RunHandle, type Tool, tool } from '@loom-agent/agent'
import type { EventType } from '@loom-agent/kernel'
import { type ScriptedReply, type SteadyLine, steadyModel } from '@loom-agent/testing'
import { type CrashScenario, type ExternalWorld, externalWorld, type Interruption, type ProcessContext } from '@loom-agent/testing/crash'

/** The options of a scripted agent, and its replies. */
export interface AgentScript extends Omit<AgentOptions, 'model' | 'journal'> {
  readonly says: readonly SteadyLine[]
}

/** An agent whose model follows a script. */
export function scriptedAgent({ says, ...options }: AgentScript, { journal }: Pick<ProcessContext, 'journal'>): ReturnType<typeof agent> {
  return agent({ name: 'scripted', ...options, model: steadyModel(says), journal })
}

type Rest = Partial<Omit<CrashScenario, 'name' | 'agent'>>

/** A scenario in which one agent gets one input, unless `rest` says otherwise. */
export function scenario(name: string, part: (context: ProcessContext) => AgentScript, rest: Rest = {}): CrashScenario {
  return { name, world: externalWorld, agent: (context) => scriptedAgent(part(context), context), play: (user) => user.input('Go.'), ...rest }
}

/** A reply that calls tools, by name or with arguments. */
export function calls(...tools: readonly (string | readonly [tool: string, input: unknown])[]): ScriptedReply {
  return { calls: tools.map((called) => (typeof called === 'string' ? { tool: called } : { tool: called[0], input: called[1] })) }
}

/** A scenario whose user interrupts once, after something has happened. */
export function interrupted(after: Interruption['after'], unless: EventType, act: (run: RunHandle<unknown>) => Promise<void>): Rest {
  return {
    async play(user) {
      user.meanwhile({ after, unless, act })
      await user.input('Go.')
    },
  }
}

/** A scenario whose user stops the run after something has happened. */
export const stoppedAfter = (after: Interruption['after']): Rest => interrupted(after, 'run.stop-requested', (run) => run.stop('enough'))

/** Reads. */
export const look: Tool = tool({ name: 'look', effect: 'read', run: async () => 'seen' })

/** Returns synchronously. */
export const add: Tool = tool({ name: 'add', effect: 'pure', run: () => 4 })

/** Unsafe, without a key. */
export function pay({ world }: { readonly world: ExternalWorld }): Tool {
  return tool({ name: 'pay', run: () => world.act('pay') })
}

/** The same, asynchronously. */
export function mail({ world }: { readonly world: ExternalWorld }): Tool {
  return tool({
    name: 'mail',
    async run() {
      await moment()
      const done = await world.act('mail')
      await moment()
      return done
    },
  })
}

/** Idempotent by its key. */
export function note({ world }: { readonly world: ExternalWorld }): Tool {
  return tool({ name: 'note', effect: 'idempotent', run: (_input, { key }) => world.put('note', key) })
}

/** Reconcilable. */
export function book({ world }: { readonly world: ExternalWorld }): Tool {
  return tool({
    name: 'book',
    effect: 'reconcilable',
    check: async (key) => ((await world.has(key)) ? { status: 'done', result: 'book is done' } : { status: 'not-done' }),
    run: (_input, { key }) => world.put('book', key),
  })
}

/** One round of the event loop. */
export function moment(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Runs until it is aborted. */
export function stuck({ mark }: ProcessContext, effect: 'read' | 'unsafe' = 'read'): Tool {
  const run = (_input: unknown, { signal }: { readonly signal: AbortSignal }): Promise<string> => {
    mark('stuck')
    return new Promise((_resolve, refuse) => {
      const end = (): void => refuse(new Error('aborted'))
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    })
  }
  return tool({ name: 'stuck', effect, run })
}

/** Runs until the thread has an event of a type. */
export function until({ seen }: ProcessContext, type: EventType): Tool {
  return tool({
    name: 'until',
    effect: 'read',
    async run() {
      await seen(type)
      return 'seen'
    },
  })
}
