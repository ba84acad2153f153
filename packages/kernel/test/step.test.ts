import { storedFrame } from '@loom-agent/agent/kit'
import { type Draft, type Effect, fold, type Journal } from '@loom-agent/kernel'
import { facts } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { setUpDriver, soon } from './driver-fixture.ts'

const { started, turn, assembled, requested, replied, called, finished } = facts
const steered: Draft = { type: 'message.steered', data: { message: { role: 'user', parts: [{ type: 'text', text: 'By the way.' }] } } }
const stop: Draft = { type: 'run.stop-requested', data: { reason: 'enough' } }
const begun = (call: string, more: object = {}): Draft => ({ type: 'tool.started', data: { call, effect: 'read', ...more } })

/** A journal to which a contributor appends just before the nth append of the driver. */
const contributedBefore =
  (nth: number, contribute: () => Promise<void>) =>
  (journal: Journal): Partial<Journal> => {
    let appends = 0
    return {
      async append(thread, batch) {
        appends += 1
        if (appends === nth) await contribute()
        return journal.append(thread, batch)
      },
    }
  }

describe('a driver', () => {
  test('decides, performs, appends and folds until the thread rests, and leaves nothing behind', async () => {
    const fixture = await setUpDriver()
    const frame = await fixture.drive()
    expect(frame.run?.status).toBe('finished')
    expect(frame).toEqual(await storedFrame(fixture.journal, 't'))
    expect(fixture.performed).toEqual(['record', 'assemble', 'call-model', 'record'])
    expect([fixture.watchers(), fixture.clock.timers]).toEqual([0, 0])
  })

  test('puts whatever needs no waiting into one batch, all of it at one time (STEP-2)', async () => {
    const fixture = await setUpDriver()
    await fixture.drive()
    expect(fixture.committed).toEqual([['driver.acquired', 'turn.entered', 'context.assembled', 'model.requested', 'model.replied', 'run.finished']])
    const events = await fixture.journal.read('t')
    expect(new Set(events.slice(2).map(({ time }) => time)).size).toBe(1)
  })

  test('notifies of an intent only when it is durable (STEP-1)', async () => {
    const durable: string[][] = []
    const fixture = await setUpDriver({
      handlers: {
        'call-model'(outbox) {
          void outbox.append([requested()], 'intended').then(async (kept) => {
            durable.push([String(kept), ...(await fixture.types())])
            outbox.put([replied('Hello.')], 'happened')
          })
          return 'begun'
        },
      },
    })
    await fixture.drive()
    expect(durable).toEqual([['true', 'thread.started', 'run.started', 'driver.acquired', 'turn.entered', 'context.assembled', 'model.requested']])
  })

  test('has one append under way at a time; what comes meanwhile is the next batch (STEP-3)', async () => {
    let underWay = 0
    let most = 0
    const slow = (journal: Journal): Partial<Journal> => ({
      async append(thread, batch) {
        underWay += 1
        most = Math.max(most, underWay)
        await soon()
        underWay -= 1
        return journal.append(thread, batch)
      },
    })
    const results = async (outbox: { put(drafts: readonly Draft[], how: 'happened'): void }) => {
      for (const call of ['1.0', '1.1', '1.2']) outbox.put([finished(call)], 'happened')
    }
    let calls = false
    const fixture = await setUpDriver({
      journal: slow,
      handlers: {
        'call-model'(outbox) {
          outbox.put([requested()], 'intended')
          outbox.put([calls ? replied('Hello.') : called({ name: 'a' }, { name: 'b' }, { name: 'c' })], 'happened')
          calls = true
          return 'begun'
        },
        'call-tools'(outbox) {
          outbox.put([begun('1.0'), begun('1.1'), begun('1.2')], 'happened')
          void soon().then(() => results(outbox))
          return 'begun'
        },
      },
    })
    await fixture.drive()
    expect(most).toBe(1)
    expect(fixture.batches.length).toBe(2)
    expect(new Set(fixture.batches.map(({ id }) => id)).size).toBe(fixture.batches.length)
  })

  test('starts the next run of the queue in a batch of its own', async () => {
    const [thread, run] = started()
    const request = (run as { data: { request: object } }).data.request
    const queued = { type: 'run.queued', data: { run: 'r2', request } } as Draft
    const fixture = await setUpDriver({ start: [thread as Draft, run as Draft, queued] })
    const frame = await fixture.drive()
    expect(frame.run).toMatchObject({ id: 'r2', status: 'finished' })
    expect(fixture.committed.map(([first]) => first)).toEqual(['driver.acquired', 'run.started'])
  })

  test('goes on from the frame that was folded anew, when asked to', async () => {
    const fixture = await setUpDriver()
    let folds = 0
    const frame = await fixture.drive({
      async refold(live) {
        folds += 1
        const read = await storedFrame(fixture.journal, 't', live.seq)
        expect(read).toEqual(live)
        return read
      },
    })
    expect(folds).toBe(fixture.batches.length)
    expect(frame.run?.status).toBe('finished')
  })
})

describe('a contributor that was faster', () => {
  test('makes the driver keep what has happened and drop what it only intended', async () => {
    const notified: Record<string, boolean> = {}
    const fixture = await setUpDriver({
      journal: contributedBefore(2, () => fixture.contribute(steered)),
      handlers: {
        'call-model'(outbox, effect) {
          const { attempt } = effect as Extract<Effect, { kind: 'call-model' }>
          if (notified['intent'] === undefined) void outbox.append([requested(attempt)], 'intended').then((kept) => (notified['intent'] = kept))
          else outbox.put([requested(attempt)], 'intended')
          return 'begun'
        },
      },
    })
    const driving = fixture.drive()
    await soon()
    await soon()
    // The intent was durable; now a reply and, on top of it, the end of the run that follows from it.
    expect(notified).toEqual({ intent: true })
    void fixture
      .outbox()
      .append([replied('Hello.')], 'happened')
      .then((kept) => (notified['reply'] = kept))
    const dropped: Draft = { type: 'memory.recorded', data: { key: 'intended', value: 1 } }
    void fixture
      .outbox()
      .append([dropped], 'intended')
      .then((kept) => (notified['dropped'] = kept))
    for (let n = 0; n < 5; n += 1) await soon()
    expect(notified).toEqual({ intent: true, reply: true, dropped: false })
    const types = await fixture.types()
    expect(types).not.toContain('memory.recorded')
    // The reply stays, after the contributor's message; the answer is followed by another turn.
    expect(types.slice(types.indexOf('message.steered'))).toEqual([
      'message.steered',
      'model.replied',
      'turn.entered',
      'context.assembled',
      'model.requested',
    ])
    await fixture.contribute(stop)
    await soon()
    expect(fixture.aborts).toContain('enough')
    fixture
      .outbox()
      .put([{ type: 'model.failed', data: { attempt: 1, error: { code: 'LOOM_ABORTED', message: '', recoverable: false } } }], 'happened')
    expect((await driving).run?.status).toBe('stopped')
  })

  test('with a stop before the first append stops the run before any work', async () => {
    const fixture = await setUpDriver({ journal: contributedBefore(1, () => fixture.contribute(stop)) })
    expect((await fixture.drive()).run?.status).toBe('stopped')
    // What was done on the outbox before the news came was only intended.
    expect(await fixture.types()).toEqual(['thread.started', 'run.started', 'run.stop-requested', 'driver.acquired', 'model.replied', 'run.stopped'])
  })

  test('is seen by a hint while something is performed, and what is performed is aborted', async () => {
    const fixture = await setUpDriver({
      handlers: {
        'call-model'(outbox) {
          outbox.put([requested()], 'intended')
          return 'begun'
        },
      },
    })
    const driving = fixture.drive()
    await soon()
    expect(fixture.aborts).toEqual([])
    await fixture.contribute(stop)
    await soon()
    expect(fixture.aborts[0]).toBe('enough')
    const failed: Draft = {
      type: 'model.failed',
      data: { attempt: 1, error: { code: 'LOOM_ABORTED', message: '', recoverable: false }, partial: 'Hel' },
    }
    expect(await fixture.outbox().append([failed], 'happened')).toBe(true)
    expect((await driving).run).toMatchObject({ status: 'stopped', partial: 'Hel' })
  })

  test('that is not there, though a hint says so, is not looked for again and again', async () => {
    let reads = 0
    const fixture = await setUpDriver({
      journal: (journal) => ({
        read: (thread, range) => {
          reads += 1
          return journal.read(thread, range)
        },
        watch: (thread, hint) => {
          hint(99)
          return journal.watch(thread, hint)
        },
      }),
    })
    expect((await fixture.drive()).run?.status).toBe('finished')
    expect(reads).toBeLessThan(3)
  })

  test('whose hint was missed is seen at the next append', async () => {
    const fixture = await setUpDriver({
      journal: () => ({ watch: () => () => {} }),
      handlers: {
        'call-model'(outbox) {
          outbox.put([requested()], 'intended')
          return 'begun'
        },
      },
    })
    const driving = fixture.drive()
    await soon()
    await fixture.contribute(stop)
    await soon()
    expect(fixture.aborts).toEqual([])
    fixture.outbox().put([replied('Hello.')], 'happened')
    expect((await driving).run?.status).toBe('stopped')
  })
})

describe('a driver that is fenced', () => {
  test('stops at once: nothing of it is stored, and what is in flight is notified', async () => {
    const fixture = await setUpDriver({
      handlers: {
        'call-model'(outbox) {
          outbox.put([requested()], 'intended')
          return 'begun'
        },
      },
    })
    const driving = fixture.drive()
    await soon()
    const before = await fixture.types()
    await fixture.journal.acquire('t', { worker: 'other', incarnation: 't', seen: 1, force: true })
    const kept = fixture.outbox().append([replied('too late')], 'happened')
    const frame = await driving
    expect(await kept).toBe(false)
    expect(frame.run?.status).toBe('active')
    expect(await fixture.types()).toEqual(before)
    expect(fixture.aborts).toHaveLength(1)
    expect([fixture.watchers(), fixture.clock.timers]).toEqual([0, 0])
    expect(fixture.outbox().isClosed()).toBe(true)
    expect(await fixture.outbox().append([replied('later still')], 'happened')).toBe(false)
    fixture.outbox().put([replied('and again')], 'happened')
    fixture.outbox().wake()
    await soon()
    expect(await fixture.types()).toEqual(before)
  })

  test('is fenced even without a conflict of its own: the other driver’s first event is enough', async () => {
    const fixture = await setUpDriver({
      handlers: {
        'call-model'(outbox) {
          outbox.put([requested()], 'intended')
          return 'begun'
        },
      },
    })
    const driving = fixture.drive()
    await soon()
    const { epoch } = await fixture.journal.acquire('t', { worker: 'other', incarnation: 't', seen: 1, force: true })
    await fixture.contribute({ type: 'driver.acquired', data: { epoch, worker: 'other' } })
    await driving
    expect((await fixture.types()).at(-1)).toBe('driver.acquired')
    expect(fixture.watchers()).toBe(0)
  })

  test('does not wait for calls of the driver that took the thread over: it learns of it while it has nothing to append (STEP-4)', async () => {
    const fixture = await setUpDriver({ handlers: { 'call-model': () => 'busy' } })
    const driving = fixture.drive()
    await soon()
    const { epoch } = await fixture.journal.acquire('t', { worker: 'other', incarnation: 't', seen: 1, force: true })
    await fixture.contribute({ type: 'driver.acquired', data: { epoch, worker: 'other' } }, requested(), called({ name: 'a' }), begun('1.0'))
    expect(await Promise.race([driving.then(({ epoch: last }) => last), soon().then(() => 'still waits')])).toBe(epoch)
    expect(fixture.watchers()).toBe(0)
  })
})

describe('a journal that fails', () => {
  const sent = {
    'call-model'(outbox: { put(drafts: readonly Draft[], how: 'intended'): void }) {
      outbox.put([requested()], 'intended')
      return 'begun' as const
    },
  }

  test('to append ends the driver with its error; what is in flight is aborted and notified', async () => {
    let broken = false
    const fixture = await setUpDriver({
      handlers: sent,
      journal: (journal) => ({
        append: (thread, batch) => (broken ? Promise.reject(new Error('disk full')) : journal.append(thread, batch)),
      }),
    })
    const driving = fixture.drive()
    await soon()
    broken = true
    const kept = [fixture.outbox().append([replied('x')], 'happened'), fixture.outbox().append([assembled()], 'intended')]
    await expect(driving).rejects.toThrow('disk full')
    expect(await Promise.all(kept)).toEqual([false, false])
    expect(fixture.aborts).toHaveLength(1)
    expect(fixture.watchers()).toBe(0)
    expect(fixture.outbox().isClosed()).toBe(true)
  })

  test('to read what a contributor wrote ends it likewise', async () => {
    let broken = false
    const fixture = await setUpDriver({
      handlers: sent,
      journal: (journal) => ({ read: (thread, range) => (broken ? Promise.reject(new Error('disk gone')) : journal.read(thread, range)) }),
    })
    const driving = fixture.drive()
    driving.catch(() => {})
    await soon()
    broken = true
    await fixture.contribute(steered)
    const kept = fixture.outbox().append([replied('x')], 'happened')
    await expect(driving).rejects.toThrow('disk gone')
    expect(await Promise.race([kept, soon().then(() => 'never notified')])).toBe(false)
    expect(fixture.aborts).toHaveLength(1)
    expect(fixture.watchers()).toBe(0)
  })
})

describe('time', () => {
  const sleeper = [...started(), turn(1), assembled(), requested(), called({ name: 'a' }, { name: 'b' }), begun('1.0', { durable: true })] as const

  test('that has come is recorded as what was to happen then, also while something runs', async () => {
    const fixture = await setUpDriver({
      start: [...sleeper.slice(0, 2)],
      handlers: {
        'call-model'(outbox) {
          outbox.put([requested()], 'intended')
          outbox.put([called({ name: 'a' }, { name: 'b' })], 'happened')
          return 'begun'
        },
        'call-tools'(outbox, effect) {
          const { execute } = effect as Extract<Effect, { kind: 'call-tools' }>
          if (execute.length === 2) {
            const until = fixture.clock.now() + 5_000
            outbox.put(
              [begun('1.0', { durable: true }), { type: 'tool.step-started', data: { call: '1.0', key: 'sleep::1', effect: 'pure', until } }],
              'happened',
            )
            outbox.put([{ type: 'tool.suspended', data: { call: '1.0' } }, begun('1.1')], 'happened')
            return 'begun'
          }
          outbox.put([begun('1.0', { durable: true }), finished('1.0')], 'happened')
          return 'begun'
        },
      },
    })
    const driving = fixture.drive()
    await soon()
    expect(fixture.clock.timers).toBe(1)
    await fixture.clock.advance(4_999)
    expect(await fixture.types()).not.toContain('tool.step-finished')
    await fixture.clock.advance(1)
    expect(await fixture.types()).toContain('tool.step-finished')
    expect((await storedFrame(fixture.journal, 't')).run?.unsettled).toBe(1)
    await fixture.contribute(stop)
    await soon()
    fixture.outbox().put([finished('1.1')], 'happened')
    expect((await driving).run?.status).toBe('stopped')
    expect(fixture.clock.timers).toBe(0)
  })

  test('of a question without an answer expires it; the driver need not wait for it', async () => {
    const fixture = await setUpDriver({
      handlers: {
        'call-model'(outbox) {
          outbox.put([requested()], 'intended')
          outbox.put([outbox.frame.turn === 1 ? called({ name: 'a' }) : replied('Without it, then.')], 'happened')
          return 'begun'
        },
        'call-tools'(outbox, effect) {
          const { authorize } = effect as Extract<Effect, { kind: 'call-tools' }>
          if (authorize.length === 0) return 'settled'
          const expires = fixture.clock.now() + 1_000
          outbox.put([{ type: 'question.asked', data: { id: '1.0#1', kind: 'approval', prompt: '?', call: '1.0', expires } }], 'intended')
          return 'begun'
        },
      },
    })
    const waiting = await fixture.drive()
    expect(waiting.run).toMatchObject({ status: 'suspended', until: fixture.clock.now() + 1_000 })
    expect(fixture.clock.timers).toBe(0)
    await fixture.clock.advance(60_000)
    const { run } = await fixture.drive()
    const types = await fixture.types()
    expect(types).toContain('question.expired')
    expect(types).toContain('tool.denied')
    expect(run?.status).toBe('finished')
  })
})

describe('a performer that never settles', () => {
  const hanging = {
    'call-model'(outbox: { put(drafts: readonly Draft[], how: 'intended'): void }) {
      outbox.put([requested()], 'intended')
      return 'begun' as const
    },
  }

  test('is waited for without a busy loop, and aborted once for every reason', async () => {
    const fixture = await setUpDriver({ handlers: hanging, idle: () => new Promise(() => {}) })
    const driving = fixture.drive()
    let ended = false
    void driving.then(() => (ended = true))
    for (let n = 0; n < 20; n += 1) await soon()
    expect(fixture.performed).toEqual(['record', 'assemble', 'call-model'])
    await fixture.contribute(stop)
    for (let n = 0; n < 20; n += 1) await soon()
    expect(fixture.aborts).toEqual(['enough'])
    expect(ended).toBe(false)
    await fixture.journal.acquire('t', { worker: 'other', incarnation: 't', seen: 1, force: true })
    fixture.outbox().put([replied('x')], 'happened')
    await driving
  })

  test('does not keep the run from ending, nor contributors from being read', async () => {
    let idle: () => void = () => {}
    const fixture = await setUpDriver({ idle: () => new Promise((resolve) => (idle = resolve)) })
    const driving = fixture.drive()
    for (let n = 0; n < 5; n += 1) await soon()
    expect((await storedFrame(fixture.journal, 't')).run?.status).toBe('finished')
    const [, run] = started()
    await fixture.contribute({ ...(run as Extract<Draft, { type: 'run.started' }>), data: { ...(run as { data: object }).data, run: 'r2' } as never })
    for (let n = 0; n < 5; n += 1) await soon()
    expect((await storedFrame(fixture.journal, 't')).run).toMatchObject({ id: 'r2', status: 'finished' })
    idle()
    await driving
    expect(fold('t', await fixture.journal.read('t')).run?.id).toBe('r2')
  })
})

describe('a driver that is about to release its thread', () => {
  const ticks = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await Promise.resolve()
  }

  /** Drives a thread whose performer is idle after some ticks, and is woken some ticks after it first waits for that; returns how often it waited. */
  async function waitsOf(idleAfter: number, wokenAfter: number): Promise<number> {
    let waits = 0
    const fixture = await setUpDriver({
      async idle() {
        waits += 1
        if (waits === 1) void ticks(wokenAfter).then(() => fixture.outbox().wake())
        // A driver that wakes itself for ever would never let anything else happen.
        if (waits > 100) fixture.outbox().fail(new Error('endless'))
        await ticks(idleAfter)
      },
    })
    await fixture.drive()
    return waits
  }

  test('releases it after a wake-up at any moment: it does not wake itself again and again', async () => {
    for (let idleAfter = 0; idleAfter <= 16; idleAfter += 1) {
      for (let wokenAfter = 0; wokenAfter <= 16; wokenAfter += 1) expect(await waitsOf(idleAfter, wokenAfter)).toBeLessThanOrEqual(2)
    }
  })
})
