/** Who plays in the scenarios: a few tools of every class, and how an agent is made of them. */
import { type AgentOptions, agent, type RunHandle, type Tool, tool } from '@loom-agent/agent'
import type { EventType } from '@loom-agent/kernel'
import type { ScriptedReply } from '../../scripted-model.ts'
import { type CountingOutside, countingOutside } from '../outside.ts'
import type { CrashScenario, Meddling, Scene } from '../scenario.ts'
import { type SteadyLine, steadyModel } from '../steady-model.ts'

/** What a player is made of. */
export interface Part extends Omit<AgentOptions, 'model' | 'journal'> {
  readonly says: readonly SteadyLine[]
}

/** An agent that says its lines. */
export function player({ says, ...options }: Part, { journal }: Pick<Scene, 'journal'>): ReturnType<typeof agent> {
  return agent({ name: 'player', ...options, model: steadyModel(says), journal })
}

type Rest = Partial<Omit<CrashScenario, 'name' | 'agent'>>

/** A scenario in which one agent is given one input, unless something else is said. */
export function played(name: string, part: (scene: Scene) => Part, rest: Rest = {}): CrashScenario {
  return { name, outside: countingOutside, agent: (scene) => player(part(scene), scene), play: (stage) => stage.input('Go.'), ...rest }
}

/** A reply that calls tools, by name or with arguments. */
export function calls(...tools: readonly (string | readonly [tool: string, input: unknown])[]): ScriptedReply {
  return { calls: tools.map((called) => (typeof called === 'string' ? { tool: called } : { tool: called[0], input: called[1] })) }
}

/** Something that people do once, after something has happened. */
export function meddling(after: Meddling['after'], unless: EventType, act: (run: RunHandle<unknown>) => Promise<void>): Rest {
  return {
    async play(stage) {
      stage.meanwhile({ after, unless, act })
      await stage.input('Go.')
    },
  }
}

/** Reads. */
export const look: Tool = tool({ name: 'look', effect: 'read', run: async () => 'seen' })

/** Has its value at once. */
export const add: Tool = tool({ name: 'add', effect: 'pure', run: () => 4 })

/** May happen once and leaves no key. */
export function pay({ outside }: { readonly outside: CountingOutside }): Tool {
  return tool({ name: 'pay', run: () => outside.act('pay') })
}

/** The same, after a while. */
export function mail({ outside }: { readonly outside: CountingOutside }): Tool {
  return tool({
    name: 'mail',
    async run() {
      await breath()
      const done = await outside.act('mail')
      await breath()
      return done
    },
  })
}

/** May be repeated with its key. */
export function note({ outside }: { readonly outside: CountingOutside }): Tool {
  return tool({ name: 'note', effect: 'idempotent', run: (_input, { key }) => outside.put('note', key) })
}

/** Can be looked after. */
export function book({ outside }: { readonly outside: CountingOutside }): Tool {
  return tool({
    name: 'book',
    effect: 'reconcilable',
    check: async (key) => ((await outside.has(key)) ? { status: 'done', result: 'book is done' } : { status: 'not-done' }),
    run: (_input, { key }) => outside.put('book', key),
  })
}

/** Something that takes a moment. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Goes on until it is told to end. */
export function stuck({ say }: Scene, effect: 'read' | 'unsafe' = 'read'): Tool {
  const run = (_input: unknown, { signal }: { readonly signal: AbortSignal }): Promise<string> => {
    say('stuck')
    return new Promise((_resolve, refuse) => {
      const end = (): void => refuse(new Error('aborted'))
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    })
  }
  return tool({ name: 'stuck', effect, run })
}

/** Goes on until the thread has an event of a type. */
export function until({ seen }: Scene, type: EventType): Tool {
  return tool({
    name: 'until',
    effect: 'read',
    async run() {
      await seen(type)
      return 'seen'
    },
  })
}
