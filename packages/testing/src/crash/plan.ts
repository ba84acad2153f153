/** Plans: agents, tools and answers of any kind, made from plain data, so that a generator can make them up and shrink them. */
import {
  type Agent,
  agent,
  approve,
  edit,
  type Hook,
  jsonSchema,
  type Question,
  reject,
  respond,
  type SignedAnswer,
  type Tool,
  tool,
} from '@loom-agent/agent'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import type { Journal } from '@loom-agent/kernel'
import { deepFreeze } from '../modes.ts'
import { type ScriptedModel, scriptedModel } from '../scripted-model.ts'

/** What a call of a plan does. */
export type CallKind = (typeof callKinds)[number]

/** All kinds of calls. */
export const callKinds = ['pure', 'read', 'idempotent', 'reconcilable', 'unsafe', 'ask', 'durable', 'child', 'fails', 'unknown', 'misused'] as const

/** What the agent of a plan does: the calls of each turn, and what its hooks are for. */
export interface Plan {
  readonly turns: readonly (readonly { readonly kind: CallKind; readonly ticks: number }[])[]
  readonly hooks: 'none' | 'look' | 'change'
}

/** What the tools of a plan do to the world. */
export interface PlanWorld {
  /** Something happens: each time anew, or once for its key. */
  happen(what: string, key?: string): unknown
  /** Whether it has happened. */
  has(what: string, key: string): boolean | Promise<boolean>
  /** A moment in which anything may happen. */
  tick(ticks: number): Promise<void>
}

/** How the agent of a plan is made. */
export interface PlanScene {
  readonly world: PlanWorld
  readonly journal: Journal
  /** Told every model. */
  readonly spoken?: (model: ScriptedModel) => void
  /** What the agents get as their model; default: the model itself. */
  readonly dress?: (model: ScriptedModel) => LanguageModelV4
  readonly ports?: object
}

type Input = { readonly n: number; readonly ticks: number }

const input = jsonSchema<Input>(
  { type: 'object', properties: { n: { type: 'number' }, ticks: { type: 'number' } }, required: ['n', 'ticks'] },
  { validate: { '~standard': { version: 1, vendor: 'plan', validate: checkInput } } },
)

function checkInput(value: unknown): { value: unknown } | { issues: readonly { message: string }[] } {
  const { n, ticks } = (value ?? {}) as Partial<Record<keyof Input, unknown>>
  return typeof n === 'number' && typeof ticks === 'number' ? { value } : { issues: [{ message: 'n and ticks must be numbers' }] }
}

function plain({ happen, tick }: PlanWorld, name: CallKind, more: Partial<Tool['definition']>): Tool {
  return tool({
    name,
    input,
    effect: 'unsafe',
    run: async ({ ticks }: Input, { thread, call, key }) => {
      await tick(ticks)
      await (more.effect === 'idempotent' || more.effect === 'reconcilable'
        ? happen(`${name} ${thread} ${call}`, key)
        : happen(`${name} ${thread} ${call}`))
      await tick(ticks)
      return `${name} done`
    },
    ...(more as object),
  })
}

function durable({ happen, tick }: PlanWorld): Tool {
  return tool({
    name: 'durable',
    input,
    durable: true,
    run: async ({ ticks }, ctx) => {
      const step = async (name: string): Promise<string> => {
        await tick(ticks)
        await happen(`step ${name} ${ctx.thread} ${ctx.call}`)
        await tick(ticks)
        return name
      }
      const first = await ctx.step('first', () => step('first'))
      const answer = await ctx.ask('Go on?')
      const second = await ctx.step('second', () => step('second'))
      return [first, answer.kind, second]
    },
  })
}

/** The tools of a plan. */
export function planTools(world: PlanWorld): readonly Tool[] {
  const check: NonNullable<Tool['definition']['check']> = async (key, { thread, call }) =>
    (await world.has(`reconcilable ${thread} ${call}`, key)) ? { status: 'done', result: 'reconcilable done' } : { status: 'not-done' }
  const fails = tool({
    name: 'fails',
    input,
    effect: 'read',
    run: async ({ ticks }) => {
      await world.tick(ticks)
      throw new Error('it always fails')
    },
  })
  return [
    plain(world, 'pure', { effect: 'pure' }),
    plain(world, 'read', { effect: 'read' }),
    plain(world, 'idempotent', { effect: 'idempotent' }),
    plain(world, 'unsafe', {}),
    plain(world, 'ask', { permission: 'ask' }),
    plain(world, 'reconcilable', { effect: 'reconcilable', check }),
    durable(world),
    fails,
  ]
}

/** The model of a plan: what it says follows from how often it has spoken, so it says the same again after a death. */
export function planModel(turns: Plan['turns'], last: string): ScriptedModel {
  return scriptedModel(({ prompt }) => {
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
}

const hooksOf: Readonly<Record<Plan['hooks'], readonly Hook[]>> = {
  none: [],
  look: [
    {
      beforeModelCall: ({ frame }) => void deepFreeze(frame),
      beforeToolExecution: async () => undefined,
      afterToolExecution: async () => undefined,
    },
  ],
  change: [
    {
      beforeToolExecution: async (_, { tool: name, input: given }) => (name === 'read' ? { input: { ...(given as object), ticks: 0 } } : undefined),
      afterToolExecution: async (_, { output }) => (output.type === 'text' ? { output: { type: 'text', value: `${output.value}!` } } : undefined),
    },
  ],
}

/** The agent of a plan, with a child that asks. */
export function planAgent(plan: Plan, { world, journal, spoken, dress = (model) => model, ports = {} }: PlanScene): Agent {
  const models = [planModel([[{ kind: 'ask', ticks: 0 }]], 'child done'), planModel(plan.turns, 'all done')] as const
  for (const model of models) spoken?.(model)
  const child = agent({ name: 'child', model: dress(models[0]), tools: planTools(world) })
  return agent({
    name: 'boss',
    model: dress(models[1]),
    tools: [...planTools(world), child],
    hooks: hooksOf[plan.hooks],
    journal,
    behaviour: { grace: 5 },
    limits: { loop: false },
    ports: { random: () => 0, development: false, ...ports },
  })
}

/** What people may answer. */
export type AnswerKind = 'approve' | 'reject' | 'respond' | 'edit'

/** An answer of a kind, or the nearest that fits the question. */
export function planAnswer(kind: AnswerKind, question: Pick<Question, 'kind'>): SignedAnswer {
  if (kind === 'edit' && question.kind === 'approval') return edit({ n: 99, ticks: 0 })
  if (kind === 'reject') return reject('not this time')
  if (kind === 'respond' && (question.kind === 'approval' || question.kind === 'choice')) return respond('answered instead')
  return approve()
}
