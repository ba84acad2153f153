/** A projector reads on from where it was, and no more (VIEW-3 to VIEW-5). */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { chat, createJournalMetrics, createProjector, runMetrics, skeleton, summarizeMetrics, type ViewCache } from '@loom-agent/telemetry'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const answering = ({ prompt }: { prompt: readonly { role: string }[] }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'look' }] })
const worker = (journal: Journal) => agent({ name: 'worker', model: scriptedModel(answering), tools: [look], journal })

/** A journal that counts the events that are read. */
function counted(journal: Journal): { readonly journal: Journal; read: number } {
  const counting = {
    read: 0,
    journal: {
      ...journal,
      async read(...given: Parameters<Journal['read']>) {
        const page = await journal.read(...given)
        counting.read += page.length
        return page
      },
    },
  }
  return counting
}

function memoryCache(): ViewCache & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return { texts, read: async (key) => texts.get(key), write: async (key, text) => void texts.set(key, text) }
}

const seqOf = async (journal: Journal, thread: string): Promise<number> => (await journal.head(thread))?.seq ?? 0

describe('a projector', () => {
  test('reads the events that are new, and no others', async () => {
    const journal = memoryJournal()
    await worker(journal).run('One.', { thread: 't' })
    const counting = counted(journal)
    const projector = createProjector(counting.journal)
    const first = await projector.view(skeleton, 't')
    expect(counting.read).toBe(first.seq)
    await projector.view(skeleton, 't')
    expect(counting.read).toBe(first.seq)
    await worker(journal).run('Two.', { thread: 't' })
    const second = await projector.view(skeleton, 't')
    expect(second.seq).toBeGreaterThan(first.seq)
    expect(counting.read).toBe(second.seq)
  })

  test('reads in a new process only what came after its stored state', async () => {
    const journal = memoryJournal()
    const cache = memoryCache()
    await worker(journal).run('One.', { thread: 't' })
    const before = createProjector(journal, { cache })
    await before.view(chat, 't')
    await before.save()
    const stored = await seqOf(journal, 't')
    await worker(journal).run('Two.', { thread: 't' })
    const counting = counted(journal)
    const { view } = await createProjector(counting.journal, { cache }).view(chat, 't')
    expect(counting.read).toBe((await seqOf(journal, 't')) - stored)
    expect(view).toEqual((await createProjector(journal).view(chat, 't')).view)
  })

  test('folds again what a cache lost, damaged or stored for another version', async () => {
    const journal = memoryJournal()
    await worker(journal).run('One.', { thread: 't' })
    const whole = (await createProjector(journal).view(chat, 't')).view
    const cache = memoryCache()
    const projector = createProjector(journal, { cache })
    await projector.view(chat, 't')
    await projector.save()
    for (const damaged of ['', '{"seq":3', '{"seq":"3","state":{}}', 'null']) {
      for (const key of cache.texts.keys()) cache.texts.set(key, damaged)
      expect((await createProjector(journal, { cache }).view(chat, 't')).view).toEqual(whole)
    }
    const newer = { ...chat, version: chat.version + 1 }
    expect((await createProjector(journal, { cache }).view(newer, 't')).view).toEqual(whole)
  })

  test('gives the view although its cache fails, and says so', async () => {
    const journal = memoryJournal()
    await worker(journal).run('One.', { thread: 't' })
    const failures: unknown[] = []
    const broken: ViewCache = { read: () => Promise.reject(new Error('no disk')), write: () => Promise.reject(new Error('no disk')) }
    const projector = createProjector(journal, { cache: broken, storeEvery: 1, onCacheError: (error) => failures.push(error) })
    expect((await projector.view(chat, 't')).view.length).toBeGreaterThan(0)
    expect(failures.length).toBe(2)
  })

  test('gives the view of an earlier moment', async () => {
    const journal = memoryJournal()
    await worker(journal).run('One.', { thread: 't' })
    const first = await seqOf(journal, 't')
    const then = JSON.stringify((await createProjector(journal).view(chat, 't')).view)
    await worker(journal).run('Two.', { thread: 't' })
    const projector = createProjector(journal)
    await projector.view(chat, 't')
    const earlier = await projector.view(chat, 't', { at: first })
    expect(earlier.seq).toBe(first)
    expect(JSON.stringify(earlier.view)).toBe(then)
  })

  test('starts from nothing when a name is used again', async () => {
    const journal = memoryJournal()
    const projector = createProjector(journal)
    await worker(journal).run('One.', { thread: 't' })
    const first = await projector.view(runMetrics, 't')
    await journal.remove('t')
    await expect(projector.view(runMetrics, 't')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await worker(journal).run('Two.', { thread: 't' })
    const second = await projector.view(runMetrics, 't')
    expect(second.incarnation).not.toBe(first.incarnation)
    expect(second.view.length).toBe(1)
  })

  test('holds as many states as it may, and gives right views all the same', async () => {
    const journal = memoryJournal()
    for (let thread = 0; thread < 6; thread += 1) await worker(journal).run('One.', { thread: `t${thread}` })
    const projector = createProjector(journal, { keep: 2, cache: memoryCache() })
    for (let round = 0; round < 2; round += 1) {
      for (let thread = 0; thread < 6; thread += 1) expect((await projector.view(runMetrics, `t${thread}`)).view.length).toBe(1)
    }
  })

  test('answers many callers at once with one reading', async () => {
    const journal = memoryJournal()
    await worker(journal).run('One.', { thread: 't' })
    const counting = counted(journal)
    const projector = createProjector(counting.journal)
    const views = await Promise.all(Array.from({ length: 8 }, () => projector.view(chat, 't')))
    expect(new Set(views.map(({ seq }) => seq)).size).toBe(1)
    expect(counting.read).toBe(views[0]?.seq)
  })
})

describe('metrics of a journal', () => {
  test('count every run once, follow the feed, and forget removed threads', async () => {
    const journal = memoryJournal()
    const metrics = createJournalMetrics(journal, createProjector(journal))
    expect(await metrics.runs()).toEqual([])
    await worker(journal).run('One.', { thread: 'a' })
    await worker(journal).run('Two.', { thread: 'b' })
    expect(summarizeMetrics(await metrics.runs()).execution).toMatchObject({ runs: 2, turns: 4, byStatus: { done: 2 } })
    await worker(journal).run('Three.', { thread: 'a' })
    expect(summarizeMetrics(await metrics.runs()).tools.byTool['look']).toMatchObject({ calls: 3, errors: 0, successRate: 1 })
    await journal.remove('b')
    expect((await metrics.runs()).map(({ thread, run }) => `${thread} ${run}`)).toEqual(['a r1', 'a r2'])
    expect(await metrics.runs({ agent: 'nobody' })).toEqual([])
  })
})
