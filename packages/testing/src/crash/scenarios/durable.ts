/** Scenarios about bodies that outlive their process. */
import { respond, type Tool, tool } from '@loom-agent/agent'
import type { CrashScenario, Scene } from '../scenario.ts'
import { breath, calls, look, type Part, pay, played, player } from './cast.ts'

const errand =
  (run: (scene: Scene) => Tool): ((scene: Scene) => Part) =>
  (scene) => ({ tools: [run(scene), pay(scene), look], says: [calls('errand', 'look'), 'Done.'] })

const steps = ({ outside }: Scene): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const first = await ctx.step('buy', () => outside.act('buy'))
      const second = await ctx.step('note', ({ key }) => outside.put('note', key), { effect: 'idempotent' })
      const third = await ctx.step('look', () => 'seen', { effect: 'read' })
      const again = await ctx.step('buy', async () => {
        await breath()
        return outside.act('buy again')
      })
      return [first, second, third, again].join(', ')
    },
  })

const asks = ({ outside }: Scene): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const what = await ctx.ask('What is it to be?', { name: 'what' })
      const bought = await ctx.step('buy', () => outside.act('buy'))
      const where = await ctx.ask('Where to?')
      return [bought, what, where]
    },
  })

const sleeps = ({ outside }: Scene): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      await ctx.step('before', () => outside.act('before'))
      await ctx.sleep(5_000)
      await ctx.sleep(3_600_000)
      return ctx.step('after', () => outside.act('after'))
    },
  })

const side = ({ outside }: Scene): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const [asked, slept, acted, noted] = await Promise.all([
        ctx.ask('One?', { name: 'one' }),
        ctx.sleep(1_000).then(() => 'slept'),
        ctx.step('act', () => outside.act('act')),
        ctx.step('note', ({ key }) => outside.put('note', key), { effect: 'idempotent' }),
      ])
      return [asked.kind, slept, acted, noted]
    },
  })

const failing = ({ outside }: Scene): Tool =>
  tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      try {
        await ctx.step('try', () => Promise.reject(new Error('sold out')), { effect: 'idempotent' })
      } catch {
        return ctx.step('instead', () => outside.act('instead'))
      }
      return 'bought'
    },
  })

const expiring = (_scene: Scene): Tool =>
  tool({ name: 'errand', durable: true, run: async (_input, ctx) => (await ctx.ask('Anybody?', { expires: 10_000 })).kind })

const helped = (scene: Scene): Part => {
  const helper = player({ name: 'helper', tools: [pay(scene)], says: [calls('pay'), 'Helped.'] }, scene)
  const body = tool({
    name: 'errand',
    durable: true,
    async run(_input, ctx) {
      const before = await ctx.step('before', () => scene.outside.act('before'))
      const first = await ctx.run(helper, 'Help.')
      const second = await ctx.run(helper, 'Help again.')
      return [before, first.text, second.text]
    },
  })
  return { tools: [body], says: [calls('errand'), 'Done.'] }
}

/** Scenarios about durable bodies. */
export const durableScenarios: readonly CrashScenario[] = [
  played('durable steps', errand(steps)),
  played('a durable body that asks twice', errand(asks), { answer: () => respond('this') }),
  played('a durable body that sleeps', errand(sleeps)),
  played('a durable body that does many things at once', errand(side)),
  played('a durable step that fails', errand(failing)),
  played('a durable question that expires', errand(expiring), { answer: () => undefined }),
  played('a durable body that runs agents', helped),
  played('two durable bodies', (scene) => ({ tools: [steps(scene), asksAside(scene)], says: [calls('errand', 'aside', 'errand'), 'Done.'] })),
]

const asksAside = ({ outside }: Scene): Tool =>
  tool({
    name: 'aside',
    durable: true,
    schedule: { parallel: true },
    async run(_input, ctx) {
      const { kind } = await ctx.ask('May I?')
      return `${kind} ${await ctx.step('act', () => outside.act('aside'))}`
    },
  })
