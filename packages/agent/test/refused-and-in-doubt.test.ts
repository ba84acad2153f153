/** Renamed agents, refused callers, stopped children: nothing runs twice, nothing is appended by a refused caller, and doubt is said. */
import { type AnyAgent, agent, answer, approve, memoryJournal, tool } from '@loom-agent/agent'
import { type Journal, LoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf } from './journals.ts'

const call = (name: string, input: object = {}) => ({ calls: [{ tool: name, input }] })

/** A child that pays, and then asks before it sends a mail. */
function payer(onPay: () => void) {
  const pay = tool({ name: 'pay', run: () => onPay() })
  const mail = tool({ name: 'mail', permission: 'ask', run: () => 'sent' })
  return (name: string) => {
    const model = scriptedModel(({ prompt }) => {
      const results = prompt.filter(({ role }) => role === 'tool').length
      return results === 0 ? call('pay') : results === 1 ? call('mail') : 'Paid.'
    })
    return agent({ name, tools: [pay, mail], model })
  }
}

const settles = (name: string) => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Settled.' : call(name, { prompt: 'Pay.' })))

describe('an agent that is renamed while its child waits', () => {
  test('goes on with the child that its call has recorded, when it is a tool', async () => {
    let paid = 0
    const kid = payer(() => {
      paid += 1
    })
    const journal = memoryJournal()
    const boss = (name: string) => agent({ name: 'boss', journal, tools: { clerk: kid(name) }, model: settles('clerk') })
    await boss('clerk').run('Settle it.', { thread: 't' })
    const run = boss('accountant').resume('t')
    const { questions } = await run.result()
    expect(questions).toMatchObject([{ kind: 'approval', call: { tool: 'mail' } }])
    await run.answer(questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done', text: 'Settled.' })
    expect(paid).toBe(1)
    expect(await journal.threads()).toHaveLength(2)
  })

  test('is asked about before another child starts, in a durable body (DURABLE-6)', async () => {
    let paid = 0
    const kid = payer(() => {
      paid += 1
    })
    const journal = memoryJournal()
    const delegate = (to: AnyAgent<unknown, unknown>) =>
      tool({ name: 'delegate', durable: true, run: async (_, ctx) => (await ctx.run(to, 'Pay.')).status })
    const boss = (name: string) => agent({ name: 'boss', journal, tools: [delegate(kid(name))], model: settles('delegate') })
    const waiting = await boss('clerk').run('Settle it.', { thread: 't' })
    // The body is entered when its child has something to do (QUIET-1).
    await answer(journal, waiting.questions[0]?.id ?? '', approve())
    const { questions } = await boss('accountant').resume('t').result()
    expect(questions.map(({ kind }) => kind)).toContain('incompatible')
    expect(questions.find(({ kind }) => kind === 'incompatible')?.prompt).toContain('no longer reaches run clerk #1')
    expect(paid).toBe(1)
    expect(await journal.threads()).toHaveLength(2)
  })
})

test('a renamed unsafe step is asked about before it runs (DURABLE-6)', async () => {
  const done: string[] = []
  const journal = memoryJournal()
  const errand = (name: string) =>
    tool({
      name: 'errand',
      durable: true,
      run: async (_, ctx) => {
        await ctx.step(name, () => void done.push(name))
        return (await ctx.ask('Home?')).kind
      },
    })
  const worker = (name: string) => agent({ name: 'worker', journal, tools: [errand(name)], model: settles('errand') })
  const { questions } = await worker('pay').run('Go.', { thread: 't' })
  await worker('transfer').answer(questions[0]?.id ?? '', approve())
  expect(await worker('transfer').resume('t').result()).toMatchObject({ status: 'waiting', questions: [{ kind: 'incompatible' }] })
  expect(done).toEqual(['pay'])
})

test('a branch that lost a race has reached its keys all the same: no question is asked about it', async () => {
  const errand = tool({
    name: 'errand',
    durable: true,
    run: async (_, ctx) => {
      const slow = async () => {
        for (const name of ['a', 'b', 'c']) await ctx.step(name, () => name, { effect: 'pure' })
        return (await ctx.waitFor('never')).status
      }
      return Promise.race([slow(), ctx.ask('Home?').then(({ kind }) => kind)])
    },
  })
  const run = agent({ tools: [errand], model: settles('errand') }).start('Go.')
  const { questions } = await run.result()
  await run.answer(questions[0]?.id ?? '', approve())
  expect(await run.result()).toMatchObject({ status: 'done' })
})

describe('an agent of another name', () => {
  const threadOfAnother = async () => {
    const journal = memoryJournal()
    const mail = tool({ name: 'mail', permission: 'ask', run: () => 'sent' })
    const owner = agent({ name: 'owner', journal, tools: [mail], model: settles('mail') })
    const { questions } = await owner.run('Go.', { thread: 't' })
    const other = agent({ name: 'other', journal, model: scriptedModel('no') })
    return { owner, other, question: questions[0]?.id ?? '', before: await eventsOf(owner, 't') }
  }

  test('that may not stop a thread appends nothing, and is not told to adopt it', async () => {
    const { owner, other, before } = await threadOfAnother()
    const refused = other.stop('t')
    await expect(refused).rejects.toMatchObject({ code: 'LOOM_AGENT_OTHER' })
    await expect(refused).rejects.not.toThrow(/adopt/)
    await expect(other.signal('t', 'go')).rejects.not.toThrow(/adopt/)
    await expect(other.resume('t').result()).rejects.toThrow(/adopt: true/)
    expect(await eventsOf(owner, 't')).toEqual(before)
  })

  test('that was refused appends nothing through its handle', async () => {
    const { owner, other, question, before } = await threadOfAnother()
    const handle = other.resume('t')
    const refusal = { code: 'LOOM_AGENT_OTHER' }
    await expect(handle.stop()).rejects.toMatchObject(refusal)
    await expect(handle.steer('x')).rejects.toMatchObject(refusal)
    await expect(handle.pause()).rejects.toMatchObject(refusal)
    await expect(handle.signal('go')).rejects.toMatchObject(refusal)
    await expect(handle.answer(question, approve())).rejects.toMatchObject(refusal)
    await expect(handle.result()).rejects.toMatchObject(refusal)
    expect(await eventsOf(owner, 't')).toEqual(before)
  })
})

describe('a run that is stopped while a call of its child hangs', () => {
  const stopped = async (grace: { readonly boss: number; readonly clerk: number; readonly levels?: number }) => {
    let paid = 0
    const pay = tool({ name: 'pay', run: () => ++paid && new Promise(() => {}) })
    let clerk = agent({ name: 'clerk', tools: [pay], model: scriptedModel(() => call('pay')), behaviour: { grace: grace.clerk } })
    for (let level = 1; level < (grace.levels ?? 1); level += 1)
      clerk = agent({ name: 'clerk', tools: [clerk], model: settles('clerk'), behaviour: { grace: grace.clerk } })
    const boss = agent({ name: 'boss', tools: [clerk], model: settles('clerk'), behaviour: { grace: grace.boss } })
    const handle = boss.start('Settle it.', { thread: 't' })
    await until(() => paid === 1)
    await boss.stop('t', 'enough')
    await handle.result()
    const children = (await boss.journal.threads()).filter(({ thread }) => thread !== 't')
    return { finished: await factsOf(boss, 't', 'tool.finished'), statuses: children.map(({ summary }) => summary.status) }
  }
  const unknown = [{ data: { errorType: 'outcome-unknown', output: { value: expect.stringContaining('In doubt: run clerk #1') } } }]

  test('says that the outcome is unknown, and ends after its child', async () => {
    expect(await stopped({ boss: 20, clerk: 20 })).toMatchObject({ finished: unknown, statuses: ['stopped'] })
  })

  test('says so for a grandchild', async () => {
    expect(await stopped({ boss: 40, clerk: 20, levels: 2 })).toMatchObject({ finished: unknown, statuses: ['stopped', 'stopped'] })
  })

  test('says so when the child takes longer to stop than the run waits', async () => {
    expect(await stopped({ boss: 1, clerk: 60_000 })).toMatchObject({ finished: unknown, statuses: ['running'] })
  })
})

test('a journal that fails while the end of a child is read ends the driver of the parent: the next one records that end', async () => {
  const stored = memoryJournal()
  let isAway = true
  const journal: Journal = {
    ...stored,
    async read(thread, range) {
      const isOver = (await stored.head(thread))?.summary.status === 'failed'
      if (isAway && isOver) throw new LoomError('LOOM_JOURNAL_UNAVAILABLE', 'The journal cannot be reached.')
      return stored.read(thread, range)
    },
  }
  const clerk = agent({
    name: 'clerk',
    model: scriptedModel(() => {
      throw new LoomError('LOOM_MODEL_INVALID', 'No.')
    }),
  })
  const boss = agent({ name: 'boss', journal, tools: [clerk], model: settles('clerk') })
  await expect(boss.run('Settle it.', { thread: 't' })).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNAVAILABLE' })
  expect(await factsOf(boss, 't', 'tool.finished')).toEqual([])
  isAway = false
  expect(await boss.resume('t').result()).toMatchObject({ status: 'done', text: 'Settled.' })
  expect(await factsOf(boss, 't', 'child.finished')).toMatchObject([{ data: { value: { status: 'failed' } } }])
})

test('a start that a draining process refuses says that nothing was stored', async () => {
  const worker = agent({ model: scriptedModel('no') })
  await worker.drain()
  const refused = worker.run('Go.', { thread: 't' })
  await expect(refused).rejects.toMatchObject({ code: 'LOOM_DRAINING', context: { thread: 't', asked: 'not stored' } })
  await expect(refused).rejects.toThrow(/the thread t\. Nothing was started or stored/)
  expect(await worker.journal.threads()).toEqual([])
})

test('a child is not removed while its parent waits for it', async () => {
  const kid = payer(() => {})
  const boss = agent({ name: 'boss', tools: { clerk: kid('clerk') }, model: settles('clerk') })
  await boss.run('Settle it.', { thread: 't' })
  const [started] = await factsOf(boss, 't', 'child.started')
  const child = started?.data.child ?? ''
  await expect(boss.journal.remove(child)).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY', context: { thread: child, parent: 't' } })
  await boss.stop('t')
  expect(await boss.journal.remove(child)).toBe('removed')
})
