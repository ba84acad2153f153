/** Random worlds: agents, tools, answers, stops, steering, hooks and deaths, all made from a plan that fast-check can shrink. */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, agent, approve, edit, type Hook, type Question, reject, respond, type SignedAnswer, tool } from '@loom-agent/agent'
import { type Journal, memoryJournal } from '@loom-agent/kernel'
import { deepFreeze, type MortalJournal, mortalJournal, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { z } from 'zod'

export type CallKind = 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe' | 'ask' | 'durable' | 'child' | 'fails' | 'unknown' | 'misused'

/** What happens in a world. */
export interface Plan {
  readonly turns: readonly (readonly { readonly kind: CallKind; readonly ticks: number }[])[]
  readonly answers: readonly ('approve' | 'reject' | 'respond' | 'edit')[]
  readonly hooks: 'none' | 'look' | 'change'
  readonly steerAt: number | undefined
  readonly stopAt: number | undefined
  readonly deaths: readonly { readonly append: number; readonly when: 'before' | 'after' }[]
}

const kinds: readonly CallKind[] = ['pure', 'read', 'idempotent', 'reconcilable', 'unsafe', 'ask', 'durable', 'child', 'fails', 'unknown', 'misused']

/** Plans of any kind. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  turns: fc.array(fc.array(fc.record({ kind: fc.constantFrom(...kinds), ticks: fc.nat(2) }), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  answers: fc.array(fc.constantFrom('approve', 'approve', 'reject', 'respond', 'edit'), { minLength: 1, maxLength: 4 }),
  hooks: fc.constantFrom('none', 'look', 'change'),
  steerAt: fc.option(fc.nat(12), { nil: undefined }),
  stopAt: fc.option(fc.nat(12), { nil: undefined }),
  deaths: fc.array(fc.record({ append: fc.integer({ min: 1, max: 8 }), when: fc.constantFrom('before', 'after') }), { maxLength: 3 }),
})

/** A world: one journal, the effects that happened in it, and every process that lived in it. */
export interface World {
  readonly plan: Plan
  readonly journal: Journal
  /** How often each effect happened, by tool and call. */
  readonly effects: Map<string, number>
  readonly models: ScriptedModel[]
  /** What the agents get as their model. */
  readonly dress: (model: ScriptedModel) => LanguageModelV4
  readonly asked: Map<string, SignedAnswer>
}

export function createWorld(plan: Plan, dress: World['dress'] = (model) => model): World {
  return { plan, dress, journal: memoryJournal(), effects: new Map(), models: [], asked: new Map() }
}

interface Process {
  readonly world: World
  readonly mortal: MortalJournal
}

/** Something in the world outside: it happens once each time it is done, unless the process is dead. */
function happen({ world, mortal }: Process, key: string): void {
  if (!mortal.isDead()) world.effects.set(key, (world.effects.get(key) ?? 0) + 1)
}

/** A moment in which the process may die; a dead process never comes back from it. */
async function tick({ mortal }: Process, ticks: number): Promise<void> {
  for (let n = 0; n < ticks; n += 1) await new Promise((resolve) => setImmediate(resolve))
  if (mortal.isDead()) await new Promise(() => {})
}

const input = z.object({ n: z.number(), ticks: z.number() })

function toolsOf(process: Process) {
  const plain = (name: CallKind, effect: 'pure' | 'read' | 'idempotent' | 'unsafe', more: object = {}) =>
    tool({
      name,
      input,
      effect,
      run: async ({ ticks }, { thread, call }) => {
        await tick(process, ticks)
        happen(process, `${name} ${thread} ${call}`)
        await tick(process, ticks)
        return `${name} done`
      },
      ...more,
    })
  const reconcilable = tool({
    name: 'reconcilable',
    input,
    effect: 'reconcilable',
    check: (_, { thread, call }) =>
      process.world.effects.has(`reconcilable ${thread} ${call}`) ? { status: 'done', result: 'reconcilable done' } : { status: 'not-done' },
    run: async ({ ticks }, { thread, call }) => {
      await tick(process, ticks)
      happen(process, `reconcilable ${thread} ${call}`)
      await tick(process, ticks)
      return 'reconcilable done'
    },
  })
  const durable = tool({
    name: 'durable',
    input,
    durable: true,
    run: async ({ ticks }, ctx) => {
      const step = async (name: string) => {
        await tick(process, ticks)
        happen(process, `step ${name} ${ctx.thread} ${ctx.call}`)
        await tick(process, ticks)
        return name
      }
      const first = await ctx.step('first', () => step('first'))
      const answer = await ctx.ask('Go on?')
      const second = await ctx.step('second', () => step('second'))
      return [first, answer.kind, second]
    },
  })
  const fails = tool({
    name: 'fails',
    input,
    effect: 'read',
    run: async ({ ticks }) => {
      await tick(process, ticks)
      throw new Error('it always fails')
    },
  })
  return [
    plain('pure', 'pure'),
    plain('read', 'read'),
    plain('idempotent', 'idempotent'),
    plain('unsafe', 'unsafe'),
    plain('ask', 'unsafe', { permission: 'ask' }),
    reconcilable,
    durable,
    fails,
  ]
}

/** The model of a plan: what it says follows from how often it has spoken, so it says the same again after a death. */
function modelOf(world: World, turns: Plan['turns'], last: string): LanguageModelV4 {
  const model = scriptedModel(({ prompt }) => {
    const spoken = prompt.filter(({ role }) => role === 'assistant').length
    const calls = turns[spoken]
    if (!calls) return last
    return {
      text: `turn ${spoken + 1}`,
      calls: calls.map(({ kind, ticks }, n) => {
        const id = `call ${spoken} ${n}`
        if (kind === 'child') return { id, tool: 'child', input: { prompt: `task ${n}` } }
        if (kind === 'unknown') return { id, tool: 'nobody', input: {} }
        if (kind === 'misused') return { id, tool: 'read', input: { n: 'x' } }
        return { id, tool: kind, input: { n: n + 10 * spoken, ticks } }
      }),
    }
  })
  world.models.push(model)
  return world.dress(model)
}

const hooksOf = (plan: Plan): readonly Hook[] => {
  if (plan.hooks === 'none') return []
  if (plan.hooks === 'look')
    return [
      {
        beforeModelCall: ({ frame }) => void deepFreeze(frame),
        beforeToolExecution: async () => undefined,
        afterToolExecution: async () => undefined,
      },
    ]
  return [
    {
      beforeToolExecution: async (_, { tool: name, input: given }) => (name === 'read' ? { input: { ...(given as object), ticks: 0 } } : undefined),
      afterToolExecution: async (_, { output }) => (output.type === 'text' ? { output: { type: 'text', value: `${output.value}!` } } : undefined),
    },
  ]
}

/** A process: an agent object of its own on the world's journal. */
export function createProcess(
  world: World,
  death?: { append: number; when: 'before' | 'after' },
  ports: object = {},
): { agent: Agent; mortal: MortalJournal } {
  const mortal = mortalJournal(world.journal, death)
  const process: Process = { world, mortal }
  const child = agent({
    name: 'child',
    model: modelOf(world, [[{ kind: 'ask', ticks: 0 }]], 'child done'),
    tools: toolsOf(process),
  })
  const boss = agent({
    name: 'boss',
    model: modelOf(world, world.plan.turns, 'all done'),
    tools: [...toolsOf(process), child],
    hooks: hooksOf(world.plan),
    journal: mortal.journal,
    behaviour: { grace: 5 },
    limits: { loop: false },
    ports: { random: () => 0, development: false, ...ports },
  })
  return { agent: boss, mortal }
}

/** The world's way to answer: by the question's place, so that a question asked again is answered alike. In doubt, it tells what happened. */
export function answerTo(world: World, question: Question): SignedAnswer {
  const known = world.asked.get(question.id)
  if (known) return known
  const kind = world.plan.answers[world.asked.size % world.plan.answers.length] ?? 'approve'
  const answer = question.kind === 'in-doubt' ? respond('told by a human') : giveKind(kind, question)
  world.asked.set(question.id, answer)
  return answer
}

function giveKind(kind: Plan['answers'][number], question: Question): SignedAnswer {
  if (kind === 'edit' && question.kind === 'approval') return edit({ n: 99, ticks: 0 })
  if (kind === 'reject') return reject('not this time')
  if (kind === 'respond' && (question.kind === 'approval' || question.kind === 'choice')) return respond('answered instead')
  return approve()
}
