/** A run that waits for a child is not driven for nothing: what is said again, or resumed, appends nothing, calls no model and enters no body. */
import { type Agent, type AgentOptions, agent, answer, approve, memoryJournal, tool } from '@loom-agent/agent'
import type { Draft, Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const after = (name: string) =>
  scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? `after ${name}` : { calls: [{ tool: name, input: { prompt: 'go' } }] }))

/** What a child waits for. */
const waits = {
  'an answer': tool({ name: 'wait', permission: 'ask', run: () => 'paid' }),
  'a signal': tool({
    name: 'wait',
    durable: true,
    effect: 'read',
    run: async (_, ctx) => ((await ctx.waitFor('pay')).status === 'received' ? 'ok' : 'no'),
  }),
  'a moment': tool({ name: 'wait', durable: true, effect: 'read', run: (_, ctx) => ctx.sleep(9_000_000).then(() => 'ok') }),
}

/** A root, its child, and a child of that, which waits. */
function tree(journal: Journal, wait: (typeof waits)[keyof typeof waits], options: Partial<AgentOptions> = {}): Agent {
  const leaf = agent({ name: 'leaf', tools: { wait }, model: after('wait'), ...options })
  const middle = agent({ name: 'middle', tools: { leaf }, model: after('leaf') })
  return agent({ name: 'root', journal, tools: { middle }, model: after('middle'), ports: { development: false } })
}

/** The start of a child as older versions recorded it. */
function withoutResolver(draft: Draft): Draft {
  if (draft.type !== 'child.started') return draft
  const { hasResolver: _, ...data } = draft.data
  return { ...draft, data }
}

/** Every thread, with how long it is and how often it was driven. */
const seen = async (journal: Journal): Promise<readonly string[]> =>
  (await journal.threads()).map(({ thread, seq, epoch }) => `${thread} ${seq} ${epoch}`)

describe.each(Object.entries(waits))('a run whose child waits for %s', (_, wait) => {
  test('stays as it is when its start is said again, when it is resumed, and when it is recovered', async () => {
    const journal = memoryJournal()
    const first = await tree(journal, wait).run('go', { thread: 't', id: 'one' })
    expect(first.status).toBe('waiting')
    const before = await seen(journal)
    const again = tree(journal, wait)
    expect(await again.run('go', { thread: 't', id: 'one' })).toEqual(first)
    expect(await again.resume('t').result()).toEqual(first)
    expect(await again.recover()).toEqual([])
    expect(await seen(journal)).toEqual(before)
  })
})

test('a child that was answered meanwhile goes on when the start is said again', async () => {
  const journal = memoryJournal()
  const { questions } = await tree(journal, waits['an answer']).run('go', { thread: 't', id: 'one' })
  await answer(journal, questions[0]?.id ?? '', approve())
  expect(await tree(journal, waits['an answer']).run('go', { thread: 't', id: 'one' })).toMatchObject({ status: 'done', text: 'after middle' })
})

test('a child whose agent answers questions in this process is asked when the start is said again', async () => {
  const journal = memoryJournal()
  await tree(journal, waits['an answer']).run('go', { thread: 't', id: 'one' })
  const answering = tree(journal, waits['an answer'], { onQuestion: () => approve() })
  expect(await answering.run('go', { thread: 't', id: 'one' })).toMatchObject({ status: 'done', text: 'after middle' })
})

describe('a run whose durable body waits in ctx.run for a child that asks (QUIET-1)', () => {
  const repeats = Array.from({ length: 10 })

  /** A root whose durable body runs a child, which asks, at once or by a child of its own; `entered` counts. */
  function body(
    journal: Journal,
    options: { readonly asker?: Partial<AgentOptions>; readonly root?: Partial<AgentOptions>; readonly isDeep?: boolean } = {},
  ) {
    const asker = agent({ name: 'asker', tools: { wait: waits['an answer'] }, model: after('wait'), ...options.asker })
    const count = { entered: 0 }
    const runs = (child: Agent) =>
      tool({ name: 'body', durable: true, effect: 'read', run: (_, ctx) => ++count.entered && ctx.run(child, 'go').then(({ status }) => status) })
    const middle = agent({ name: 'middle', tools: { body: runs(asker) }, model: after('body') })
    const child = options.isDeep ? middle : asker
    const root = agent({ name: 'root', journal, tools: { body: runs(child) }, model: after('body'), ports: { development: false }, ...options.root })
    return { root, count }
  }

  test.each([false, true])('stays as it is when it is resumed and started again ten times (by a child of its child: %s)', async (isDeep) => {
    const journal = memoryJournal()
    const { root, count } = body(journal, { isDeep })
    const first = await root.run('go', { thread: 't', id: 'one' })
    expect(first).toMatchObject({ status: 'waiting', questions: [{ call: { tool: 'wait' } }] })
    const [before, entered] = [await seen(journal), count.entered]
    for (const _ of repeats) expect(await root.resume('t').result()).toEqual(first)
    for (const _ of repeats) expect(await root.run('go', { thread: 't', id: 'one' })).toEqual(first)
    expect([await seen(journal), count.entered]).toEqual([before, entered])
    await root.answer(first.questions[0]?.id ?? '', approve())
    expect(await root.resume('t').result()).toMatchObject({ status: 'done', text: 'after body' })
  })

  test.each([false, true])('stays as it is for every agent object that looks at it (by a child of its child: %s)', async (isDeep) => {
    const journal = memoryJournal()
    const first = await body(journal, { isDeep }).root.run('go', { thread: 't', id: 'one' })
    const before = await seen(journal)
    for (const _ of repeats) {
      const { root, count } = body(journal, { isDeep })
      expect(await root.resume('t').result()).toEqual(first)
      expect(await root.run('go', { thread: 't', id: 'one' })).toEqual(first)
      expect(count.entered).toBe(0)
    }
    expect(await seen(journal)).toEqual(before)
  })

  test('stays as it is where its agent has got an onQuestion since; the caller who resumes it can answer', async () => {
    const journal = memoryJournal()
    const first = await body(journal).root.run('go', { thread: 't', id: 'one' })
    const { root, count } = body(journal, { asker: { onQuestion: () => approve() } })
    expect(await root.resume('t').result()).toEqual(first)
    expect(count.entered).toBe(0)
    expect(await root.resume('t', { onQuestion: () => approve() }).result()).toMatchObject({ status: 'done', text: 'after body' })
  })

  test('goes on in a process where the agent of the root answers', async () => {
    const journal = memoryJournal()
    await body(journal).root.run('go', { thread: 't', id: 'one' })
    const { root } = body(journal, { root: { onQuestion: () => approve() } })
    expect(await root.resume('t').result()).toMatchObject({ status: 'done', text: 'after body' })
  })

  test.each([false, true])(
    'goes on in a process that asks its agent, which did not answer elsewhere (by a child of its child: %s)',
    async (isDeep) => {
      const journal = memoryJournal()
      await body(journal, { isDeep, asker: { onQuestion: () => undefined } }).root.run('go', { thread: 't' })
      const { root } = body(journal, { isDeep, asker: { onQuestion: () => approve() } })
      expect(await root.resume('t').result()).toMatchObject({ status: 'done', text: 'after body' })
    },
  )

  test('is entered to see whether its agent answers where an older record does not say it', async () => {
    const stored = memoryJournal()
    const older: Journal = {
      ...stored,
      append: (thread, batch) => stored.append(thread, { ...batch, events: batch.events.map(withoutResolver) }),
    }
    await body(older).root.run('go', { thread: 't' })
    const { root } = body(stored, { asker: { onQuestion: () => approve() } })
    expect(await root.resume('t').result()).toMatchObject({ status: 'done', text: 'after body' })
  })

  test('asks a resolver again that could not answer before', async () => {
    let asked = 0
    const onQuestion = () => (++asked === 1 ? undefined : approve())
    const { root } = body(memoryJournal(), { asker: { onQuestion } })
    expect((await root.run('go', { thread: 't' })).status).toBe('waiting')
    expect(await root.resume('t').result()).toMatchObject({ status: 'done', text: 'after body' })
  })

  test('passes its question to the resolver of a caller, and goes on with its answer', async () => {
    const { root } = body(memoryJournal())
    await root.run('go', { thread: 't' })
    expect(await root.resume('t', { onQuestion: () => approve() }).result()).toMatchObject({ status: 'done', text: 'after body' })
  })
})
