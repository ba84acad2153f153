/** Starting, controlling and answering over routes. */
import { agent, memoryJournal, questions, tool } from '@loom-agent/agent'
import { readEvents } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { admin, clerkOf, jsonOf, look, pay, sender } from './world.ts'

interface Started {
  readonly thread: string
  readonly run: string
  readonly seq: number
}

const statusOf = async (send: ReturnType<typeof sender>['send'], thread: string): Promise<string> =>
  (await jsonOf<{ status: string }>(send(`GET /threads/${thread}`))).status

/** A tool that waits until the test lets it go. */
function gate() {
  const started = Promise.withResolvers<void>()
  const go = Promise.withResolvers<string>()
  const wait = tool({
    name: 'wait',
    effect: 'read',
    run: () => {
      started.resolve()
      return go.promise
    },
  })
  return { started: started.promise, go: () => go.resolve('gone'), wait }
}

describe('a start', () => {
  test('returns when it is durable, and names the run and the event that started it', async () => {
    const clerk = clerkOf(['Hello.'])
    const { send } = sender({ agents: [clerk] })
    const response = await send('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 't', metadata: { from: 'test' } } })
    expect(response.status).toBe(202)
    const { thread, run, seq } = await jsonOf<Started>(response)
    expect([thread, run]).toEqual(['t', 'r1'])
    const [event] = await clerk.journal.read('t', { from: seq, limit: 1 })
    expect(event).toMatchObject({ type: 'run.started', data: { request: { metadata: { from: 'test' } } } })
    await until(async () => (await statusOf(send, 't')) === 'done')
  })

  test('that is sent again with its id is one run; with another input it is refused', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    const { send } = sender({ agents: [agent({ name: 'clerk', model, journal: memoryJournal() })] })
    const body = { input: 'Hi', thread: 't', id: 'click' }
    const all = await Promise.all([1, 2, 3].map(() => jsonOf<Started>(send('POST /agents/clerk/runs', { body }))))
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1)
    await until(async () => (await statusOf(send, 't')) === 'done')
    const header = { body: { input: 'Hi', thread: 't' }, headers: { 'idempotency-key': 'click' } }
    expect(await jsonOf(send('POST /agents/clerk/runs', header))).toEqual(all[0])
    expect(model.requests).toHaveLength(1)
    const other = await send('POST /agents/clerk/runs', { body: { ...body, input: 'Ho' } })
    expect([other.status, await jsonOf(other)]).toMatchObject([409, { code: 'LOOM_RUN_EXISTS', context: { thread: 't', id: 'click' } }])
  })

  test('on a busy thread is queued, or refused when it says so', async () => {
    const { started, go, wait } = gate()
    const clerk = agent({
      name: 'clerk',
      model: scriptedModel([{ calls: [{ tool: 'wait' }] }, 'One.', 'Two.']),
      tools: { wait },
      journal: memoryJournal(),
    })
    const { send } = sender({ agents: [clerk] })
    await send('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 't' } })
    await started
    const refused = await send('POST /agents/clerk/runs', { body: { input: 'Ho', thread: 't', whenBusy: 'reject' } })
    expect([refused.status, await jsonOf(refused)]).toMatchObject([409, { code: 'LOOM_THREAD_BUSY', hint: expect.stringContaining('later') }])
    const queued = await jsonOf<Started>(send('POST /agents/clerk/runs', { body: { input: 'Ho', thread: 't' } }))
    expect(queued.run).toBe('r2')
    const [event] = await clerk.journal.read('t', { from: queued.seq, limit: 1 })
    expect(event?.type).toBe('run.queued')
    go()
    await until(async () => (await jsonOf<readonly unknown[]>(send('GET /threads/t/metrics'))).length === 2 && (await statusOf(send, 't')) === 'done')
  })

  test('that nobody waits for goes on when its client has left', async () => {
    const { started, go, wait } = gate()
    const clerk = agent({ name: 'clerk', model: scriptedModel([{ calls: [{ tool: 'wait' }] }, 'Done.']), tools: { wait }, journal: memoryJournal() })
    const { send } = sender({ agents: [clerk] })
    const client = new AbortController()
    const response = send('POST /agents/clerk/results', { body: { input: 'Hi', thread: 't' }, signal: client.signal })
    response.catch(() => {})
    await started
    client.abort()
    go()
    await until(async () => (await statusOf(send, 't')) === 'done')
  })

  test('with a result returns it: done, waiting with its questions, failed with its error', async () => {
    const model = scriptedModel(['Hello.', { calls: [{ tool: 'pay' }] }, { throws: Object.assign(new Error('no'), { isRetryable: false }) }])
    const { send } = sender({ agents: [agent({ name: 'clerk', model, tools: { pay }, journal: memoryJournal() })] })
    const run = (thread: string) => jsonOf(send('POST /agents/clerk/results', { body: { input: 'Hi', thread } }))
    expect(await run('a')).toMatchObject({ status: 'done', text: 'Hello.', output: 'Hello.', turns: 1, run: 'r1' })
    expect(await run('b')).toMatchObject({ status: 'waiting', reason: 'question', questions: [{ kind: 'approval', call: { tool: 'pay' } }] })
    expect(await run('c')).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_FAILED' } })
  })

  test('for an agent that is not there, or with an input that is none, is refused', async () => {
    const { send } = sender({ agents: [clerkOf([])] })
    expect((await send('POST /agents/nobody/runs', { body: { input: 'Hi' } })).status).toBe(404)
    expect(await jsonOf(send('POST /agents/clerk/runs', { body: { input: '' } }))).toMatchObject({ status: 400, code: 'LOOM_INPUT_EMPTY' })
    expect(await jsonOf(send('POST /agents/clerk/runs', { body: { input: [{ type: 'txt' }] } }))).toMatchObject({
      status: 400,
      code: 'LOOM_INPUT_INVALID',
    })
    expect(await jsonOf(send('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 'a#b' } }))).toMatchObject({
      status: 400,
      code: 'LOOM_THREAD_INVALID',
    })
  })
})

describe('control', () => {
  test('steers, pauses, resumes and stops, and the sender is the author', async () => {
    const { started, go, wait } = gate()
    const model = scriptedModel([{ calls: [{ tool: 'wait' }] }, { calls: [{ tool: 'look' }] }, { calls: [{ tool: 'wait' }] }, 'Never.'])
    const clerk = agent({ name: 'clerk', model, tools: { wait, look }, journal: memoryJournal() })
    const { send } = sender({ agents: [clerk] })
    await send('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 't' } })
    await started
    expect((await send('POST /threads/t/steer', { body: { text: 'In French.' } })).status).toBe(204)
    expect((await send('POST /threads/t/pause')).status).toBe(204)
    go()
    await until(async () => (await statusOf(send, 't')) === 'waiting')
    expect((await send('POST /threads/t/compact')).status).toBe(204)
    expect((await send('POST /threads/t/resume')).status).toBe(204)
    expect((await send('POST /threads/t/stop', { body: { reason: 'Enough.' } })).status).toBe(204)
    await until(async () => (await statusOf(send, 't')) === 'stopped')
    const authors = (await Array.fromAsync(readEvents(clerk.journal, 't'))).flatMap(({ type, data }) => ('by' in data ? [[type, data.by]] : []))
    expect(authors).toEqual([
      ['message.steered', 'ann'],
      ['run.pause-requested', 'ann'],
      ['context.compact-requested', 'ann'],
      ['run.stop-requested', 'ann'],
    ])
  })

  test('stops a run that waits and that no process drives', async () => {
    const clerk = clerkOf([{ calls: [{ tool: 'pay' }] }])
    await clerk.run('Pay.', { thread: 't' })
    const { send } = sender({ agents: [clerk] })
    expect((await send('POST /threads/t/stop', { body: {} })).status).toBe(204)
    await until(async () => (await statusOf(send, 't')) === 'stopped')
  })

  test('sends signals to a durable body that waits', async () => {
    const wait = tool({ name: 'wait', durable: true, run: async (_: unknown, ctx) => ctx.waitFor('paid') })
    const clerk = agent({ name: 'clerk', model: scriptedModel([{ calls: [{ tool: 'wait' }] }, 'Paid.']), tools: { wait }, journal: memoryJournal() })
    const { send } = sender({ agents: [clerk] })
    expect(await jsonOf(send('POST /agents/clerk/results', { body: { input: 'Hi', thread: 't' } }))).toMatchObject({ reason: 'signal' })
    expect((await send('POST /threads/t/signals/paid', { body: { value: { amount: 5 } } })).status).toBe(204)
    await until(async () => (await statusOf(send, 't')) === 'done')
  })

  test('forks, and the fork goes on when it is asked to', async () => {
    const clerk = clerkOf(['One.', 'Two.'])
    await clerk.run('Hi', { thread: 't' })
    const { send } = sender({ agents: [clerk] })
    const body = { at: 4, thread: 'other', edits: [{ kind: 'input', input: 'Ho' }], resume: true }
    expect(await jsonOf(send('POST /threads/t/forks', { body }))).toMatchObject({ thread: 'other', plan: { calls: [] } })
    await until(async () => (await statusOf(send, 'other')) === 'done')
    expect(await jsonOf(send('GET /threads/other'))).toMatchObject({ forkOf: expect.stringMatching(/^t@\d$/) })
    expect((await jsonOf<{ status: number }>(send('POST /threads/t/forks', { body: { at: 99 } }))).status).toBe(400)
  })

  test('removes a thread, and lists it no longer', async () => {
    const clerk = clerkOf(['One.'])
    await clerk.run('Hi', { thread: 't' })
    const { send } = sender({ agents: [clerk] })
    expect((await send('DELETE /threads/t')).status).toBe(204)
    expect(await jsonOf(send('GET /threads'))).toEqual({ items: [] })
    expect((await send('DELETE /threads/t')).status).toBe(404)
  })
})

describe('an answer', () => {
  const asked = async () => {
    const clerk = clerkOf([{ calls: [{ tool: 'pay' }] }, 'Paid.'])
    const { send } = sender({ agents: [clerk] })
    await clerk.run('Pay.', { thread: 't' })
    const { items } = await jsonOf<{ items: readonly { id: string; digest: string }[] }>(send('GET /questions'))
    const { id = '', digest = '' } = items[0] ?? {}
    return { clerk, send, path: `POST /questions/${encodeURIComponent(id)}/answer`, digest }
  }

  test('is the sender’s, whatever the body says, and lets the thread go on', async () => {
    const { clerk, send, path } = await asked()
    expect((await send(path, { body: { kind: 'approve', by: 'bob' } })).status).toBe(400)
    expect((await send(path, { body: { kind: 'approve' }, as: { name: 'eve', scopes: ['answer'] } })).status).toBe(204)
    await until(async () => (await statusOf(send, 't')) === 'done')
    const events = await Array.fromAsync(readEvents(clerk.journal, 't'))
    expect(events.find(({ type }) => type === 'question.answered')?.data).toMatchObject({ by: 'eve', answer: { kind: 'approve' } })
  })

  test('of a kind without a field of the body is refused, and so is one to what has changed since it was shown', async () => {
    const { clerk, send, path, digest } = await asked()
    for (const body of [{ kind: 'approve', reason: 'no' }, { kind: 'edit' }, { kind: 'respond' }, { kind: 'reject', value: 1 }]) {
      expect(await jsonOf(send(path, { body }))).toMatchObject({ status: 400, code: 'LOOM_REQUEST_INVALID' })
    }
    expect(await jsonOf(send(path, { body: { kind: 'approve', digest: 'other' } }))).toMatchObject({ status: 409, code: 'LOOM_QUESTION_SETTLED' })
    expect(await questions(clerk.journal)).toHaveLength(1)
    expect((await send(path, { body: { kind: 'reject', reason: 'Too much.', digest } })).status).toBe(204)
    await until(async () => (await statusOf(send, 't')) === 'done')
  })

  test('given twice is no error, and another one is', async () => {
    const { send, path } = await asked()
    expect((await send(path, { body: { kind: 'approve' } })).status).toBe(204)
    expect((await send(path, { body: { kind: 'approve' } })).status).toBe(204)
    expect(await jsonOf(send(path, { body: { kind: 'reject' } }))).toMatchObject({ status: 409, code: 'LOOM_QUESTION_SETTLED' })
  })

  test('to a thread whose agent is elsewhere is stored, for a process that has the agent', async () => {
    const clerk = clerkOf([{ calls: [{ tool: 'pay' }] }, 'Paid.'])
    const { questions: open } = await clerk.run('Pay.', { thread: 't' })
    const { send } = sender({ agents: [], journal: clerk.journal })
    const path = `POST /questions/${encodeURIComponent(open[0]?.id ?? '')}/answer`
    expect((await send(path, { body: { kind: 'approve' } })).status).toBe(204)
    expect((await send('POST /threads/t/resume')).status).toBe(409)
    expect(await clerk.recover()).toEqual([{ thread: 't', status: 'done' }])
  })
})

describe('admission', () => {
  test('refuses runs beyond its bound, of all and of one sender, and says when to come back', async () => {
    const { started, go, wait } = gate()
    const script = [{ calls: [{ tool: 'wait' }] }, 'Done.', 'Hello.']
    const clerk = agent({ name: 'clerk', model: scriptedModel(script), tools: { wait }, journal: memoryJournal() })
    const { send } = sender({ agents: [clerk], limits: { runs: 1 } })
    const each = sender({ agents: [clerk], limits: { runs: 5, runsEach: 0 } }).send
    await send('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 't' } })
    await started
    const refused = await send('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 'u' } })
    expect([refused.status, refused.headers.get('retry-after'), await jsonOf(refused)]).toMatchObject([503, '1', { code: 'LOOM_SERVER_BUSY' }])
    const own = await each('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 'u' } })
    expect([own.status, own.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await clerk.journal.head('u')).toBeUndefined()
    go()
    await until(async () => (await jsonOf<{ runs: number }>(send('GET /info'))).runs === 0)
    expect((await send('POST /agents/clerk/runs', { body: { input: 'Hi', thread: 'u' } })).status).toBe(202)
  })
})

test('who may use some threads only sees and starts those', async () => {
  const clerk = clerkOf(['One.', 'Two.', { calls: [{ tool: 'pay' }] }, 'Three.'])
  const { send } = sender({ agents: [clerk] })
  for (const thread of ['acme/1', 'other/1']) await clerk.run('Hi', { thread })
  await clerk.run('Pay.', { thread: 'other/2' })
  const as = { ...admin, threads: (thread: string) => thread.startsWith('acme/') }
  const { items } = await jsonOf<{ items: readonly { thread: string }[] }>(send('GET /threads', { as }))
  expect(items.map(({ thread }) => thread)).toEqual(['acme/1'])
  expect(await jsonOf(send('GET /questions', { as }))).toEqual({ items: [] })
  expect((await send('GET /threads/other%2F1/events', { as })).status).toBe(404)
  expect((await send(`GET /threads/acme%2F1/diff?from=1&to=2&with=${encodeURIComponent('other/1')}`, { as })).status).toBe(404)
  expect((await send('POST /agents/clerk/runs', { as, body: { input: 'Hi', thread: 'other/3' } })).status).toBe(404)
  expect((await send('POST /agents/clerk/runs', { as, body: { input: 'Hi' } })).status).toBe(400)
  expect((await send('GET /metrics', { as })).status).toBe(403)
  expect((await send('POST /agents/clerk/runs', { as, body: { input: 'Hi', thread: 'acme/2' } })).status).toBe(202)
})
