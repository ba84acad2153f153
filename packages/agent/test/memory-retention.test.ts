/** The journal in memory keeps the last 1,000 finished anonymous threads (MEMORY-3 to MEMORY-6). */
import { type Agent, agent, approve, frameAt, memoryJournal, tool, watch } from '@loom-agent/agent'
import { type FeedEntry, type Journal, LoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const kept = 1000
const replying = (journal?: Journal) => agent({ model: scriptedModel(() => 'ok'), ...(journal && { journal }) })
const dropped = { code: 'LOOM_THREAD_DROPPED' }

/** Makes runs that nobody names, one after another; returns their threads. */
async function runMany(worker: Pick<Agent, 'run'>, count: number): Promise<readonly string[]> {
  const threads: string[] = []
  for (let run = 0; run < count; run += 1) threads.push((await worker.run('go')).thread)
  return threads
}

const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }

/** Stores threads that nobody named and that have finished: as runs leave them, and faster. */
async function finishMany(journal: Journal, count: number, prefix: string = crypto.randomUUID()): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const thread = `${prefix}${number}`
    const incarnation = `${thread}!`
    await journal.append(thread, {
      id: 'b',
      incarnation,
      expected: 0,
      time: 0,
      events: [
        { type: 'thread.started', data: { agent: 'a', incarnation } },
        { type: 'run.started', data: { run: 'r1', request } },
      ],
      summary: { status: 'done' },
      isAnonymous: true,
    })
  }
}

const threadsIn = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread)
const isKept = async (journal: Journal, thread: string): Promise<boolean> => (await threadsIn(journal)).includes(thread)

async function feedOf(journal: Journal): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = []
  for (let from: string | undefined; ; ) {
    const page = await journal.feed({ from })
    entries.push(...page.entries)
    if (page.isEnd) return entries
    from = page.cursor
  }
}

describe('the memory journal does not grow without bound over one-shot runs', () => {
  test('it keeps the last 1,000 finished anonymous threads; later use of another is LOOM_THREAD_DROPPED', async () => {
    const worker = replying()
    const threads = await runMany(worker, kept + 2)
    const [first = '', second = '', third = ''] = threads
    const { journal } = worker
    expect([...(await threadsIn(journal))].sort()).toEqual(threads.slice(2).sort())
    const [error] = await Promise.all([worker.run('more', { thread: first }).catch((thrown: unknown) => thrown)])
    expect(error).toBeInstanceOf(LoomError)
    expect(error).toMatchObject({
      ...dropped,
      retry: 'never',
      context: { thread: first, kept },
      message:
        `The thread ${first} was dropped: the journal in memory keeps the last 1,000 finished threads that no caller named. To keep a thread, name it: ` +
        `run(input, { thread }). To keep all of them, use another journal, such as sqlite('loom.db').`,
    })
    await expect(worker.resume(second).result()).rejects.toMatchObject(dropped)
    await expect(worker.messages(first)).rejects.toMatchObject(dropped)
    await expect(worker.fork(`${first}@2`)).rejects.toMatchObject(dropped)
    await expect(worker.signal(first, 'name')).rejects.toMatchObject(dropped)
    await expect(worker.watch(first).next()).rejects.toMatchObject(dropped)
    await expect(watch(journal, first).next()).rejects.toMatchObject(dropped)
    await expect(frameAt(journal, first)).rejects.toMatchObject(dropped)
    await expect(journal.head(first)).rejects.toMatchObject(dropped)
    await expect(journal.read(first)).rejects.toMatchObject(dropped)
    expect(await worker.run('more', { thread: third })).toMatchObject({ status: 'done', run: 'r2' })
  })

  test('it is flat: however many runs follow, it has as many threads, and the feed as many commits', async () => {
    const worker = replying()
    const sizes: number[][] = []
    for (const count of [kept + 1, 100, 300]) {
      await runMany(worker, count)
      const entries = await feedOf(worker.journal)
      sizes.push([(await threadsIn(worker.journal)).length, entries.filter(({ kind }) => kind === 'changed').length])
    }
    expect(sizes[0]?.[0]).toBe(kept)
    expect(sizes.slice(1)).toEqual([sizes[0], sizes[0]])
  })

  test('children go with the threads that have started them', async () => {
    const innermost = agent({ name: 'innermost', model: scriptedModel(() => 'ok') })
    const asking = (name: string) =>
      scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'done' : { calls: [{ tool: name, input: { prompt: 'go' } }] }))
    const child = agent({ name: 'child', model: asking('innermost'), tools: { innermost } })
    const boss = agent({ model: asking('child'), tools: { child } })
    await runMany(boss, 20)
    const tree = await threadsIn(boss.journal)
    expect(tree).toHaveLength(60)
    await finishMany(boss.journal, kept - 10)
    expect(await threadsIn(boss.journal)).toHaveLength(kept + 20)
    await finishMany(boss.journal, 10)
    expect(await threadsIn(boss.journal)).toHaveLength(kept)
    for (const thread of tree) await expect(boss.journal.head(thread)).rejects.toMatchObject(dropped)
  })

  test('many runs at once all get their results, and their streams end', async () => {
    const worker = replying()
    const results = await Promise.all(Array.from({ length: kept + 500 }, () => worker.run('go')))
    expect(results.every(({ status, text }) => status === 'done' && text === 'ok')).toBe(true)
    const ends = await Promise.all(
      Array.from({ length: 500 }, async () => {
        let last = ''
        for await (const { type } of worker.stream('go')) last = type
        return last
      }),
    )
    expect(new Set(ends)).toEqual(new Set(['run.finished']))
    expect(await threadsIn(worker.journal)).toHaveLength(kept)
  })
})

describe('the memory journal never drops', () => {
  test('a thread that the caller named, by a thread or by the id of the start', async () => {
    const worker = replying()
    await worker.run('go', { thread: 'named' })
    const { thread } = await worker.run('go', { id: 'order 7' })
    await finishMany(worker.journal, kept + 1)
    expect(await worker.run('more', { thread: 'named' })).toMatchObject({ run: 'r2' })
    expect(await worker.run('go', { id: 'order 7' })).toMatchObject({ thread, run: 'r1', status: 'done' })
  })

  test('a thread that waits or runs; when it has ended it is the youngest', async () => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const model = scriptedModel(({ prompt }) => {
      if (prompt.at(-1)?.role === 'tool') return 'done'
      return JSON.stringify(prompt).includes('pay') ? { calls: [{ tool: 'pay' }] } : 'ok'
    })
    const worker = agent({ model, tools: [pay] })
    const run = worker.start('pay')
    const { questions, thread } = await run.result()
    const threads = await runMany(worker, 2)
    await finishMany(worker.journal, kept - 1)
    await run.answer(questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done', text: 'done' })
    expect(await isKept(worker.journal, thread)).toBe(true)
    await expect(worker.journal.head(threads[1] ?? '')).rejects.toMatchObject(dropped)
    await finishMany(worker.journal, kept - 1)
    expect(await isKept(worker.journal, thread)).toBe(true)
    await runMany(worker, 1)
    await expect(worker.journal.head(thread)).rejects.toMatchObject(dropped)
  })

  test('a thread that has failed, before 1,000 others have finished: until then it can be resumed', async () => {
    let isDown = true
    const model = scriptedModel(() => (isDown ? { throws: new Error('down') } : 'ok'))
    const worker = agent({ model })
    const [first = '', second = ''] = await runMany(worker, 2)
    isDown = false
    await finishMany(worker.journal, kept - 1)
    await expect(worker.resume(first).result()).rejects.toMatchObject(dropped)
    expect(await worker.resume(second).result()).toMatchObject({ status: 'done' })
  })

  test('a thread that a fork reads; when the fork is gone, it goes as well', async () => {
    const worker = replying()
    const [parent = ''] = await runMany(worker, 1)
    await worker.fork(`${parent}@3`, { thread: 'fork', limits: { tokens: 100_000 } })
    await finishMany(worker.journal, kept + 10)
    expect(await isKept(worker.journal, parent)).toBe(true)
    const fork = await worker.resume('fork').result()
    expect(fork).toMatchObject({ status: 'done', text: 'ok' })
    expect((await worker.journal.read('fork')).map(({ seq }) => seq).slice(0, 3)).toEqual([1, 2, 3])
    await worker.journal.remove('fork')
    await finishMany(worker.journal, kept)
    await expect(worker.journal.head(parent)).rejects.toMatchObject(dropped)
    expect(await threadsIn(worker.journal)).toHaveLength(kept)
  })

  test('a fork that is anonymous itself is dropped in its turn, and then what it read', async () => {
    const worker = replying()
    const [parent = ''] = await runMany(worker, 1)
    const fork = await worker.fork(`${parent}@3`, { limits: { tokens: 100_000 } })
    await finishMany(worker.journal, kept + 10)
    // It has not finished, so it stays, and its parent with it.
    expect(await isKept(worker.journal, fork.thread)).toBe(true)
    await fork.resume().result()
    await finishMany(worker.journal, kept)
    await expect(worker.journal.head(fork.thread)).rejects.toMatchObject(dropped)
    await finishMany(worker.journal, kept)
    await expect(worker.journal.head(parent)).rejects.toMatchObject(dropped)
    expect(await threadsIn(worker.journal)).toHaveLength(kept)
  })
})

describe('a thread that the memory journal drops', () => {
  test('is a removal in the feed: a reader of it has what the journal has', async () => {
    const worker = replying()
    const { journal } = worker
    const known = new Set<string>()
    let cursor: string | undefined
    let removals = 0
    for (let round = 0; round < 4; round += 1) {
      await finishMany(journal, kept / 2)
      for (let isEnd = false; !isEnd; ) {
        const page = await journal.feed({ from: cursor })
        for (const { kind, thread } of page.entries) {
          if (kind === 'changed') known.add(thread)
          else removals += known.delete(thread) ? 1 : 0
        }
        cursor = page.cursor
        isEnd = page.isEnd
      }
      expect([...known].sort()).toEqual([...(await threadsIn(journal))].sort())
    }
    expect(removals).toBe(kept)
  })

  test('hints those who watch it', async () => {
    const worker = replying()
    const [first = ''] = await runMany(worker, 1)
    const hints: number[] = []
    const end = worker.journal.watch(first, (seq) => hints.push(seq))
    await finishMany(worker.journal, kept)
    end()
    expect(hints).toEqual([0])
  })

  test('may have its name given to another thread once it is removed', async () => {
    const worker = replying()
    const [first = ''] = await runMany(worker, 1)
    await finishMany(worker.journal, kept)
    expect(await worker.journal.remove(first)).toBe('removed')
    expect(await worker.run('anew', { thread: first })).toMatchObject({ status: 'done', run: 'r1' })
  })

  test('is remembered by its name for 10,000 others', async () => {
    const journal = memoryJournal()
    await finishMany(journal, 10_000 + kept, 't')
    await expect(journal.head('t1')).rejects.toMatchObject(dropped)
    await finishMany(journal, 1)
    expect(await journal.head('t1')).toBeUndefined()
    await expect(journal.head('t2')).rejects.toMatchObject(dropped)
    expect(await journal.threads()).toHaveLength(kept)
  })
})
