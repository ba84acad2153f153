/**
 * Databases that an earlier version wrote are opened, upgraded and resumed by every later one.
 *
 * The fixtures hold one set of threads in each kind of storage; `make-fixtures.md` says how they were made. Everything here goes through the public
 * API: the format below it may change, what a user sees may not.
 */
import { createHash } from 'node:crypto'
import { approve, diffFrames, frameOf, respond } from '@loom-agent/agent'
import { verify } from '@loom-agent/journals'
import { fold, type Journal, readEvents } from '@loom-agent/kernel'
import { assertHistory, type ManualClock, manualClock } from '@loom-agent/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { bigText, day, type GoldenAgent, goldenAgent, madeAt } from './golden-agent.ts'
import { closeGoldenServer, currentHashes, expected, goldenKinds, storedEventsOf, storedHashes, threads } from './open-golden.ts'
import { factsOf, projectionOf } from './projection.ts'

afterAll(closeGoldenServer)

const seqOf = (thread: string): number => expected[thread]?.seq ?? 0

test('the fixtures are as they were made', () => {
  expect(currentHashes()).toEqual(storedHashes)
})

describe('a stored history', () => {
  test.each(threads)('of the thread %s folds to what it was', (thread) => {
    const { listed: _listed, messages: _messages, ...facts } = expected[thread] ?? { listed: '', messages: '' }
    const events = storedEventsOf(thread)
    assertHistory(events)
    expect(factsOf(fold(thread, events))).toEqual(facts)
  })
})

interface Golden extends GoldenAgent {
  readonly journal: Journal
  readonly clock: ManualClock
}

/** An agent on a journal, an hour after the databases were made. Running `act` counts as an effect that must not happen. */
function agentOn(journal: Journal): Golden {
  const clock = manualClock(madeAt + 60 * 60 * 1000)
  const act = (): never => {
    throw new Error('The lost call was run again.')
  }
  return { ...goldenAgent({ journal, clock, act }), journal, clock }
}

/** Resumes a thread, which is adopted if it was imported, and approves what it asks, until it asks nothing more. */
async function finish({ clerk }: Golden, thread: string): Promise<readonly string[]> {
  const asked: string[] = []
  for (;;) {
    const result = await clerk.resume(thread, { adopt: true }).result()
    const [question] = result.questions
    if (!question) return [...asked, result.status]
    asked.push(`${question.kind} of ${question.thread === thread ? 'itself' : 'its child'}`)
    await clerk.answer(question.id, question.kind === 'in-doubt' ? respond('It was done.') : approve(), { adopt: true })
  }
}

/** What is wrong with a journal. That the server of this test does not flush is no damage. */
async function damageIn(journal: Journal): Promise<readonly string[]> {
  const findings = await Array.fromAsync(verify(journal))
  return findings.map(({ problem }) => problem).filter((problem) => !problem.includes('fsync = off'))
}

describe.each(Object.entries(goldenKinds))('a golden database: %s', (_, makeCopy) => {
  /** A fresh copy of the database, opened. */
  const opened = async (): Promise<Golden> => {
    const copy = await makeCopy()
    const journal = copy.open()
    onTestFinished(async () => {
      await journal.close()
      await copy.remove()
    })
    return agentOn(journal)
  }

  test('holds every thread as it was', async () => {
    const golden = await opened()
    const heads = await golden.journal.threads()
    expect(heads.map(({ thread }) => thread).toSorted()).toEqual(threads.toSorted())
    for (const thread of threads) {
      expect([thread, await projectionOf(golden, thread, seqOf(thread))]).toEqual([thread, expected[thread]])
      await expect(frameOf(golden.journal, `${thread}@${seqOf(thread) + 1}`)).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    }
  })

  test('folds to the frames of the stored events, at every moment', async () => {
    const { journal } = await opened()
    for (const thread of threads) {
      const events = storedEventsOf(thread)
      for (let seq = 1; seq <= events.length; seq += 1) {
        expect([thread, seq, diffFrames(fold(thread, events.slice(0, seq)), await frameOf(journal, `${thread}@${seq}`))]).toEqual([thread, seq, []])
      }
    }
  })

  test('finishes the thread that waits for an approval', async () => {
    const golden = await opened()
    expect(await finish(golden, 'waiting')).toEqual(['approval of itself', 'done'])
    expect(golden.effects).toEqual(['pay 5'])
  })

  test('finishes a parent after the question of its open child is answered, and the child pays once', async () => {
    const golden = await opened()
    expect(await finish(golden, 'parent')).toEqual(['approval of its child', 'done'])
    expect(golden.effects).toEqual(['pay 5'])
  })

  test('resumes a fork and a fork of it, which read what they share', async () => {
    const golden = await opened()
    const past = await golden.clerk.messages('finished')
    for (const fork of ['fork', 'fork-of-fork']) {
      const shared = await golden.clerk.messages(fork)
      expect(shared.length).toBeGreaterThan(5)
      expect(shared).toEqual(past.slice(0, shared.length))
      expect(await finish(golden, fork)).toEqual(['approval of itself', 'done'])
    }
    expect(golden.effects).toEqual(['pay 5', 'pay 5'])
    expect(await golden.clerk.messages('finished')).toEqual(past)
  })

  test('lets a new fork be cut from an old thread and from an old fork', async () => {
    const golden = await opened()
    for (const at of ['finished@21', `fork@${seqOf('fork')}`]) {
      const { thread, from } = await golden.clerk.fork(at, { limits: { tokens: 100_000 } })
      expect(from).toBe(at)
      expect(await finish(golden, thread)).toEqual(['approval of itself', 'done'])
    }
  })

  test('reads a big text back, and sends it to the model again', async () => {
    const { clerk, model } = await opened()
    const [first] = await clerk.messages('big')
    expect(first?.content).toEqual([{ type: 'text', text: bigText }])
    expect((await clerk.run('Use add.', { thread: 'big', adopt: true })).text).toBe('Done: add.')
    expect(model.requests.at(-1)?.prompt.find(({ role }) => role === 'user')?.content).toMatchObject([{ type: 'text', text: bigText }])
  })

  test('reads a blob back that was appended beside a batch', async () => {
    const { journal } = await opened()
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
    expect(await journal.blob(createHash('sha256').update(bytes).digest('hex'))).toEqual(bytes)
  })

  test('asks about the unsafe call that lost its process, and does not run it', async () => {
    const golden = await opened()
    expect(await finish(golden, 'lost')).toEqual(['in-doubt of itself', 'done'])
    expect(JSON.stringify(await golden.clerk.messages('lost'))).toContain('It was done.')
    expect(golden.effects).toEqual([])
  })

  test('runs what is queued once the run before it ends', async () => {
    const golden = await opened()
    expect(await finish(golden, 'queued')).toEqual(['approval of itself', 'done'])
    // Queued behind what is queued already.
    expect((await golden.clerk.run('Thank you.', { thread: 'queued' })).status).toBe('done')
    const messages = await golden.clerk.messages('queued')
    expect(messages.filter(({ role }) => role === 'user').length).toBe(3)
    expect(JSON.stringify(messages)).toMatch(/Done: pay\..*Use add\..*Done: add\..*Thank you\..*Done: read\./)
    expect(golden.effects).toEqual(['pay 5'])
  })

  test('wakes the sleeping thread when its time has come, and repeats no step', async () => {
    const golden = await opened()
    expect((await golden.clerk.resume('sleeping', { adopt: true }).result()).status).toBe('waiting')
    await golden.clock.advance(day)
    expect(await finish(golden, 'sleeping')).toEqual(['done'])
    expect(golden.effects).toEqual([])
  })

  test('is whole when it is opened, and when it is opened again after everything in it is done', async () => {
    const copy = await makeCopy()
    onTestFinished(() => copy.remove())
    const first = copy.open()
    expect(await damageIn(first)).toEqual([])
    const golden = agentOn(first)
    await golden.clock.advance(day)
    const roots = ['waiting', 'parent', 'fork', 'fork-of-fork', 'lost', 'queued', 'sleeping']
    for (const thread of roots) expect([thread, (await finish(golden, thread)).at(-1)]).toEqual([thread, 'done'])
    await golden.clerk.run('Thank you.', { thread: 'queued' })
    await first.close()

    const second = copy.open()
    expect(await damageIn(second)).toEqual([])
    const statuses = (await second.threads()).map(({ thread, summary }) => [thread, summary.status])
    expect(statuses).toEqual(threads.toSorted().map((thread) => [thread, thread === 'attachment' ? 'idle' : 'done']))
    for (const thread of threads.filter((name) => !name.startsWith('fork'))) assertHistory(await Array.fromAsync(readEvents(second, thread)))
    await second.close()
  })
})
