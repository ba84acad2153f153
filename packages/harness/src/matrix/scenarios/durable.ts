/** Scenarios about bodies that outlive their process. */
import { respond, type Tool, tool } from '@loom-agent/agent'
import type { CrashScenario, ProcessContext } from '@loom-agent/testing/crash'
import { type AgentScript, calls, interrupted, look, moment, pay, scenario, scriptedAgent } from './tools.ts'

const errand =
  (run: (context: ProcessContext) => Tool): ((context: ProcessContext) => AgentScript) =>
  (context) => ({ tools: [run(context), pay(context), look], says: [calls('errand', 'look'), 'Done.'] })

const steps = ({ world }: ProcessContext): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const first = await ctx.step('buy', () => world.act('buy'))
      const second = await ctx.step('note', ({ key }) => world.put('note', key), { effect: 'idempotent' })
      const third = await ctx.step('look', () => 'seen', { effect: 'read' })
      const again = await ctx.step('buy', async () => {
        await moment()
        return world.act('buy again')
      })
      return [first, second, third, again].join(', ')
    },
  })

const asks = ({ world }: ProcessContext): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const what = await ctx.ask('What is it to be?', { name: 'what' })
      const bought = await ctx.step('buy', () => world.act('buy'))
      const where = await ctx.ask('Where to?')
      return [bought, what, where]
    },
  })

const sleeps = ({ world }: ProcessContext): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      await ctx.step('before', () => world.act('before'))
      await ctx.sleep(5_000)
      await ctx.sleep(3_600_000)
      return ctx.step('after', () => world.act('after'))
    },
  })

const side = ({ world }: ProcessContext): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const [asked, slept, acted, noted] = await Promise.all([
        ctx.ask('One?', { name: 'one' }),
        ctx.sleep(1_000).then(() => 'slept'),
        ctx.step('act', () => world.act('act')),
        ctx.step('note', ({ key }) => world.put('note', key), { effect: 'idempotent' }),
      ])
      return [asked.kind, slept, acted, noted]
    },
  })

const failing = ({ world }: ProcessContext): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      try {
        await ctx.step('try', () => Promise.reject(new Error('sold out')), { effect: 'idempotent' })
      } catch {
        return ctx.step('instead', () => world.act('instead'))
      }
      return 'bought'
    },
  })

const expiring = (_context: ProcessContext): Tool =>
  tool({ name: 'errand', durable: true, run: async (_input, ctx) => (await ctx.ask('Anybody?', { expires: 10_000 })).kind })

const signalled = ({ world }: ProcessContext): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const first = await ctx.waitFor('paid')
      const bought = await ctx.step('buy', () => world.act('buy'))
      const second = await ctx.waitFor('paid', { until: new Date(0) })
      return [first, bought, second]
    },
  })

/** The clock of a trial begins at 1,000,000: this is in more than a minute. */
const closingTime = 1_100_000

const outwaiting = (_context: ProcessContext): Tool =>
  tool({ name: 'errand', durable: true, run: async (_input, ctx) => (await ctx.waitFor('paid', { until: closingTime })).status })

const helped = (context: ProcessContext): AgentScript => {
  const helper = scriptedAgent({ name: 'helper', tools: [pay(context)], says: [calls('pay'), 'Helped.'] }, context)
  const body = tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const before = await ctx.step('before', () => context.world.act('before'))
      const first = await ctx.run(helper, 'Help.')
      const second = await ctx.run(helper, 'Help again.')
      return [before, first.text, second.text]
    },
  })
  return { tools: [body], says: [calls('errand'), 'Done.'] }
}

/** Scenarios about durable bodies. */
export const durableScenarios: readonly CrashScenario[] = [
  scenario('durable steps', errand(steps)),
  scenario('a durable body that asks twice', errand(asks), { answer: () => respond('this') }),
  scenario('a durable body that sleeps', errand(sleeps)),
  scenario('a durable body that does many things at once', errand(side)),
  scenario('a durable step that fails', errand(failing)),
  scenario('a durable question that expires', errand(expiring), { answer: () => undefined }),
  scenario(
    'a durable body that waits for a signal',
    errand(signalled),
    interrupted('tool.step-started', 'signal.received', (run) => run.signal('paid', 7, { by: 'bank' })),
  ),
  scenario(
    'a signal that comes before it is waited for',
    errand(signalled),
    interrupted('model.requested', 'signal.received', (run) => run.signal('paid', 7)),
  ),
  scenario('a wait for a signal that never comes', errand(outwaiting)),
  scenario('a durable body that runs agents', helped),
  scenario('two durable bodies', (context) => ({ tools: [steps(context), asksAside(context)], says: [calls('errand', 'aside', 'errand'), 'Done.'] })),
]

const asksAside = ({ world }: ProcessContext): Tool =>
  tool({
    name: 'aside',
    durable: true,
    schedule: { parallel: true },
    async run(_input, ctx) {
      const { kind } = await ctx.ask('May I?')
      return `${kind} ${await ctx.step('act', () => world.act('aside'))}`
    },
  })
