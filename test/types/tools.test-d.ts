/** What a tool's body knows without saying any type. Compiled, never run: `tsc -b` and `test/types/programs.test.ts` judge it. */
import {
  type Answer,
  agent,
  type ChildResult,
  content,
  type EffectClass,
  type Json,
  jsonSchema,
  type Tool,
  type ToolContext,
  tool,
  type Verdict,
} from 'loom-agent'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

interface Shop {
  readonly orders: Map<number, string>
}

test('the input of a tool comes from its zod schema, after transforms and defaults', () => {
  const input = z.object({ id: z.number(), when: z.string().transform((text) => new Date(text)), note: z.string().default('') })
  tool({
    input,
    run(given) {
      expectTypeOf(given).not.toBeAny()
      expectTypeOf(given).toEqualTypeOf<{ id: number; when: Date; note: string }>()
    },
  })
})

test('the input of a tool comes from the type that jsonSchema is given, and is unknown without one', () => {
  tool({
    input: jsonSchema<{ id: number }>({ type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }),
    run(given) {
      expectTypeOf(given).not.toBeAny()
      expectTypeOf(given).toEqualTypeOf<{ id: number }>()
    },
  })
  tool({
    input: jsonSchema({ type: 'object' }),
    run(given) {
      expectTypeOf(given).toBeUnknown()
    },
  })
})

test('a tool without a schema has an input without members', () => {
  tool({
    run(given) {
      expectTypeOf(given).not.toBeAny()
      expectTypeOf(given).toEqualTypeOf<Record<string, never>>()
    },
  })
})

test('permission, lock and check are given the same types as the body', () => {
  tool<Shop>()({
    input: z.object({ id: z.number() }),
    effect: 'reconcilable',
    permission(given, context) {
      expectTypeOf(given).toEqualTypeOf<{ id: number }>()
      expectTypeOf(context.deps).toEqualTypeOf<Shop>()
      return 'ask'
    },
    available(context) {
      expectTypeOf(context.deps).toEqualTypeOf<Shop>()
      return true
    },
    schedule: {
      lock(given) {
        expectTypeOf(given).toEqualTypeOf<{ id: number }>()
        return String(given.id)
      },
    },
    check(key, context) {
      expectTypeOf(key).toBeString()
      expectTypeOf(context).toEqualTypeOf<ToolContext<Shop>>()
      return { status: 'unknown' }
    },
    run: ({ id }) => id,
  })
})

test('tool<Deps>() types the dependencies of the context; without it they are unknown', () => {
  const look = tool<Shop>()({
    run(_, ctx) {
      expectTypeOf(ctx.deps).toEqualTypeOf<Shop>()
    },
  })
  expectTypeOf(look).toEqualTypeOf<Tool<Shop>>()
  tool({
    run(_, ctx) {
      expectTypeOf(ctx.deps).toBeUnknown()
    },
  })
})

test('the context of a plain tool has a key and a signal, and nothing that could outlive the process', () => {
  tool({
    run(_, ctx) {
      expectTypeOf(ctx.key).toBeString()
      expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf<keyof typeof ctx>().toEqualTypeOf<'thread' | 'call' | 'key' | 'signal' | 'deps' | 'progress'>()
    },
  })
  tool({
    durable: false,
    run(_, ctx) {
      expectTypeOf(ctx).toEqualTypeOf<ToolContext>()
    },
  })
})

test('the context of a durable tool has step, ask, run, sleep and waitFor besides', () => {
  const counter = agent({ output: z.object({ count: z.number() }) })
  tool<Shop>()({
    input: z.object({ id: z.number() }),
    durable: true,
    async run({ id }, ctx) {
      expectTypeOf<Exclude<keyof typeof ctx, keyof ToolContext>>().toEqualTypeOf<'step' | 'ask' | 'run' | 'sleep' | 'waitFor'>()
      expectTypeOf(ctx.deps).toEqualTypeOf<Shop>()
      expectTypeOf(await ctx.waitFor('paid')).toEqualTypeOf<{ readonly status: 'received'; readonly value: Json } | { readonly status: 'expired' }>()
      expectTypeOf(await ctx.waitFor('paid', { until: new Date(), schema: z.object({ sum: z.number() }) })).toEqualTypeOf<
        { readonly status: 'received'; readonly value: { sum: number } } | { readonly status: 'expired' }
      >()
      expectTypeOf(await ctx.step('look', () => ctx.deps.orders.get(id))).toEqualTypeOf<string | null>()
      expectTypeOf(await ctx.step('wait', async ({ key }) => key.length)).toBeNumber()
      expectTypeOf(await ctx.step('when', () => ({ at: new Date(), seen: new Set([1]) }))).toEqualTypeOf<{ at: string; seen: number[] }>()
      expectTypeOf(await ctx.ask('Home?')).toEqualTypeOf<Answer>()
      expectTypeOf(await ctx.run(counter, 'Count.')).toEqualTypeOf<ChildResult<{ count: number }>>()
      expectTypeOf(await ctx.run(agent({}), 'Count.')).toEqualTypeOf<ChildResult<string>>()
      expectTypeOf(ctx.sleep(1)).toEqualTypeOf<Promise<void>>()
    },
  })
})

test('an answer has the type of the schema that was asked with', () => {
  tool({
    durable: true,
    async run(_, ctx) {
      const chosen = await ctx.ask('Which?', { schema: z.object({ colour: z.enum(['red', 'blue']), coats: z.number().default(1) }) })
      if (chosen.kind === 'respond') expectTypeOf(chosen.value).toEqualTypeOf<{ colour: 'red' | 'blue'; coats?: number | undefined }>()
      const named = await ctx.ask('Name?', { schema: jsonSchema<{ name: string }>({ type: 'object' }) })
      if (named.kind === 'respond') expectTypeOf(named.value).toEqualTypeOf<{ name: string }>()
      const free = await ctx.ask('Anything?', { name: 'free', expires: 1 })
      expectTypeOf(free).toEqualTypeOf<Answer>()
    },
  })
})

test('the words for effects and verdicts are closed', () => {
  expectTypeOf<EffectClass>().toEqualTypeOf<'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe'>()
  expectTypeOf<Verdict>().toEqualTypeOf<'allow' | 'ask' | 'deny'>()
  expectTypeOf(content).returns.not.toBeAny()
})
