/** What a child has of the run that starts it: its dependencies and its metadata, at any depth, in any process. */
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf } from './journals.ts'

interface Shop {
  readonly name: string
}
interface Seen {
  readonly deps?: unknown
  readonly metadata?: unknown
}

const asks = (name: string) => ({ calls: [{ tool: name, input: { prompt: 'do it' } }] })
const metadata = { tenant: 'acme' }

/** A child whose tool, instructions and hook note what they are given. */
function observed(seen: Record<string, Seen>) {
  const look = tool<Shop>()({
    name: 'look',
    effect: 'read',
    run: (_, { deps }) => {
      seen['tool'] = { deps }
      return deps.name
    },
  })
  return agent<Shop>()({
    name: 'clerk',
    model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'done' : { calls: [{ tool: 'look' }] })),
    tools: [look],
    instructions: (situation) => {
      seen['instructions'] = { deps: situation.deps, metadata: situation.metadata }
      return `You work for ${situation.deps.name}.`
    },
    hooks: [
      {
        beforeModelCall: (context) => {
          seen['hook'] = { deps: context.deps, metadata: context.metadata }
        },
      },
    ],
  })
}

const given = (deps: Shop) => ({ tool: { deps }, instructions: { deps, metadata }, hook: { deps, metadata } })
const shop: Shop = { name: 'the corner shop' }

/** The boss in a process of its own: its model goes on where the journal says that it is. */
const bossModel = (first: string) => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'all done' : asks(first)))

describe('a child `agent<Deps>()` runs with the deps and the metadata of its parent, not with undefined and {}', () => {
  test('as a tool', async () => {
    const seen: Record<string, Seen> = {}
    const boss = agent({ model: bossModel('clerk'), tools: [observed(seen)] })
    expect(await boss.run('go', { deps: shop, metadata, thread: 't' })).toMatchObject({ status: 'done', text: 'all done' })
    expect(seen).toEqual(given(shop))
    const [{ data } = { data: { child: '' } }] = await factsOf(boss, 't', 'child.started')
    expect((await factsOf(boss, data.child, 'run.started'))[0]?.data).toMatchObject({ request: { metadata } })
  })

  test('through ctx.run of a durable tool', async () => {
    const seen: Record<string, Seen> = {}
    const clerk = observed(seen)
    const delegate = tool<Shop>()({ name: 'delegate', durable: true, run: async (_, ctx) => (await ctx.run(clerk, 'Look.')).text })
    await agent({ model: bossModel('delegate'), tools: [delegate] }).run('go', { deps: shop, metadata })
    expect(seen).toEqual(given(shop))
  })

  test('as a child of a child, also where the one between uses none', async () => {
    const seen: Record<string, Seen> = {}
    const between = agent({ name: 'between', model: bossModel('clerk'), tools: { clerk: observed(seen) } })
    await agent({ model: bossModel('between'), tools: { between } }).run('go', { deps: shop, metadata })
    expect(seen).toEqual(given(shop))
  })

  test('that the function of the parent makes, once for the whole tree', async () => {
    const seen: Record<string, Seen> = {}
    let made = 0
    const deps = ({ metadata: { tenant } }: { metadata: { [key: string]: unknown } }): Shop => {
      made += 1
      return { name: `shop ${made} of ${String(tenant)}` }
    }
    await agent({ model: bossModel('clerk'), tools: [observed(seen)], deps }).run('go', { metadata })
    expect(seen).toEqual(given({ name: 'shop 1 of acme' }))
  })

  test('unless it has its own, which may be of another type; its function gets the metadata', async () => {
    const seen: Record<string, Seen> = {}
    const clerk = observed(seen).with({ deps: ({ metadata: { tenant } }) => ({ name: `its own, for ${String(tenant)}` }) })
    await agent<{ readonly other: number }>()({ model: bossModel('clerk'), tools: [clerk] }).run('go', { deps: { other: 7 }, metadata })
    expect(seen).toEqual(given({ name: 'its own, for acme' }))
  })
})

describe('after a resume in another process a child has the deps', () => {
  /** The tree on a journal: the clerk's tool asks before it looks. */
  const tree = (journal: Journal, seen: Record<string, Seen>) => {
    const pay = tool<Shop>()({
      name: 'pay',
      permission: 'ask',
      run: (_, { deps }) => {
        seen['tool'] = { deps }
        return 'paid'
      },
    })
    const clerk = agent<Shop>()({ name: 'clerk', model: bossModel('pay'), tools: [pay] })
    const delegate = tool<Shop>()({ name: 'delegate', durable: true, run: async (_, ctx) => (await ctx.run(clerk, 'Pay.')).text })
    return agent<Shop>()({ name: 'boss', journal, model: bossModel('delegate'), tools: [delegate] })
  }

  /** One process starts the run, which waits for an answer in the child, and ends. */
  async function waiting() {
    const journal = memoryJournal()
    const { questions } = await tree(mortalJournal(journal).journal, {}).run('go', { thread: 't', deps: { name: 'of a process that is gone' } })
    return { journal, question: questions[0]?.id ?? '' }
  }

  test('that the resumer gives', async () => {
    const { journal, question } = await waiting()
    const seen: Record<string, Seen> = {}
    const run = tree(mortalJournal(journal).journal, seen).resume('t', { deps: shop })
    await run.answer(question, approve())
    expect((await run.result()).text).toBe('all done')
    expect(seen).toEqual({ tool: { deps: shop } })
  })

  test('that the function of the agent makes, for any process that answers', async () => {
    const { journal, question } = await waiting()
    const seen: Record<string, Seen> = {}
    const boss = tree(mortalJournal(journal).journal, seen).with({ deps: () => shop })
    await boss.answer(question, approve())
    expect((await boss.resume('t').result()).text).toBe('all done')
    expect(seen).toEqual({ tool: { deps: shop } })
  })

  test('and is not run without them', async () => {
    const { journal, question } = await waiting()
    const seen: Record<string, Seen> = {}
    const boss = tree(mortalJournal(journal).journal, seen)
    await boss.answer(question, approve())
    expect(await boss.recover()).toMatchObject([{ thread: 't', status: 'refused', error: { code: 'LOOM_DEPS_MISSING' } }])
    expect(seen).toEqual({})
  })

  test.each(['before', 'after'] as const)('also when the process died while the child was at work: %s each append', async (when) => {
    for (let append = 1; ; append += 1) {
      const journal = memoryJournal()
      const dying = mortalJournal(journal, { append, when })
      const seen: Record<string, Seen> = {}
      const bossOf = (own: Journal) => agent<Shop>()({ name: 'boss', journal: own, model: bossModel('clerk'), tools: [observed(seen)] })
      const first = bossOf(dying.journal).start('go', { thread: 't', deps: shop, metadata })
      const isOver = await Promise.race([first.result().then(() => true), dying.died.then(() => false)])
      if (isOver) return expect(append).toBeGreaterThan(8)
      const later: Shop = { name: 'the shop after the crash' }
      const run = bossOf(mortalJournal(journal).journal).resume('t', { deps: later })
      const isStarted = append > 1 || when === 'after'
      expect(
        await run.result().then(
          ({ status }) => status,
          ({ code }) => code,
        ),
      ).toBe(isStarted ? 'done' : 'LOOM_THREAD_NOT_FOUND')
      expect(Object.keys(seen)).toHaveLength(isStarted ? 3 : 0)
      for (const { deps } of Object.values(seen)) expect([shop, later]).toContain(deps)
    }
  })
})
