/** Webhooks that come in: who is believed, what is started, and how often. */
import { agent, memoryJournal } from '@loom-agent/agent'
import { createWebhookSecret, type Hook } from '@loom-agent/server'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { storeTime } from '../src/kept/kept-thread.ts'
import { signatureHeaders } from '../src/webhook/signature.ts'
import { jsonOf, sender } from './world.ts'

const secret = createWebhookSecret()

interface Signing {
  readonly id?: string
  readonly secrets?: readonly string[]
  readonly late?: number
}

function world(given: Partial<Hook> = {}, script: Parameters<typeof scriptedModel>[0] = () => 'Done.') {
  const journal = memoryJournal()
  const clerk = agent({ name: 'clerk', model: scriptedModel(script), journal })
  const hook: Hook = { name: 'mail', agent: 'clerk', secrets: [secret], start: (body) => `Mail: ${(body as { text: string }).text}`, ...given }
  const { handle } = sender({ agents: [clerk], hooks: [hook] })
  const post = async (body: unknown, headers: Record<string, string>): Promise<Response> =>
    handle(
      new Request('http://localhost/api/v1/hooks/mail', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: String(body),
      }),
    )
  const now = async (): Promise<number> => Math.floor((await storeTime(journal)) / 1000)
  const deliver = async (body: unknown, { id = 'd1', secrets = [secret], late = 0 }: Signing = {}): Promise<Response> => {
    const at = (await now()) - late
    const text = JSON.stringify(body)
    return post(text, await signatureHeaders(secrets, { id, timestamp: at, body: text }))
  }
  const runs = async (): Promise<number> => {
    const threads = await journal.threads({ agent: 'clerk' })
    const events = await Promise.all(threads.map(({ thread }) => eventsOf(journal, thread)))
    return events.flat().filter(({ type }) => type === 'run.started').length
  }
  return { journal, clerk, hook, post, deliver, runs, handle, now }
}

describe('a delivery', () => {
  test('starts a run, marked as what others wrote; sent again, it is the same run', async () => {
    const { deliver, runs, journal } = world()
    const first = await deliver({ text: 'Hi' })
    expect(first.status).toBe(202)
    const started = await jsonOf<{ thread: string; run: string }>(first)
    for (let n = 0; n < 5; n += 1) expect(await jsonOf(deliver({ text: 'Hi' }))).toEqual(started)
    expect(await jsonOf(deliver({ text: 'Hi' }, { id: 'd2' }))).not.toEqual(started)
    expect(await runs()).toBe(2)
    const [run] = (await eventsOf(journal, started.thread)).filter(({ type }) => type === 'run.started')
    expect(run?.data).toMatchObject({
      request: {
        start: { id: 'hook:mail:d1' },
        metadata: { hook: 'mail', delivery: 'd1' },
        taint: { untrusted: { what: 'a delivery to the hook mail' } },
      },
    })
  })

  test('sent many times at once is one run', async () => {
    const { deliver, runs } = world()
    const all = await Promise.all(Array.from({ length: 20 }, () => deliver({ text: 'Hi' }).then((response) => jsonOf(response))))
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(await runs()).toBe(1)
  })

  test('with another body under a known id is refused', async () => {
    const { deliver, runs } = world()
    await deliver({ text: 'Hi' })
    const other = await deliver({ text: 'Ho' })
    expect([other.status, await jsonOf(other)]).toMatchObject([409, { code: 'LOOM_RUN_EXISTS' }])
    expect(await runs()).toBe(1)
  })

  test('steers the run under way, once', async () => {
    const go = Promise.withResolvers<void>()
    const { deliver, journal, runs } = world({ start: () => ({ input: 'Faster.', thread: 't', whenBusy: 'steer' }) }, async () => {
      await go.promise
      return 'Done.'
    })
    const first = await jsonOf<{ run: string }>(deliver({}, { id: 'd1' }))
    const second = await jsonOf<{ run: string }>(deliver({}, { id: 'd2' }))
    await deliver({}, { id: 'd2' })
    expect(second.run).toBe(first.run)
    go.resolve()
    await until(async () => (await journal.head('t'))?.summary.status === 'done')
    expect((await eventsOf(journal, 't')).filter(({ type }) => type === 'message.steered')).toHaveLength(1)
    expect(await runs()).toBe(1)
  })

  test('that asks for nothing starts nothing', async () => {
    const { deliver, runs } = world({ start: () => undefined })
    expect((await deliver({ text: 'Hi' })).status).toBe(204)
    expect(await runs()).toBe(0)
  })

  test('of a sender that is trusted is not marked', async () => {
    const { deliver, journal } = world({ trusted: true })
    const { thread } = await jsonOf<{ thread: string }>(deliver({ text: 'Hi' }))
    const [run] = (await eventsOf(journal, thread)).filter(({ type }) => type === 'run.started')
    expect(JSON.stringify(run?.data)).not.toContain('untrusted')
  })
})

describe('who is not believed', () => {
  test('starts nothing, and is told nothing: another secret, no signature, another time, another body, another id', async () => {
    const { deliver, post, runs, now } = world()
    const time = await now()
    const text = JSON.stringify({ text: 'Hi' })
    const good = await signatureHeaders([secret], { id: 'd1', timestamp: time, body: text })
    const attempts: readonly Promise<Response>[] = [
      deliver({ text: 'Hi' }, { secrets: [createWebhookSecret()] }),
      deliver({ text: 'Hi' }, { late: 301 }),
      deliver({ text: 'Hi' }, { late: -330 }),
      post(text, {}),
      post('{"text":"Ho"}', good),
      post(text, { ...good, 'webhook-id': 'd2' }),
      post(text, { ...good, 'webhook-timestamp': String(time - 1) }),
      post(text, { ...good, 'webhook-signature': '' }),
      post(text, { ...good, 'webhook-signature': `${good['webhook-signature']?.slice(0, -4)}AAA=` }),
      post(text, { ...good, 'webhook-signature': `v2,${good['webhook-signature']?.slice(3)}` }),
      post(text, { ...good, 'webhook-id': 'a b' }),
      post(text, { ...good, 'webhook-timestamp': 'now' }),
    ]
    for (const response of await Promise.all(attempts)) {
      expect([response.status, await jsonOf(response)]).toMatchObject([401, { code: 'LOOM_ACCESS_DENIED' }])
    }
    expect(await runs()).toBe(0)
    expect((await post(text, { ...good, 'webhook-signature': `v1,AAAA ${good['webhook-signature']}` })).status).toBe(202)
  })

  test('sends too much, or to a hook that is not there', async () => {
    const { deliver, handle, runs } = world({ longest: 1000 })
    expect((await deliver({ text: 'x'.repeat(1000) })).status).toBe(413)
    expect((await handle(new Request('http://localhost/api/v1/hooks/none', { method: 'POST' }))).status).toBe(404)
    expect(await runs()).toBe(0)
  })

  test('is who a function of the hook says it is', async () => {
    const { post, runs } = world({ secrets: undefined, verify: ({ headers }) => headers.get('x-delivery') ?? undefined })
    expect((await post('{"text":"Hi"}', {})).status).toBe(401)
    expect((await post('{"text":"Hi"}', { 'x-delivery': '7' })).status).toBe(202)
    expect((await post('{"text":"Hi"}', { 'x-delivery': '7' })).status).toBe(202)
    expect(await runs()).toBe(1)
  })
})

const wrong: readonly (readonly [string, Partial<Hook>])[] = [
  ['no name', { name: '' }],
  ['an agent that is not there', { agent: 'nobody' }],
  ['neither secrets nor verify', { secrets: undefined }],
  ['both', { verify: () => 'x' }],
]
test.each(wrong)('a hook is refused with %s', (_, given) => {
  expect(() => world(given)).toThrow(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
})
