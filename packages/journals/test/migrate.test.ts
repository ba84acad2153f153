import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { type MigrateOptions, type MigrateProgress, migrate } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Head, Journal, LoomEvent } from '@loom-agent/kernel'
import { type Death, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { eventsOf, withoutTimes } from './events.ts'
import { testServer } from './postgres-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-migrate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0
const freshPath = (): string => join(folder, String(folders++))
const server = testServer({ fsync: false })

const plain = (events: readonly LoomEvent[]): unknown => JSON.parse(JSON.stringify(events))
const heads = async (journal: Journal): Promise<unknown> => JSON.parse(withoutTimes(await journal.threads()) ?? '')

/** All threads of a journal, with heads and events. */
async function contentsOf(journal: Journal, blobs: readonly string[] = ['hash']): Promise<unknown> {
  const threads = await journal.threads()
  const events = await Promise.all(threads.map(({ thread }) => eventsOf(journal, thread)))
  return { heads: await heads(journal), events: events.map(plain), blobs: await Promise.all(blobs.map((name) => journal.blob(name))) }
}

/** A thread with a blob, several batches, labels, and its own epoch. */
async function put(journal: Journal, thread: string, batches = 3): Promise<void> {
  for (const seen of [0, 1]) await journal.acquire(thread, { worker: 'w', incarnation: 'first', seen, force: true })
  const blobs = new Map([['hash', Uint8Array.of(1, 2, 3)]])
  await journal.append(thread, batchAt(0, facts('a', { $blob: 'hash', bytes: 3 }), { epoch: 2, blobs }))
  for (let number = 1; number < batches; number += 1) {
    const summary = { status: 'done', agent: 'a', labels: { number } } as const
    await journal.append(thread, batchAt(number * 2, facts(number, 'x'.repeat(number * 100)), { epoch: 2, summary }))
  }
  await journal.release(thread, { epoch: 2, incarnation: 'first' })
}

async function sample(...threads: readonly string[]): Promise<Journal> {
  const journal = memoryJournal()
  for (const thread of threads) await put(journal, thread)
  return journal
}

/** The threads of an agent: one with a child, one that waits for an answer, and a fork. */
async function lived(): Promise<{ journal: Journal; pay: ReturnType<typeof tool>; child: string; fork: string }> {
  const journal = memoryJournal()
  const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
  const helper = agent({ name: 'helper', model: scriptedModel(['Helped.']) })
  const model = scriptedModel([{ calls: [{ tool: 'helper', input: { prompt: 'Help.' } }] }, 'Done.', { calls: [{ tool: 'pay' }] }])
  const boss = agent({ name: 'boss', model, tools: { helper, pay }, journal })
  await boss.run('Go.', { thread: 'parent' })
  await boss.run('Pay.', { thread: 'waiting' })
  const { thread: fork } = await boss.fork('parent@4', { edit: { kind: 'input', input: 'Otherwise.' } })
  const child = (await journal.threads({ parent: 'parent' }))[0]?.thread ?? ''
  return { journal, pay, child, fork }
}

describe('a journal that is migrated', () => {
  test('is the same in memory, in a folder, in a database, on a server and in memory again', async () => {
    const { journal: from, child, fork } = await lived()
    await put(from, 'stored')
    const stops = [file(freshPath()), sqlite(freshPath()), server.open(server.fresh()), memoryJournal()]
    let before = from
    for (const stop of stops) {
      expect(await migrate(before, stop)).toMatchObject({ threads: 5, skipped: 0, driven: [] })
      before = stop
    }
    const expected = await contentsOf(from)
    for (const stop of stops) expect(await contentsOf(stop)).toEqual(expected)
    expect((await from.threads()).map(({ thread }) => thread).sort()).toEqual([child, fork, 'parent', 'stored', 'waiting'].sort())
    for (const stop of stops) await stop.close()
  })

  test('continues where it was: open questions can be answered, forks have their past', async () => {
    const { journal: from, pay, fork } = await lived()
    const to = sqlite(freshPath())
    await migrate(from, to)
    const boss = agent({ name: 'boss', model: scriptedModel(['Paid.', 'Otherwise, then.']), tools: { pay }, journal: to })
    const question = (await boss.resume('waiting').result()).questions[0]?.id ?? ''
    const run = boss.resume('waiting')
    await run.answer(question, approve())
    expect((await run.result()).text).toBe('Paid.')
    expect((await boss.messages(fork)).length).toBeGreaterThan(1)
    await to.close()
  })

  test('returns a report, and reports its progress', async () => {
    const from = await sample('a', 'b')
    const to = memoryJournal()
    await put(to, 'b')
    const reports: MigrateProgress[] = []
    const report = await migrate(from, to, { onProgress: (progress) => reports.push(progress) })
    const bytes = (await eventsOf(from, 'a')).reduce((sum, { data }) => sum + JSON.stringify(data).length, 3)
    expect(report).toEqual({ threads: 1, events: 6, bytes, skipped: 1, driven: [] })
    expect(reports.map(({ thread, seq, of }) => `${thread}@${seq}/${of}`)).toEqual(['a@2/6', 'a@4/6', 'a@6/6'])
  })

  test('fences earlier drivers', async () => {
    const from = await sample('a')
    const to = memoryJournal()
    await migrate(from, to)
    expect(await to.append('a', batchAt(6, facts('late'), { epoch: 1 }))).toEqual({ kind: 'fenced', epoch: 2 })
    expect(await to.acquire('a', { worker: 'new', incarnation: 'first', seen: 2 })).toMatchObject({ kind: 'acquired', epoch: 3 })
  })

  test('holds more events than a page and a batch do', async () => {
    const from = memoryJournal()
    await from.append('long', batchAt(0, facts(...Array.from({ length: 1300 }, (_, number) => number))))
    const to = sqlite(freshPath())
    expect(await migrate(from, to)).toMatchObject({ threads: 1, events: 1300 })
    expect(plain(await eventsOf(to, 'long'))).toEqual(plain(await eventsOf(from, 'long')))
    await to.close()
  })
})

describe('a migration that is interrupted', () => {
  const deaths = Array.from({ length: 6 }, (_, index) => index + 1).flatMap((append): Death[] => [
    { append, when: 'before' },
    { append, when: 'after' },
  ])
  test.each(deaths)('$when append $append ends when it is run again, and nothing is there twice', async (death) => {
    const from = await sample('a', 'b')
    const to = memoryJournal()
    const { journal, died } = mortalJournal(to, death)
    const ended = await Promise.race([migrate(from, journal).then(() => 'ended'), died.then(() => 'died')])
    expect(ended).toBe('died')
    const partial = (await to.threads()).filter(({ seq }) => seq < 6)
    for (const { summary } of partial) expect(summary.status).toBe('partial')
    await migrate(from, to)
    expect(await contentsOf(to)).toEqual(await contentsOf(from))
  })

  test('while it holds a thread continues when it is run again', async () => {
    const from = await sample('a')
    const to = memoryJournal()
    const dying: Journal = {
      ...to,
      async acquire(...args) {
        await to.acquire(...args)
        throw new Error('killed')
      },
    }
    await expect(migrate(from, dying)).rejects.toThrow('killed')
    expect((await to.head('a'))?.holder).toBe('migrate')
    await migrate(from, to)
    expect(await contentsOf(to)).toEqual(await contentsOf(from))
  })

  test('by its signal says where it is', async () => {
    const from = await sample('a')
    const to = memoryJournal()
    const controller = new AbortController()
    const ending = migrate(from, to, { signal: controller.signal, onProgress: () => controller.abort() })
    await expect(ending).rejects.toThrow('ended at a@2')
    expect(await migrate(from, to)).toMatchObject({ events: 4, skipped: 0 })
  })
})

describe('a thread that is not what was copied', () => {
  /** A journal that returns something else than it was given. */
  const lying = (journal: Journal, lie: (event: LoomEvent) => LoomEvent): Journal => ({
    ...journal,
    read: async (...args) => (await journal.read(...args)).map(lie),
  })
  const at4 = (change: Partial<LoomEvent>) => (event: LoomEvent) => (event.seq === 4 ? ({ ...event, ...change } as LoomEvent) : event)
  test.each([
    ['data', at4({ data: { key: 'fact', value: 'other' } })],
    ['time', at4({ time: 7 })],
    ['run', at4({ run: 'r9' })],
    ['turn', at4({ turn: 9 })],
    ['type', at4({ type: 'limit.raised' })],
  ])('is named with its seq: %s', async (_what, lie) => {
    const from = await sample('a')
    await expect(migrate(from, lying(memoryJournal(), lie))).rejects.toMatchObject({ context: { failure: 'damaged', thread: 'a', seq: 4 } })
  })

  test('is noticed when an event or a blob is missing, or its summary is another', async () => {
    const from = await sample('a')
    const short = memoryJournal()
    const cut: Journal = { ...short, read: async (...args) => (await short.read(...args)).filter(({ seq }) => seq !== 5) }
    await expect(migrate(from, cut)).rejects.toMatchObject({ context: { thread: 'a', seq: 5 } })
    const changed: Journal = { ...memoryJournal(), blob: async () => Uint8Array.of(9) }
    await expect(migrate(from, changed)).rejects.toMatchObject({ context: { thread: 'a', seq: 2 } })
    const table = memoryJournal()
    const relabelled: Journal = {
      ...table,
      head: async (thread) => {
        const head = await table.head(thread)
        return head && { ...head, summary: { ...head.summary, labels: { other: true } } }
      },
    }
    await expect(migrate(from, relabelled)).rejects.toThrow('at a@6 their summaries differ')
  })

  test('is not written when it existed before', async () => {
    const from = await sample('a')
    const other = memoryJournal()
    await other.append('a', batchAt(0, facts('a', 'mine')))
    await expect(migrate(from, other)).rejects.toMatchObject({ context: { failure: 'unusable', thread: 'a', seq: 2 } })
    expect((await eventsOf(other, 'a')).length).toBe(2)
    const longer = await sample('a')
    await longer.append('a', batchAt(6, facts('more')))
    await expect(migrate(from, longer)).rejects.toThrow('at a@7 the target continues')
  })

  test('is noticed when an earlier migration copied it and it was changed since', async () => {
    const from = await sample('a')
    const to = memoryJournal()
    await migrate(from, to)
    await expect(migrate(from, lying(to, at4({ time: 1 })))).rejects.toMatchObject({ context: { thread: 'a', seq: 4 } })
  })

  test('is not written while it has a holder', async () => {
    const from = await sample('a')
    const to = memoryJournal()
    await to.acquire('a', { worker: 'other', incarnation: 'first', seen: 0 })
    await expect(migrate(from, to)).rejects.toThrow('is held by other')
    const racing = memoryJournal()
    const raced: Journal = {
      ...racing,
      append: async (thread, batch) => {
        if (batch.expected === 2) await racing.acquire(thread, { worker: 'theirs', incarnation: 'first', seen: batch.epoch ?? 0, force: true })
        return racing.append(thread, batch)
      },
    }
    await expect(migrate(from, raced)).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
    const taken: Journal = { ...memoryJournal(), acquire: async () => ({ kind: 'held', epoch: 1, holder: 'other' }) }
    await expect(migrate(from, taken)).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
  })
})

describe('a thread that grows while it is copied', () => {
  test('is copied to its new end', async () => {
    const from = await sample('a')
    const to = memoryJournal()
    let more = 0
    const onProgress = async (): Promise<void> => {
      if (more >= 3) return
      more += 1
      const seq = (await from.head('a'))?.seq ?? 0
      await from.append('a', batchAt(seq, facts('more'), { summary: { status: 'waiting', wakeAt: more } }))
    }
    expect(await migrate(from, to, { onProgress: () => void onProgress() })).toMatchObject({ threads: 1, driven: [] })
    expect(more).toBe(3)
    expect(await contentsOf(to)).toEqual(await contentsOf(from))
  })

  test('is reported and not made whole while it has a holder, and made whole when it is released', async () => {
    const from = await sample('a')
    await from.acquire('a', { worker: 'driver', incarnation: 'first', seen: 2 })
    const to = memoryJournal()
    expect(await migrate(from, to)).toMatchObject({ threads: 1, events: 5, driven: ['a@5'] })
    expect((await to.head('a'))?.summary.status).toBe('partial')
    await from.release('a', { epoch: 3, incarnation: 'first' })
    expect(await migrate(from, to)).toMatchObject({ threads: 1, events: 1, driven: [] })
    expect(await contentsOf(to)).toEqual(await contentsOf(from))
  })

  test('is not forked in the target before the event at the cut is copied', async () => {
    const from = await sample('a')
    const forkOf = { thread: 'a', incarnation: 'first', seq: 6 }
    await from.append('f', batchAt(6, facts('fork'), { forkOf }))
    await from.acquire('a', { worker: 'driver', incarnation: 'first', seen: 2 })
    const to = memoryJournal()
    expect(await migrate(from, to)).toMatchObject({ threads: 1, driven: ['a@5', 'f@6'] })
    expect(await to.head('f')).toBeUndefined()
    await from.release('a', { epoch: 3, incarnation: 'first' })
    expect(await migrate(from, to)).toMatchObject({ threads: 2, driven: [] })
    expect(await contentsOf(to)).toEqual(await contentsOf(from))
  })

  test('is copied whole when its holder is known to be gone, and the holder is fenced', async () => {
    const from = await sample('a')
    await from.acquire('a', { worker: 'driver', incarnation: 'first', seen: 2 })
    const to = memoryJournal()
    expect(await migrate(from, to, { force: true })).toMatchObject({ events: 6, driven: [] })
    expect(await to.append('a', batchAt(6, facts('late'), { epoch: 3 }))).toEqual({ kind: 'fenced', epoch: 4 })
  })

  test('is not mixed with a new thread of its name that appears meanwhile', async () => {
    const from = await sample('thread')
    const to = memoryJournal()
    const replace = async (): Promise<void> => {
      await from.remove('thread')
      for (const seq of [0, 1, 2, 3, 4, 5, 6, 7]) await from.append('thread', batchAt(seq, facts(seq), { incarnation: 'second' }))
    }
    let isReplaced = false
    const append: Journal['append'] = async (...args) => {
      const result = await to.append(...args)
      if (!isReplaced) await replace()
      isReplaced = true
      return result
    }
    await expect(migrate(from, { ...to, append })).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    expect(plain(await eventsOf(to, 'thread'))).toEqual(
      plain((await eventsOf(await sample('thread'), 'thread')).slice(0, (await to.head('thread'))?.seq)),
    )
    await expect(migrate(from, to)).rejects.toThrow('another incarnation starts')
  })

  test('is skipped when it was removed meanwhile, unless the caller named it', async () => {
    const from = await sample('a', 'b')
    const gone: Journal = { ...from, head: async (thread) => (thread === 'b' ? undefined : from.head(thread)) }
    expect(await migrate(gone, memoryJournal())).toMatchObject({ threads: 1 })
    await expect(migrate(gone, memoryJournal(), { threads: ['b'] })).rejects.toThrow('There is no thread b in the source')
  })
})

describe('a selection', () => {
  const copied = async (from: Journal, threads: NonNullable<MigrateOptions['threads']>): Promise<readonly string[]> => {
    const to = memoryJournal()
    await migrate(from, to, { threads })
    return (await to.threads()).map(({ thread }) => thread)
  }

  test('includes children, and the threads that a fork was cut from', async () => {
    const { journal, child, fork } = await lived()
    expect(await copied(journal, ['waiting'])).toEqual(['waiting'])
    expect(await copied(journal, (head: Head) => head.summary.status === 'waiting')).toEqual(['waiting'])
    expect(await copied(journal, ['parent'])).toEqual([child, 'parent'].sort())
    expect(await copied(journal, [fork])).toEqual([child, 'parent', fork].sort())
  })

  test('of nothing copies nothing', async () => {
    expect(await copied(await sample('a'), [])).toEqual([])
  })
})

describe('what is refused', () => {
  test('a journal and itself', async () => {
    const journal = memoryJournal()
    await expect(migrate(journal, journal)).rejects.toThrow('cannot be migrated to itself')
  })

  test('a thread of the target with another incarnation', async () => {
    const from = await sample('a')
    const to = memoryJournal()
    await to.append('a', batchAt(0, facts('a'), { incarnation: 'another' }))
    await expect(migrate(from, to)).rejects.toThrow('at a@1 another incarnation starts')
    expect((await eventsOf(to, 'a')).length).toBe(1)
  })

  test('an event of a newer version', async () => {
    const memory = await sample('a')
    const newer: Journal = { ...memory, read: async (...args) => (await memory.read(...args)).map((event) => ({ ...event, v: 7 })) }
    await expect(migrate(newer, memoryJournal())).rejects.toThrow('has version 7 of memory.recorded')
  })

  test('a source that has lost the end of a thread', async () => {
    const memory = await sample('a')
    const short: Journal = { ...memory, read: async () => [] }
    await expect(migrate(short, memoryJournal())).rejects.toThrow('its end is missing')
  })
})
