/** The tools of a plan: one for each way an effect can be treated. */
import { randomUUID } from 'node:crypto'
import { type AnyAgent, type DurableContext, jsonSchema, type Tool, type ToolContext, tool } from '@loom-agent/agent'
import type { ErasedDefinition } from '@loom-agent/agent/kit'
import type { EffectClass } from '@loom-agent/kernel'
import { type CallKind, type PlannedCall, type PlannedEffect, planInput, resultOf } from './plan.ts'

/** What the tools of a plan do to the world. */
export interface PlanWorld {
  /** Performs an effect: once for its key if its class is `idempotent` or `reconcilable`, otherwise each time it is called. */
  perform(effect: PlannedEffect): unknown
  /** Whether an effect has happened. */
  has(effect: Omit<PlannedEffect, 'effect'>): boolean | Promise<boolean>
  /** A moment in which anything may happen. */
  tick(ticks: number): Promise<void>
}

/** Faults that can be planted in tools. */
export const toolFaults = {
  'wrong-class': 'an unsafe tool is declared idempotent',
  'fresh-key': 'an idempotent tool makes up a new key each time',
  'lying-check': 'a reconcilable tool reports that nothing has happened, whatever has',
  'acts-early': 'a tool acts while its permission is decided',
} as const

/** A fault that can be planted in tools. */
export type ToolFault = keyof typeof toolFaults

/** What a planned tool is called with. */
export type PlanInput = Pick<PlannedCall, 'ticks' | 'size' | 'asks' | 'sleep'> & { readonly n: number }

/** The number of a call says where it is, also before it has an id. */
export const numberOf = (turn: number, index: number): number => index + 10 * turn
const callOf = (n: number): string => `${Math.floor(n / 10) + 1}.${n % 10}`

const input = jsonSchema<PlanInput>(
  { type: 'object', properties: { n: { type: 'number' }, ticks: { type: 'number' } }, required: ['n', 'ticks'] },
  { validate: { '~standard': { version: 1, vendor: 'plan', validate: checkInput } } },
)

function checkInput(value: unknown): { value: unknown } | { issues: readonly { message: string }[] } {
  const { n, ticks } = (value ?? {}) as Partial<Record<keyof PlanInput, unknown>>
  return typeof n === 'number' && typeof ticks === 'number' ? { value } : { issues: [{ message: 'n and ticks must be numbers' }] }
}

interface Setup {
  readonly world: PlanWorld
  readonly faults: readonly ToolFault[]
}

/** A tool with one effect. */
function plainTool({ world, faults }: Setup, kind: CallKind, more: Partial<ErasedDefinition> & { effect?: EffectClass } = {}): Tool {
  const { effect = 'unsafe' } = more
  const acts = effect !== 'pure' && effect !== 'read'
  const isEarly = kind === 'unsafe' && faults.includes('acts-early')
  const permission = async ({ n }: PlanInput, { thread }: { readonly thread: string }): Promise<'allow'> => {
    await world.perform({ kind, effect, thread, call: callOf(n), key: '' })
    return 'allow'
  }
  return tool({
    name: kind,
    input,
    ...(isEarly && { permission }),
    run: async ({ ticks, size }: PlanInput, { thread, call, key }: ToolContext) => {
      await world.tick(ticks)
      const isFresh = kind === 'idempotent' && faults.includes('fresh-key')
      if (acts && !isEarly) await world.perform({ kind, effect, thread, call, key: isFresh ? randomUUID() : key })
      await world.tick(ticks)
      return resultOf(kind, call, size)
    },
    ...(more as object),
    effect: kind === 'unsafe' && faults.includes('wrong-class') ? 'idempotent' : effect,
  })
}

/** A durable body with steps of two classes, questions and a sleep. */
function durableTool({ world }: Setup): Tool {
  const step = (ctx: DurableContext, name: string, { ticks, effect }: { ticks: number; effect: EffectClass }): Promise<string> =>
    ctx.step(
      name,
      async ({ key }) => {
        await world.tick(ticks)
        await world.perform({ kind: 'durable', effect, thread: ctx.thread, call: ctx.call, step: `step:${name}:1`, key })
        await world.tick(ticks)
        return name
      },
      { effect },
    )
  const ask = async (ctx: DurableContext, prompt: string): Promise<string> => {
    const answer = await ctx.ask(prompt)
    return answer.kind === 'respond' ? String(answer.value) : answer.kind
  }
  return tool({
    name: 'durable',
    input,
    durable: true,
    run: async ({ ticks, asks = 1, sleep = 0 }, ctx) => {
      const done = [await step(ctx, 'first', { ticks, effect: 'unsafe' })]
      done.push(await ask(ctx, 'Go on?'))
      done.push(await step(ctx, 'note', { ticks, effect: 'idempotent' }))
      for (let asked = 1; asked < asks; asked += 1) done.push(await ask(ctx, `And now, ${asked + 1}?`))
      if (sleep > 0) await ctx.sleep(sleep)
      done.push(await step(ctx, 'second', { ticks, effect: 'unsafe' }))
      return done.join(', ')
    },
  })
}

/** A durable body that runs two children which both ask, beside a step: they are answered while the others work. */
export function pairTool(world: PlanWorld, child: AnyAgent<unknown, unknown>): Tool {
  return tool({
    name: 'pair',
    input,
    durable: true,
    effect: 'read',
    run: async ({ ticks }, ctx) => {
      const task = planInput({ turns: [[{ kind: 'ask', ticks }]] })
      const children = ['left', 'right'].map((name) => ctx.run(child, task, { name }))
      const between = ctx.step('between', () => world.tick(ticks))
      const ended = await Promise.all(children)
      await between
      return ended.map(({ status }) => status).join(', ')
    },
  })
}

/** A durable body that waits for something that never comes: its time-out ends it. */
export function stallTool(): Tool {
  return tool({ name: 'stall', input, durable: true, effect: 'read', schedule: { timeout: 15_000 }, run: () => new Promise<string>(() => {}) })
}

/** The tools of a plan. */
export function planTools(world: PlanWorld, faults: readonly ToolFault[] = []): readonly Tool[] {
  const setup = { world, faults }
  const check: NonNullable<ErasedDefinition['check']> = async (key, { thread, call }) => {
    const happened = !faults.includes('lying-check') && (await world.has({ kind: 'reconcilable', thread, call, key }))
    return happened ? { status: 'done', result: resultOf('reconcilable', call) } : { status: 'not-done' }
  }
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
    plainTool(setup, 'pure', { effect: 'pure' }),
    plainTool(setup, 'read', { effect: 'read' }),
    plainTool(setup, 'idempotent', { effect: 'idempotent', schedule: { parallel: true } }),
    plainTool(setup, 'unsafe'),
    plainTool(setup, 'ask', { permission: 'ask' }),
    plainTool(setup, 'reconcilable', { effect: 'reconcilable', check }),
    durableTool(setup),
    fails,
  ]
}
