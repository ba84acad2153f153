/** Webhooks that go out: what receivers get, in which order, how often, and what becomes of those that take nothing. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { createWebhookSecret, listWebhooks } from '@loom-agent/server'
import type { Webhook } from '@loom-agent/server/node'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { createSender } from '../src/node/send-webhook.ts'
import { nextAfter } from '../src/webhook/attempt.ts'
import { type DriveWebhooksOptions, driveWebhooks } from '../src/webhook/drive-webhooks.ts'
import { type Receiver, receive, receivedOnce } from './webhook-world.ts'

const secret = createWebhookSecret()
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function receiver(secrets: readonly string[] = [secret]): Promise<Receiver> {
  const made = await receive(secrets)
  ends.push(() => made.close())
  return made
}

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const clerkOf = (journal: Journal) =>
  agent({
    name: 'clerk',
    model: scriptedModel(({ prompt }) => (JSON.stringify(prompt).includes('Pay') ? { calls: [{ tool: 'pay' }] } : 'Done.')),
    tools: [pay],
    journal,
  })

const quick = { first: 1, longest: 5, until: 60_000 }

/** Delivers, and waits until it has begun. Returns what ends it. */
async function drive(journal: Journal, webhooks: readonly Webhook[], given: Partial<DriveWebhooksOptions> & { allow?: readonly string[] } = {}) {
  const over = new AbortController()
  const { allow = webhooks.map(({ url }) => new URL(url).host), ...options } = given
  const driven = driveWebhooks(journal, webhooks, {
    send: await createSender({ allow, timeout: 500 }),
    every: 5,
    signal: over.signal,
    onError: () => {},
    ...options,
  })
  await until(async () => (await listWebhooks(journal)).length === webhooks.length)
  const end = async (): Promise<void> => {
    over.abort()
    await driven
  }
  ends.push(end)
  return end
}

const seen = (from: Receiver): readonly string[] => receivedOnce(from).map(({ thread, kind }) => `${thread} ${kind}`)

describe('a receiver', () => {
  test('is told that runs are done, wait, ask, fail and are stopped, with what is needed to look', async () => {
    const journal = memoryJournal()
    const to = await receiver()
    await drive(journal, [{ name: 'all', url: to.url, secrets: [secret] }])
    const clerk = clerkOf(journal)
    await clerk.run('Hi', { thread: 'a' })
    const { questions } = await clerk.run('Pay.', { thread: 'b' })
    await clerk.stop('b', 'Enough.')
    await agent({
      name: 'failing',
      model: scriptedModel(() => {
        throw new Error('away')
      }),
      journal,
      hooks: [],
    }).run('Hi', { thread: 'c' })
    await until(() => to.receipts.length >= 5)
    await until(() => seen(to).some((one) => one.startsWith('c')))
    expect([...seen(to)].sort()).toEqual(['a done', 'b asked', 'b stopped', 'b waiting', 'c failed'])
    const of = (thread: string, kind: string) => receivedOnce(to).find((one) => one.thread === thread && one.kind === kind)
    expect(of('a', 'done')).toMatchObject({ agent: 'clerk', run: 'r1', data: {}, id: expect.stringMatching(/^msg_[0-9a-f]{32}$/) })
    expect(of('b', 'asked')).toMatchObject({ data: { question: questions[0]?.id, kind: 'approval' } })
    expect(of('b', 'waiting')).toMatchObject({ data: { reason: 'question' } })
    expect(of('b', 'stopped')).toMatchObject({ data: { kind: 'cancelled', reason: 'Enough.' } })
    expect(of('c', 'failed')).toMatchObject({ agent: 'failing', data: { code: expect.stringMatching(/^LOOM_/) } })
    const events = await eventsOf(journal, 'a')
    expect(events.find(({ seq }) => seq === of('a', 'done')?.seq)?.type).toBe('run.finished')
  })

  test('is told what it asked for, of the agents and threads that it asked for, and nothing that was before it', async () => {
    const journal = memoryJournal()
    const clerk = clerkOf(journal)
    await clerk.run('Hi', { thread: 'before' })
    const to = await receiver()
    await drive(journal, [
      { name: 'some', url: to.url, secrets: [secret], on: ['done'], agents: ['clerk'], threads: (thread) => thread !== 'secret' },
    ])
    await clerk.run('Pay.', { thread: 'asks' })
    await clerk.run('Hi', { thread: 'secret' })
    await agent({ name: 'other', model: scriptedModel('One.'), journal }).run('Hi', { thread: 'others' })
    await clerk.run('Hi', { thread: 'last' })
    await until(() => to.receipts.length > 0)
    expect(seen(to)).toEqual(['last done'])
  })

  test('gets the deliveries of a thread in their order, each again until it has it, with one id and a new signature', async () => {
    const journal = memoryJournal()
    const to = await receiver()
    const tries = new Map<string, number>()
    to.reply = ({ id }) => {
      tries.set(id, (tries.get(id) ?? 0) + 1)
      return (tries.get(id) ?? 0) < 4 ? ([500, 302, 0][(tries.get(id) ?? 1) - 1] ?? 500) : 204
    }
    await drive(journal, [{ name: 'flaky', url: to.url, secrets: [secret], retry: { ...quick, least: 10 } }])
    const clerk = clerkOf(journal)
    for (let n = 0; n < 3; n += 1) await Promise.all(['a', 'b'].map((thread) => clerk.run('Hi', { thread })))
    await until(() => receivedOnce(to).length === 6)
    for (const thread of ['a', 'b']) {
      const seqs = receivedOnce(to)
        .filter((one) => one.thread === thread)
        .map(({ seq }) => seq)
      expect(seqs).toEqual([...seqs].sort((one, other) => one - other))
    }
    expect([...tries.values()]).toEqual([4, 4, 4, 4, 4, 4])
  }, 30_000)

  test('that knows only the old secret, or only the new one, believes what is signed with both', async () => {
    const [older, newer] = [createWebhookSecret(), createWebhookSecret()]
    const journal = memoryJournal()
    const [one, other] = [await receiver([older]), await receiver([newer])]
    let secrets = [newer, older]
    await drive(journal, [
      { name: 'one', url: one.url, secrets: () => secrets },
      { name: 'other', url: other.url, secrets: () => secrets },
    ])
    const clerk = clerkOf(journal)
    await clerk.run('Hi', { thread: 'a' })
    await until(() => one.receipts.length + other.receipts.length === 2)
    secrets = [newer]
    await clerk.run('Hi', { thread: 'b' })
    await until(() => seen(other).includes('b done'))
    expect(seen(one)).toEqual(['a done'])
    const stored = JSON.stringify(await Promise.all((await journal.threads()).map(({ thread }) => eventsOf(journal, thread))))
    for (const text of [older, newer]) expect(stored).not.toContain(text.slice(6))
  })

  test('that is dead delays no other, and what it refuses for good is recorded as given up', async () => {
    const journal = memoryJournal()
    const [dead, wrong, alive] = [await receiver(), await receiver(), await receiver()]
    dead.reply = () => 0
    wrong.reply = () => 400
    const errors: unknown[] = []
    const webhook = (name: string, url: string): Webhook => ({ name, url, secrets: [secret], retry: quick })
    await drive(journal, [webhook('dead', dead.url), webhook('wrong', wrong.url), webhook('alive', alive.url)], {
      onError: (error) => errors.push(error),
    })
    const clerk = clerkOf(journal)
    for (let n = 0; n < 20; n += 1) await clerk.run('Hi', { thread: `t${n}` })
    await until(() => receivedOnce(alive).length === 20)
    const droppedOf = async () =>
      (await eventsOf(journal, 'webhook:wrong')).flatMap((event) => (event.type === 'webhook.moved' ? (event.data.dropped ?? []) : []))
    await until(async () => (await droppedOf()).length === 20)
    expect((await droppedOf())[0]).toMatchObject({ attempts: 3, problem: 'status 400' })
    expect(errors[0]).toMatchObject({ context: { webhook: 'wrong', attempts: 3 } })
    // One page of deliveries is under way at most, eight threads at a time.
    expect(new Set(dead.receipts.map(({ id }) => id)).size).toBeLessThanOrEqual(8)
    expect((await listWebhooks(journal)).map(({ name }) => name)).toEqual(['alive', 'dead', 'wrong'])
  }, 30_000)

  test('on this machine or in its networks is not reached unless it is allowed, whatever its name', async () => {
    const journal = memoryJournal()
    const to = await receiver()
    const port = new URL(to.url).port
    const urls = [to.url, `http://localhost:${port}/`, `http://[::1]:${port}/`, 'http://169.254.169.254/latest/', 'http://100.64.0.1/']
    const webhooks = urls.map((url, index): Webhook => ({ name: `w${index}`, url, secrets: [secret], retry: quick }))
    await drive(journal, webhooks, { allow: [] })
    await clerkOf(journal).run('Hi', { thread: 'a' })
    const problems = async () =>
      (await Promise.all(webhooks.map(({ name }) => eventsOf(journal, `webhook:${name}`)))).flatMap((events) =>
        events.flatMap((event) => (event.type === 'webhook.moved' ? (event.data.dropped ?? []).map(({ problem }) => problem) : [])),
      )
    await until(async () => (await problems()).length === urls.length)
    for (const problem of await problems()) expect(problem).toMatch(/may not be (reached|used)|not allowed/)
    expect(to.receipts).toEqual([])
  })
})

describe('where a webhook is', () => {
  test('outlasts the process: the next one goes on after what was received', async () => {
    const journal = memoryJournal()
    const to = await receiver()
    const webhook: Webhook = { name: 'kept', url: to.url, secrets: [secret] }
    const clerk = clerkOf(journal)
    const end = await drive(journal, [webhook])
    await clerk.run('Hi', { thread: 'a' })
    await until(() => to.receipts.length === 1)
    await until(async () => (await eventsOf(journal, 'webhook:kept')).filter(({ type }) => type === 'webhook.moved').length === 2)
    await end()
    await clerk.run('Hi', { thread: 'b' })
    await drive(journal, [webhook])
    await until(() => to.receipts.length === 2)
    expect(seen(to)).toEqual(['a done', 'b done'])
  })

  test('is for one process at a time: of several, one delivers', async () => {
    const journal = memoryJournal()
    const to = await receiver()
    const webhook: Webhook = { name: 'one', url: to.url, secrets: [secret] }
    await Promise.all([1, 2, 3].map(() => drive(journal, [webhook])))
    const clerk = clerkOf(journal)
    for (let n = 0; n < 10; n += 1) await clerk.run('Hi', { thread: `t${n}` })
    await until(() => receivedOnce(to).length === 10)
    await idle(50)
    expect(to.receipts).toHaveLength(10)
  })

  test('writes nothing while nothing happens, though its own facts are in the feed', async () => {
    const journal = memoryJournal()
    const to = await receiver()
    await drive(journal, [{ name: 'quiet', url: to.url, secrets: [secret] }])
    await clerkOf(journal).run('Hi', { thread: 'a' })
    await until(() => to.receipts.length === 1)
    let looks = 0
    const counting: Journal = {
      ...journal,
      feed: (query) => {
        looks += 1
        return journal.feed(query)
      },
    }
    await drive(counting, [{ name: 'second', url: to.url, secrets: [secret] }]).catch(() => {})
    await until(() => looks > 20)
    expect((await journal.head('webhook:quiet'))?.seq).toBe(4)
  })

  const wrong: readonly (readonly [string, Partial<Webhook>])[] = [
    ['no secrets', { secrets: [] }],
    ['a short secret', { secrets: ['short'] }],
    ['a secret that is no base64', { secrets: ['whsec_***'] }],
    ['no name', { name: '' }],
    ['no address', { url: 'ftp://x' }],
    ['nothing to tell', { on: [] }],
  ]
  test.each(wrong)('is refused with %s', async (_, given) => {
    const webhook: Webhook = { name: 'w', url: 'https://example.com/', secrets: [secret], ...given }
    const options = { send: async () => ({ status: 204 }), signal: AbortSignal.abort() }
    await expect(driveWebhooks(memoryJournal(), [webhook], options)).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })
})

describe('after an attempt', () => {
  const tried = { attempts: 1, age: 0, random: 1 }
  test('a delivery is received, tried again after longer and longer, or given up', () => {
    expect(nextAfter({ status: 200 }, tried)).toEqual({ kind: 'delivered' })
    expect([1, 2, 3, 9, 40].map((attempts) => nextAfter({ status: 500 }, { ...tried, attempts }))).toEqual(
      [1000, 2000, 4000, 256_000, 300_000].map((ms) => ({ kind: 'again', in: ms })),
    )
    expect(nextAfter({ status: 503, retryAfter: 20_000 }, tried)).toEqual({ kind: 'again', in: 20_000 })
    expect(nextAfter({ status: 429, retryAfter: 1e9 }, { ...tried, attempts: 50 })).toEqual({ kind: 'again', in: 300_000 })
    expect(nextAfter({ status: 410 }, { ...tried, attempts: 2 })).toMatchObject({ kind: 'again' })
    expect(nextAfter({ status: 410 }, { ...tried, attempts: 3 })).toEqual({ kind: 'dropped', problem: 'status 410' })
    expect(nextAfter({ problem: 'away' }, { ...tried, attempts: 30 })).toMatchObject({ kind: 'again' })
    expect(nextAfter({ problem: 'away' }, { ...tried, attempts: 3, age: 86_400_001 })).toEqual({ kind: 'dropped', problem: 'away' })
    expect(nextAfter({ problem: 'away' }, { ...tried, attempts: 2, age: 86_400_001 })).toMatchObject({ kind: 'again' })
  })
})
