/** Agents that survive crashes, and agents that do not. */
import { type AgentOptions, type AnyAgent, agent, approve, type Hook, tool } from '@loom-agent/agent'
import type { ChaosContext, ChaosOptions } from '../../src/crash/chaos.ts'
import type { FindingKind } from '../../src/crash/finding.ts'
import { type ScriptStep, scriptedModel } from '../../src/double/scripted-model.ts'
import { type SteadyLine, steadyModel } from '../../src/double/steady-model.ts'

/** A bank that counts its charges. */
interface Bank {
  charges: number
  readonly receipts: Record<string, number>
  charge(): string | Promise<string>
  chargeOnce(key: string): string | Promise<string>
  has(key: string): boolean | Promise<boolean>
}

const bank = (): Bank => ({
  charges: 0,
  receipts: {},
  charge() {
    this.charges += 1
    return 'charged'
  },
  chargeOnce(key) {
    if (this.receipts[key] === undefined) this.charges += 1
    this.receipts[key] ??= this.charges
    return 'charged'
  },
  has(key) {
    return this.receipts[key] !== undefined
  },
})

type Tools = NonNullable<AgentOptions['tools']>

/** An agent to be tried, and what is wrong with it. */
export interface Candidate {
  readonly name: string
  readonly make: (context: ChaosContext<Bank>) => AnyAgent
  readonly options: ChaosOptions<Bank>
  readonly fault?: FindingKind
}

const twice: readonly SteadyLine[] = [{ calls: [{ tool: 'charge' }] }, { calls: [{ tool: 'charge' }] }, 'Done.']
const options: ChaosOptions<Bank> = { inputs: ['Go.'], world: bank, pairs: 3 }

const charging = (
  name: string,
  tools: (bank: Bank) => Tools,
  more: Partial<Candidate> & { readonly hooks?: (bank: Bank) => Hook } = {},
): Candidate => ({
  name,
  make: ({ journal, world }) => agent({ model: steadyModel(twice), tools: tools(world), journal, ...(more.hooks && { hooks: [more.hooks(world)] }) }),
  options,
  ...more,
})

/** Agents whose effects are what they say they are. */
export const good: readonly Candidate[] = [
  charging('charges with an unsafe tool', (world) => ({ charge: tool({ run: () => world.charge() }) })),
  charging('charges with a key', (world) => ({ charge: tool({ effect: 'idempotent', run: (_input, { key }) => world.chargeOnce(key) }) })),
  charging('can look whether it has charged', (world) => ({
    charge: tool({
      effect: 'reconcilable',
      check: async (key) => ((await world.has(key)) ? { status: 'done', result: 'charged' } : { status: 'not-done' }),
      run: (_input, { key }) => world.chargeOnce(key),
    }),
  })),
  charging('charges in a step of a durable body', (world) => ({
    charge: tool({
      durable: true,
      async run(_input, ctx) {
        const { kind } = await ctx.ask('May I?')
        await ctx.sleep(60_000)
        return kind === 'approve' ? ctx.step('charge', () => world.charge()) : 'not charged'
      },
    }),
  })),
  charging('asks before it charges', (world) => ({ charge: tool({ permission: 'ask', run: () => world.charge() }) })),
  charging('only looks', () => ({ charge: tool({ effect: 'read', run: async () => 'nothing to charge' }) })),
  charging('has hooks that only change words', (world) => ({ charge: tool({ run: () => world.charge() }) }), {
    hooks: () => ({ afterToolExecution: (_context, { output }) => ({ output: { type: 'text', value: `${String(output.value)}!` } }) }),
  }),
  {
    name: 'lets a child charge, for several inputs',
    make: ({ journal, world }) => {
      const tools = { charge: tool({ run: () => world.charge() }) }
      const child = agent({ name: 'clerk', model: steadyModel([{ calls: [{ tool: 'charge' }] }, 'Charged.']), tools })
      const says = [{ calls: [{ tool: 'clerk', input: { prompt: 'Charge.' } }] }, 'Done.', 'You are welcome.']
      return agent({ model: steadyModel(says), tools: [child], journal })
    },
    options: { ...options, inputs: ['Go.', 'Thank you.'], answer: () => approve() },
  },
]

let clock = 0
/** Time, as a body that does not use steps reads it. */
const now = (): number => {
  clock += 1
  return clock
}

/** Agents that each hide one fault. */
export const bad: readonly Candidate[] = [
  charging('a tool that charges and says it reads', (world) => ({ charge: tool({ effect: 'read', run: () => world.charge() }) }), {
    fault: 'duplicate',
  }),
  charging('a tool that charges and says it is pure', (world) => ({ charge: tool({ effect: 'pure', run: () => world.charge() }) }), {
    fault: 'duplicate',
  }),
  charging('an idempotent tool that ignores its key', (world) => ({ charge: tool({ effect: 'idempotent', run: () => world.charge() }) }), {
    fault: 'duplicate',
  }),
  charging(
    'an idempotent tool that makes up its keys',
    (world) => ({ charge: tool({ effect: 'idempotent', run: () => world.chargeOnce(`key ${now()}`) }) }),
    { fault: 'duplicate', options: { ...options, observe: ({ charges }) => charges } },
  ),
  charging(
    'a check that says that nothing was done',
    (world) => ({
      charge: tool({ effect: 'reconcilable', check: () => ({ status: 'not-done' }), run: () => world.charge() }),
    }),
    { fault: 'duplicate' },
  ),
  charging(
    'a check that says that it was done',
    (world) => ({
      charge: tool({ effect: 'reconcilable', check: () => ({ status: 'done', result: 'charged' }), run: () => world.charge() }),
    }),
    { fault: 'missing' },
  ),
  charging(
    'a tool that forgets to wait for its effect',
    (world) => ({
      charge: tool({
        run() {
          setImmediate(() => world.charge())
          return 'charged'
        },
      }),
    }),
    { fault: 'missing' },
  ),
  charging(
    'a durable body that charges outside of its steps',
    (world) => ({
      charge: tool({
        durable: true,
        async run(_input, ctx) {
          await world.charge()
          return (await ctx.ask('Well?')).kind
        },
      }),
    }),
    { fault: 'duplicate' },
  ),
  charging(
    'a step that charges and says it reads',
    (world) => ({
      charge: tool({ durable: true, run: (_input, ctx) => ctx.step('charge', () => world.charge(), { effect: 'read' }) }),
    }),
    { fault: 'duplicate' },
  ),
  charging(
    'a durable body that reads the clock outside of its steps',
    (world) => ({
      charge: tool({
        durable: true,
        async run(_input, ctx) {
          await ctx.step(now() % 2 === 0 ? 'even' : 'odd', () => world.charge())
          await ctx.step('charge', () => world.charge())
          return 'charged'
        },
      }),
    }),
    { fault: 'transcript' },
  ),
  charging('a tool that returns the time', (world) => ({ charge: tool({ run: () => `${world.charge()} at ${now()}` }) }), { fault: 'unsteady' }),
  charging(
    'a tool that counts in the memory of its process',
    () => {
      let count = 0
      const look = async (): Promise<string> => {
        count += 1
        return `looked ${count} times`
      }
      return { charge: tool({ effect: 'read', run: look }) }
    },
    { fault: 'transcript' },
  ),
  charging('a hook that charges', () => ({ charge: tool({ effect: 'read', run: async () => 'nothing' }) }), {
    hooks: (world) => ({
      beforeModelCall: () => {
        world.charge()
      },
    }),
    fault: 'duplicate',
  }),
  charging(
    'a tool of which only half has a key',
    (world) => ({
      charge: tool({
        effect: 'idempotent',
        async run(_input, { key }) {
          await world.chargeOnce(key)
          return world.charge()
        },
      }),
    }),
    { fault: 'duplicate' },
  ),
  {
    name: 'a model that counts how often it was asked',
    make: ({ journal, world }) => {
      const script: readonly ScriptStep[] = [{ calls: [{ tool: 'charge' }] }, 'Done.', (_request, number) => `Done after ${number}.`]
      return agent({ model: scriptedModel(script), tools: { charge: tool({ run: () => world.charge() }) }, journal })
    },
    options,
    fault: 'transcript',
  },
]
