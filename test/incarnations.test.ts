/** A thread that was removed and begun anew under its name is another thread: nothing of the first reaches a reader or a writer of the second. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, agent, approve, memoryJournal, type RunEvent, tool } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { until } from './support/event-loop.ts'
import { eventsOf, removeFrozen, typesOf } from './support/threads.ts'

const notFound = { code: 'LOOM_THREAD_NOT_FOUND' }

async function openSqlite(): Promise<Journal> {
  const folder = await mkdtemp(join(tmpdir(), 'loom-incarnations-'))
  const journal = sqlite(join(folder, 'loom.db'))
  onTestFinished(async () => {
    await journal.close()
    await rm(folder, { recursive: true })
  })
  return journal
}

/** An agent that answers at once. Each object stands for a process of its own. */
const talker = (journal: Journal, reply: string): Agent => agent({ name: 'clerk', model: scriptedModel(() => reply), journal })

/** Begins the thread with more events than any other test appends to its first incarnation. */
async function begin(journal: Journal): Promise<void> {
  const other = talker(journal, 'second')
  for (let times = 0; times < 5; times += 1) await other.run('of the second', { thread: 't' })
}

/** An agent that asks before it pays. */
function payer(journal: Journal, amount: number): { clerk: Agent; paid: number[] } {
  const paid: number[] = []
  const pay = tool({ name: 'pay', input: z.object({ amount: z.number() }), permission: 'ask', run: ({ amount: sum }) => String(paid.push(sum)) })
  const model = scriptedModel([{ calls: [{ tool: 'pay', input: { amount } }] }, 'Paid.'])
  return { clerk: agent({ name: 'clerk', model, tools: [pay], journal }), paid }
}

/** A run that is inside a tool until `release` is called. */
function blocked(journal: Journal): { worker: Agent; entered: Promise<void>; release: () => void } {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<string>()
  const slow = tool({
    name: 'slow',
    effect: 'read',
    run: () => {
      entered.resolve()
      return released.promise
    },
  })
  const model = scriptedModel([{ calls: [{ tool: 'slow', input: {} }] }, 'done'])
  const worker = agent({ name: 'clerk', model, tools: [slow], journal })
  return { worker, entered: entered.promise, release: () => released.resolve('late') }
}

describe.each([
  ['memory', async () => memoryJournal()],
  ['sqlite', openSqlite],
])('in a journal: %s', (_name, open) => {
  test('a cached thread that was removed and begun anew is folded afresh (THREADS-3)', async () => {
    const journal = await open()
    const model = scriptedModel(() => 'first')
    const clerk = agent({ name: 'clerk', model, journal })
    await clerk.run('of the first', { thread: 't' })
    await journal.remove('t')
    await begin(journal)
    expect(JSON.stringify(await clerk.messages('t'))).not.toContain('first')
    await clerk.run('again', { thread: 't' })
    const sent = JSON.stringify(model.requests.at(-1)?.prompt)
    expect(sent).toContain('of the second')
    expect(sent).not.toContain('of the first')
  })

  test('a cached thread that was removed and not begun anew is not there', async () => {
    const journal = await open()
    const clerk = talker(journal, 'first')
    await clerk.run('of the first', { thread: 't' })
    await journal.remove('t')
    await expect(clerk.messages('t')).rejects.toMatchObject(notFound)
    await expect(clerk.resume('t').result()).rejects.toMatchObject(notFound)
    expect((await clerk.run('new', { thread: 't' })).status).toBe('done')
    expect(JSON.stringify(await eventsOf(journal, 't'))).not.toContain('of the first')
  })

  test('a handle whose thread was removed and begun anew neither reads nor writes the other one', async () => {
    const journal = await open()
    const { clerk, paid } = payer(journal, 5)
    const run = clerk.start('pay 5', { thread: 't' })
    await run.result()
    await journal.remove('t')
    await begin(journal)
    const before = await typesOf(journal, 't')
    await expect(Array.fromAsync(run.events({ from: 1 }))).rejects.toMatchObject(notFound)
    for (const attempt of [() => run.steer('hurry'), () => run.pause(), () => run.stop()]) await expect(attempt()).rejects.toMatchObject(notFound)
    await expect(run.result()).rejects.toMatchObject(notFound)
    expect(await typesOf(journal, 't')).toEqual(before)
    expect(paid).toEqual([])
  })

  test('an approval for a removed thread is refused, and approves nothing of the thread that took its name (QUESTION-1)', async () => {
    for (const through of ['run', 'agent'] as const) {
      const journal = await open()
      const old = payer(journal, 5)
      const run = old.clerk.start('pay 5', { thread: 't' })
      const { questions } = await run.result()
      await journal.remove('t')
      const other = payer(journal, 1_000_000)
      await other.clerk.run('pay a million', { thread: 't' })
      const [answerer, refusal] = through === 'run' ? [run, notFound] : [old.clerk, { code: 'LOOM_QUESTION_NOT_FOUND' }]
      await expect(answerer.answer(questions[0]?.id ?? '', approve())).rejects.toMatchObject(refusal)
      expect((await journal.head('t'))?.summary.status).toBe('waiting')
      expect([...old.paid, ...other.paid]).toEqual([])
    }
  })

  test('a driver and a follower of a thread that is removed and begun anew end with an error', async () => {
    const journal = await open()
    const { worker, entered, release } = blocked(journal)
    const driven = worker.start('work', { thread: 't' })
    await entered
    const followed = talker(journal, 'unused').resume('t')
    const seen: RunEvent[] = []
    const view = async (): Promise<void> => {
      for await (const event of followed.events({ from: 1 })) seen.push(event)
    }
    const viewed = expect(view()).rejects.toMatchObject(notFound)
    await until(() => seen.some(({ type }) => type === 'tool.started'))
    const first = (await journal.head('t'))?.seq ?? 0
    await removeFrozen(journal, 't')
    await begin(journal)
    release()
    await expect(followed.result()).rejects.toMatchObject(notFound)
    await viewed
    await expect(driven.result()).rejects.toMatchObject(notFound)
    expect(Math.max(...seen.map((event) => ('seq' in event ? event.seq : 0)))).toBeLessThanOrEqual(first)
    expect(JSON.stringify(seen)).not.toContain('second')
    expect((await journal.head('t'))?.summary.status).toBe('done')
  })

  test('a resolver is asked about its own thread only, also when the same agent object drives the other one', async () => {
    const journal = await open()
    const { worker, entered, release } = blocked(journal)
    const asked: string[] = []
    const run = worker.start('work', { thread: 't', onQuestion: ({ prompt }) => void asked.push(prompt) })
    await entered
    await removeFrozen(journal, 't')
    const { questions } = await worker.run('pay', { thread: 't', ...asking() })
    release()
    await expect(run.result()).rejects.toMatchObject(notFound)
    expect(questions).toHaveLength(1)
    expect(asked).toEqual([])
  })

  test('the driver of a removed thread does not release the thread that took its name', async () => {
    const journal = await open()
    const [first, second] = [blocked(journal), blocked(journal)]
    const run = first.worker.start('work', { thread: 't' })
    await first.entered
    await removeFrozen(journal, 't')
    const other = second.worker.start('work', { thread: 't' })
    await second.entered
    const { holder } = (await journal.head('t')) ?? {}
    first.release()
    await expect(run.result()).rejects.toMatchObject(notFound)
    expect([holder, (await journal.head('t'))?.holder]).toEqual([expect.any(String), holder])
    second.release()
    expect((await other.result()).status).toBe('done')
  })

  test.each(['before it is acquired', 'after it is acquired'])('a run whose thread is removed %s ends, and nothing loops', async (when) => {
    const inner = await open()
    let removals = 0
    const journal: Journal = {
      ...inner,
      async acquire(thread, claim) {
        const remove = async (): Promise<void> => void (removals++ === 0 && (await removeFrozen(inner, thread)))
        if (when.startsWith('before')) await remove()
        const result = await inner.acquire(thread, claim)
        await remove()
        return result
      },
    }
    const run = talker(journal, 'first').start('work', { thread: 't' })
    const seen = Array.fromAsync(run.events()).catch((error: unknown) => error)
    await expect(run.result()).rejects.toMatchObject(notFound)
    expect(await seen).toMatchObject(notFound)
    expect(await inner.threads()).toEqual([])
    expect((await talker(inner, 'second').run('work', { thread: 't' })).text).toBe('second')
  })

  test('what code gave to a run of a removed thread is not used for the run of the same number', async () => {
    const journal = await open()
    const own = scriptedModel(() => 'own model')
    const clerk = agent({ name: 'clerk', model: own, journal })
    expect((await clerk.run('x', { thread: 't', ...asking() })).status).toBe('waiting')
    await journal.remove('t')
    expect((await clerk.run('y', { thread: 't' })).text).toBe('own model')
  })
})

/** The model and the tool of a run that asks. */
function asking() {
  const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
  return { model: scriptedModel([{ calls: [{ tool: 'pay', input: {} }] }, 'Paid.']), tools: [pay] }
}
