/** Planted divergences in durable bodies and children. */
import { type AgentOptions, agent, tool } from '@loom-agent/agent'
import type { ErasedDefinition } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { like, type Planted, scenario } from './planted.ts'
import { add, look, moment, type Options } from './scenarios.ts'

const durable = scenario('a durable tool that asks and sleeps')
const child = scenario('a child')

/** The one tool of a durable scenario, with another body. */
function errand(run: ErasedDefinition['run']): Options {
  return { tools: { errand: tool({ name: 'errand', durable: true, run }), look } }
}

/** The child of the scenario, with some options changed. */
function helper(options: Partial<AgentOptions>): Options {
  const base = { name: 'helper', description: 'Helps.', instructions: 'Help.', model: scriptedModel('never asked'), tools: { look } }
  return { tools: { helper: agent({ ...base, ...options }), add } }
}

/** Changes of durable bodies and of children. */
export const ofDurableBodies: readonly Planted[] = [
  {
    what: 'a step more in a durable body',
    scenario: durable,
    changed: errand(async (_input, ctx) => {
      await ctx.step('price', () => 0)
      await ctx.step('tax', () => 0)
      return ctx.ask('For this price?', { name: 'ok' })
    }),
    step: 'turn 1, call 1.0, step:tax:1',
    recorded: undefined,
    now: 'step:tax:1',
  },
  {
    what: 'a free step more in a durable body',
    scenario: durable,
    changed: errand(async (_input, ctx) => {
      await ctx.step('price', () => 0)
      return ctx.step('tax', () => 0, { effect: 'pure' })
    }),
    step: 'turn 1, call 1.0, step:tax:1',
    recorded: undefined,
    now: 'step:tax:1',
  },
  {
    what: 'a step of another class in a durable body',
    scenario: durable,
    changed: errand(async (_input, ctx) => ctx.step('price', () => 0, { effect: 'idempotent' })),
    step: 'turn 1, call 1.0, tool.step-started.effect',
    recorded: 'unsafe',
    now: 'idempotent',
  },
  {
    what: 'a durable body that asks something else',
    scenario: durable,
    changed: errand(async (_input, ctx) => {
      const price = await ctx.step('price', () => 0)
      return ctx.ask('Really?', { name: 'ok', show: { price } })
    }),
    step: 'turn 1, call 1.0, question.asked.prompt',
    recorded: 'For this price?',
    now: 'Really?',
  },
  {
    what: 'a durable body that sleeps longer',
    scenario: durable,
    changed: errand(async (_input, ctx) => {
      const price = await ctx.step('price', () => 0)
      await ctx.ask('For this price?', { name: 'ok', show: { price } })
      await ctx.sleep(60_000)
    }),
    step: 'turn 1, call 1.0, tool.step-started.sleepsFor',
    recorded: 5_000,
    now: 60_000,
  },
  {
    what: 'a durable body that returns something else',
    scenario: durable,
    changed: errand(async (_input, ctx) => {
      const price = await ctx.step('price', () => 0)
      await ctx.ask('For this price?', { name: 'ok', show: { price } })
      await ctx.sleep(5_000)
      return ctx.step('buy', () => '', { effect: 'idempotent' })
    }),
    step: 'turn 1, call 1.0, tool.finished.output.type',
    recorded: 'json',
    now: 'text',
  },
  {
    what: 'a tool that is no longer durable',
    scenario: durable,
    changed: { tools: { errand: tool({ name: 'errand', run: () => moment() }), look } },
    step: 'turn 1, call 1.0, tool.started.durable',
    recorded: true,
    now: undefined,
  },
  {
    what: 'a child with other instructions',
    scenario: child,
    changed: helper({ instructions: 'Help yourself.' }),
    step: 'child of call 1.0 (helper), turn 1, context.assembled.rebase.system',
    recorded: 'Help.',
    now: 'Help yourself.',
  },
  {
    what: 'a child with other permissions',
    scenario: child,
    changed: helper({ permissions: { look: 'ask' } }),
    step: 'child of call 1.0 (helper), turn 1, call 1.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/^\{"question\.asked"/),
  },
  {
    what: 'a child with another limit',
    scenario: child,
    changed: helper({ limits: { turns: 3 } }),
    step: 'child of call 1.0 (helper), run r1, run.started.request.limits.turns',
    recorded: 10,
    now: 3,
  },
  {
    what: 'another agent as the child',
    scenario: child,
    changed: helper({ name: 'aide' }),
    step: 'turn 1, call 1.0, child.started.key',
    recorded: 'run:helper:1',
    now: 'run:aide:1',
  },
  {
    what: 'a child with another description',
    scenario: child,
    changed: helper({ description: 'Helps a little.' }),
    step: 'turn 1, context.assembled.rebase.tools.0.description',
    recorded: 'Helps.',
    now: 'Helps a little.',
  },
  {
    what: 'a child with a tool more',
    scenario: child,
    changed: helper({ tools: { look, add } }),
    step: 'child of call 1.0 (helper), turn 1, context.assembled.rebase.tools.1',
    recorded: undefined,
    now: like(/"name":"add"/),
  },
  {
    what: 'a child with other settings of its model',
    scenario: child,
    changed: helper({ settings: { temperature: 0.5 } }),
    step: 'child of call 1.0 (helper), run r1, run.started.request.settings',
    recorded: undefined,
    now: { temperature: 0.5 },
  },
]
