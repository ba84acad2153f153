/** Threads in memory: how many there are at once makes no difference to who drives one. */
import { agent, memoryJournal, setLabels, signal, tool } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idle } from '../../../test/support/event-loop.ts'
import { removeFrozen } from '../../../test/support/threads.ts'

const look = tool({ name: 'look', input: z.object({ turn: z.number() }), run: ({ turn }) => `seen ${turn}` })
const model = () => scriptedModel((_request, number) => (number <= 3 ? { calls: [{ tool: 'look', input: { turn: number } }] } : 'done'))

/** More than are kept in memory. */
const many = Array.from({ length: 100 }, (_, number) => `thread ${number}`)

test('a hundred runs at once read none of what they have written', async () => {
  const inner = memoryJournal()
  let events = 0
  const journal: Journal = {
    ...inner,
    async read(thread, range) {
      const page = await inner.read(thread, range)
      events += page.length
      return page
    },
  }
  const worker = agent({ name: 'worker', tools: { look }, permissions: { look: 'allow' }, journal })
  const results = await Promise.all(many.map((thread) => worker.run('go', { thread, model: model() })))
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['done']))
  expect(events).toBe(0)
})

test('observers are notified of every event of a hundred runs at once, from the first on', async () => {
  const seen = new Map<string, number[]>()
  const worker = agent({
    name: 'worker',
    tools: { look },
    permissions: { look: 'allow' },
    journal: memoryJournal(),
    observers: [({ thread, seq }) => void seen.set(thread, [...(seen.get(thread) ?? []), seq])],
  })
  await Promise.all(many.map((thread) => worker.run('go', { thread, model: model() })))
  const first = seen.get('thread 0') ?? []
  expect(first).toEqual(first.map((_, index) => index + 1))
  expect([...seen.values()]).toEqual(many.map(() => first))
})

describe('observers', () => {
  test('hear of every event, whenever a second message comes', async () => {
    const missed: string[] = []
    for (let steps = 0; steps < 60; steps += 1) {
      const journal = memoryJournal()
      const seen = new Set<number>()
      const worker = agent({ name: 'worker', model: scriptedModel(() => 'ok'), journal, observers: [({ seq }) => void seen.add(seq)] })
      const first = worker.run('x', { thread: 't' })
      for (let step = 0; step < steps; step += 1) await Promise.resolve()
      await Promise.all([first, worker.run('y', { thread: 't', whenBusy: 'queue' })])
      for (const { seq, type } of await journal.read('t')) if (!seen.has(seq)) missed.push(`${steps}: ${seq} ${type}`)
    }
    expect(missed).toEqual([])
  })

  test('are notified of an event once, however many threads are started at once', async () => {
    const twice: string[] = []
    for (let steps = 10; steps < 26; steps += 1) {
      const notified = new Set<string>()
      const observer = ({ thread, seq }: LoomEvent): void => {
        if (notified.has(`${thread}@${seq}`)) twice.push(`${steps}: ${thread}@${seq}`)
        notified.add(`${thread}@${seq}`)
      }
      const worker = agent({ name: 'worker', model: scriptedModel(() => 'ok'), journal: memoryJournal(), observers: [observer] })
      const first = many.map((thread) => worker.run('x', { thread }))
      for (let step = 0; step < steps; step += 1) await Promise.resolve()
      await Promise.all([...first, ...many.map((thread) => worker.run('y', { thread, whenBusy: 'queue' }))])
      await Promise.all(many.map((thread) => worker.run('z', { thread })))
    }
    expect(twice).toEqual([])
  })

  test('miss nothing and hear nothing twice when the thread was lost from memory meanwhile (THREADS-2)', async () => {
    const journal = memoryJournal()
    const seen: number[] = []
    const waits = tool({ name: 'waits', durable: true, run: async (_, ctx) => JSON.stringify(await ctx.waitFor('p')) })
    const worker = agent({
      name: 'worker',
      model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' || prompt.length > 1 ? 'ok' : { calls: [{ tool: 'waits' }] })),
      tools: [waits],
      journal,
      observers: [({ thread, seq }) => void (thread === 't' && seen.push(seq))],
    })
    const runOthers = () => Promise.all(many.map((thread) => worker.run('hi', { thread, model: scriptedModel(() => 'ok') })))
    await worker.run('go', { thread: 't' })
    await runOthers()
    // Another process, without the agent.
    await signal(journal, 't', 'p', 1)
    expect((await worker.resume('t').result()).status).toBe('done')
    await runOthers()
    await setLabels(journal, 't', { team: 'billing' })
    await worker.run('again', { thread: 't' })
    expect(seen).toEqual((await journal.read('t')).map(({ seq }) => seq))
  })

  test('of a fork are not notified of the past that it shares, in whichever process that was driven', async () => {
    const journal = memoryJournal()
    const seen = new Map<string, number[]>()
    const observers = [({ thread, seq }: LoomEvent) => void seen.set(thread, [...(seen.get(thread) ?? []), seq])]
    const worker = agent({ name: 'worker', model: scriptedModel(() => 'ok'), journal, observers })
    await worker.run('go', { thread: 't' })
    const { seq = 0 } = (await journal.head('t')) ?? {}
    await worker.fork(`t@${seq}`, { thread: 'f', effects: 'live', limits: { tokens: 1_000_000 } })
    await worker.run('go on', { thread: 'f' })
    expect(seen.get('f')?.[0]).toBeGreaterThan(seq)
  })

  /** A thread with a past, in a journal whose first read goes otherwise. */
  const withPast = async (first: () => Promise<void>) => {
    const inner = memoryJournal()
    await agent({ name: 'worker', model: scriptedModel(() => 'ok'), journal: inner }).run('x', { thread: 't' })
    let reads = 0
    const read: Journal['read'] = async (thread, range) => {
      reads += 1
      if (reads === 1) await first()
      return inner.read(thread, range)
    }
    const seen: number[] = []
    const observers = [({ seq }: LoomEvent) => void seen.push(seq)]
    const worker = agent({ name: 'worker', model: scriptedModel(() => 'ok'), journal: { ...inner, read }, observers })
    return { worker, seen, last: (await inner.head('t'))?.seq ?? 0 }
  }

  test('do not hear the past after a first look that failed', async () => {
    const { worker, seen, last } = await withPast(() => Promise.reject(new Error('gone')))
    await expect(worker.run('y', { thread: 't' })).rejects.toThrow('gone')
    await worker.run('y', { thread: 't' })
    expect(seen[0]).toBe(last + 1)
  })

  test('do not hear the past when two look at once for the first time', async () => {
    const { worker, seen, last } = await withPast(() => idle())
    await Promise.all(['y', 'z'].map((text) => worker.run(text, { thread: 't', whenBusy: 'queue' })))
    expect(seen[0]).toBe(last + 1)
  })
})

describe('a thread that is removed', () => {
  test('can be started anew in the same process', async () => {
    const worker = agent({ name: 'worker', model: scriptedModel(() => 'ok'), journal: memoryJournal() })
    await worker.run('x', { thread: 't' })
    await idle()
    await worker.journal.remove('t')
    expect((await worker.run('y', { thread: 't' })).status).toBe('done')
    expect(JSON.stringify(await worker.journal.read('t'))).not.toContain('"x"')
  })

  test('while it is driven ends its run with an error, and is not there again', async () => {
    const journal = memoryJournal()
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    const slow = tool({
      name: 'slow',
      effect: 'read',
      run: () => {
        enter()
        return ended
      },
    })
    const model = scriptedModel(({ prompt }) => (prompt.length < 2 ? { calls: [{ tool: 'slow', input: {} }] } : 'done'))
    const run = agent({ name: 'worker', model, tools: [slow], journal }).run('x', { thread: 't' })
    await entered
    await idle()
    await removeFrozen(journal, 't')
    end('too late')
    await expect(run).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    expect((await journal.head('t'))?.seq ?? 0).toBe(0)
  })
})
