/** A durable body waits for a signal (DURABLE-5): no process is needed meanwhile, and it gets the same end at every entry. */
import { type AgentOptions, agent, answer, approve, memoryJournal, pause, questions, signal, stop, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, manualClock, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const day = 24 * 60 * 60 * 1000
const calling = (...tools: readonly string[]) =>
  scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? JSON.stringify(prompt.at(-1)) : { calls: tools.map((name) => ({ tool: name })) }))
const ship = tool({ name: 'ship', durable: true, run: (_, ctx) => ctx.waitFor('paid') })

const shop = (journal: Journal, options: Partial<AgentOptions> = {}) =>
  agent({ name: 'shop', model: calling('ship'), tools: [ship], journal, ...options })

async function finished(journal: Journal, thread = 't'): Promise<readonly unknown[]> {
  assertHistory(await eventsOf(journal, thread))
  return (await factsOf(journal, thread, 'tool.finished')).map(({ data }) => data.output.value)
}

describe('ctx.waitFor', () => {
  test('makes the run wait, says for which signal, and goes on when it comes', async () => {
    const journal = memoryJournal()
    const own = shop(journal)
    const waiting = await own.run('go', { thread: 't' })
    expect(waiting).toMatchObject({ status: 'waiting', until: undefined, waits: [{ thread: 't', signal: 'paid', until: undefined }] })
    await own.signal('t', 'paid', { sum: 7 }, { by: 'bank' })
    expect(await own.resume('t').result()).toMatchObject({ status: 'done' })
    expect(await finished(journal)).toEqual([{ status: 'received', value: { sum: 7 } }])
    expect((await factsOf(journal, 't', 'signal.received'))[0]?.data).toEqual({ name: 'paid', value: { sum: 7 }, by: 'bank', keep: true })
  })

  test('takes a signal that came before it, without being suspended', async () => {
    const journal = memoryJournal()
    const { promise, resolve } = Promise.withResolvers<void>()
    const model = scriptedModel([{ calls: [{ tool: 'ship' }], until: promise }, 'Done.'])
    const run = shop(journal, { model, ports: { development: false } }).start('go', { thread: 't' })
    for await (const { type } of run.events()) if (type === 'model.requested') break
    await signal(journal, 't', 'paid', 7)
    resolve()
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(await finished(journal)).toEqual([{ status: 'received', value: 7 }])
    expect(await typesOf(journal, 't')).not.toContain('tool.suspended')
  })

  test('takes signals of one name in the order in which they came, each once', async () => {
    const journal = memoryJournal()
    const three = tool({
      name: 'ship',
      durable: true,
      run: async (_, ctx) => [await ctx.waitFor('paid'), await ctx.waitFor('other'), await ctx.waitFor('paid'), await ctx.waitFor('paid')],
    })
    const own = shop(journal, { tools: [three] })
    expect(await own.run('go', { thread: 't' })).toMatchObject({ status: 'waiting', waits: [{ signal: 'paid' }] })
    for (const value of [1, 2, 3]) await signal(journal, 't', 'paid', value)
    expect(await own.resume('t').result()).toMatchObject({ status: 'waiting', waits: [{ signal: 'other' }] })
    await signal(journal, 't', 'other')
    expect(await own.resume('t').result()).toMatchObject({ status: 'done' })
    const values = [1, null, 2, 3].map((value) => ({ status: 'received', value }))
    expect(await finished(journal)).toEqual([values])
  })

  test('gives one signal to one of several waits: the first', async () => {
    const journal = memoryJournal()
    const both = tool({ name: 'ship', durable: true, run: (_, ctx) => Promise.all([ctx.waitFor('paid'), ctx.waitFor('paid')]) })
    const own = shop(journal, { tools: [both] })
    expect(await own.run('go', { thread: 't' })).toMatchObject({ waits: [{ signal: 'paid' }, { signal: 'paid' }] })
    await signal(journal, 't', 'paid', 'a')
    expect(await own.resume('t').result()).toMatchObject({ status: 'waiting', waits: [{ signal: 'paid' }] })
    await signal(journal, 't', 'paid', 'b')
    await own.resume('t').result()
    expect(await finished(journal)).toEqual([['a', 'b'].map((value) => ({ status: 'received', value }))])
  })

  test('expires when its time has passed, and a later signal is kept', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const hurried = tool({ name: 'ship', durable: true, run: (_, ctx) => ctx.waitFor('paid', { until: clock.now() + day }) })
    const own = shop(journal, { tools: [hurried], ports: { clock } })
    const until = clock.now() + day
    expect(await own.run('go', { thread: 't' })).toMatchObject({ status: 'waiting', until, waits: [{ signal: 'paid', until }] })
    await clock.advance(day)
    await own.recover()
    expect(await finished(journal)).toEqual([{ status: 'expired' }])
    await signal(journal, 't', 'paid', 'late')
    expect(await finished(journal)).toEqual([{ status: 'expired' }])
  })

  test('is not ended by a signal that comes after its time, though no process drove the thread when it passed', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const until = clock.now() + day
    const hurried = tool({
      name: 'ship',
      durable: true,
      run: async (_, ctx) => [await ctx.waitFor('paid', { until }), await ctx.waitFor('paid', { until }), await ctx.waitFor('paid')],
    })
    const own = shop(journal, { tools: [hurried], ports: { clock } })
    await own.run('go', { thread: 't' })
    await clock.advance(3 * day)
    await own.signal('t', 'paid', 'late')
    await own.resume('t').result()
    // A wait that starts after its time does not take the kept signal; the one without a time does.
    expect(await finished(journal)).toEqual([[{ status: 'expired' }, { status: 'expired' }, { status: 'received', value: 'late' }]])
  })

  test('takes a date, and refuses what is no time', async () => {
    const journal = memoryJournal()
    const past = tool({ name: 'ship', durable: true, run: (_, ctx) => ctx.waitFor('paid', { until: new Date(0) }) })
    await shop(journal, { tools: [past] }).run('go', { thread: 't' })
    expect(await finished(journal)).toEqual([{ status: 'expired' }])
    const never = tool({ name: 'ship', durable: true, run: (_, ctx) => ctx.waitFor('paid', { until: Number.NaN }) })
    await shop(journal, { tools: [never] }).run('go', { thread: 'n' })
    expect(JSON.stringify(await finished(journal, 'n'))).toContain('until is NaN')
  })

  test('refuses a value that does not fit, and a body may wait again', async () => {
    const journal = memoryJournal()
    const schema = z.object({ sum: z.number() })
    const patient = tool({
      name: 'ship',
      durable: true,
      run: async (_, ctx) => {
        const first = await ctx.waitFor('paid', { schema }).catch((error: Error & { code: string }) => error.code)
        return [first, await ctx.waitFor('paid', { schema })]
      },
    })
    const own = shop(journal, { tools: [patient] })
    await own.run('go', { thread: 't' })
    await signal(journal, 't', 'paid', { sum: 'seven' })
    expect(await own.resume('t').result()).toMatchObject({ status: 'waiting' })
    await signal(journal, 't', 'paid', { sum: 7 })
    await own.resume('t').result()
    expect(await finished(journal)).toEqual([['LOOM_SIGNAL_INVALID', { status: 'received', value: { sum: 7 } }]])
  })

  test('goes on in a process that follows the run, when another process sends the signal', async () => {
    const journal = memoryJournal()
    // What sends a signal with the journal alone has the time of its own process.
    const clock = manualClock(Date.now())
    const soon = tool({ name: 'ship', durable: true, run: (_, ctx) => ctx.waitFor('paid', { until: clock.now() + 30_000 }) })
    const run = shop(journal, { tools: [soon], ports: { clock } }).start('go', { thread: 't' })
    await clock.advance(1)
    expect(await typesOf(journal, 't')).toContain('run.suspended')
    await signal(journal, 't', 'paid', 1)
    expect(await run.result()).toMatchObject({ status: 'done' })
  })

  test('is found by recover when the signal came while no process drove the thread', async () => {
    const journal = memoryJournal()
    await shop(journal).run('go', { thread: 't' })
    expect(await shop(journal).recover()).toEqual([])
    await signal(journal, 't', 'paid', 1)
    expect(await shop(journal).recover()).toMatchObject([{ thread: 't', status: 'done' }])
  })

  test('in a child is named in the result of its parent, and its signal moves the tree', async () => {
    const journal = memoryJournal()
    const child = shop(journal)
    const parent = agent({ name: 'parent', model: calling('shop'), tools: [child], journal })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'shop', input: { prompt: 'go' } }] }))
    const own = parent.with({ model })
    const waiting = await own.run('go', { thread: 't' })
    const [wait] = waiting.status === 'waiting' ? waiting.waits : []
    expect(wait).toMatchObject({ signal: 'paid' })
    expect(wait?.thread).not.toBe('t')
    await own.signal(wait?.thread ?? '', 'paid', 1)
    expect(await own.resume('t').result()).toMatchObject({ status: 'done' })
  })

  test('is started once, and its signal counts once, wherever the process dies', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let append = 1; append <= 8; append += 1) {
        const journal = memoryJournal()
        const mortal = mortalJournal(journal, { append, when })
        const play = async (own: ReturnType<typeof shop>, send: Journal): Promise<void> => {
          await own.run('go', { thread: 't', id: 'a' })
          const sent = await factsOf(journal, 't', 'signal.received')
          if (sent.length === 0) await signal(send, 't', 'paid', 1)
          await own.resume('t').result()
        }
        await Promise.race([mortal.died, play(shop(mortal.journal), mortal.journal)])
        const next = mortalJournal(journal).journal
        await play(shop(next), next)
        expect(await finished(journal)).toEqual([{ status: 'received', value: 1 }])
      }
    }
  })
})

describe('signal', () => {
  test('refuses a thread that is not there, a name that is none, and too many that nothing waits for', async () => {
    const journal = memoryJournal()
    await expect(signal(journal, 'nowhere', 'paid')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    const plain = agent({ name: 'plain', model: scriptedModel(['hi']), journal })
    await plain.run('go', { thread: 't' })
    for (const name of ['', 'a\nb', 'x'.repeat(201), 7 as never]) {
      await expect(signal(journal, 't', name)).rejects.toMatchObject({ code: 'LOOM_SIGNAL_INVALID' })
    }
    await expect(signal(journal, 't', 'paid', 1, { by: 7 as never })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    for (let sent = 0; sent < 1000; sent += 1) await plain.signal('t', 'paid', sent)
    await expect(signal(journal, 't', 'paid')).rejects.toThrow(/keeps 1000 signals/)
  })

  test('waits for a later run of the thread', async () => {
    const journal = memoryJournal()
    const model = scriptedModel(['hi', { calls: [{ tool: 'ship' }] }, 'Done.'])
    const own = shop(journal, { model })
    await own.run('hello', { thread: 't' })
    await signal(journal, 't', 'paid', 1)
    expect(await own.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
    expect(await finished(journal)).toEqual([{ status: 'received', value: 1 }])
  })
})

describe('a signal that a wait has taken, and that no body has read (EVOLVE-5)', () => {
  /** A run that waits for a signal. Its tools can be made to fail, so that the body is not entered again. */
  async function waitingShop() {
    const journal = memoryJournal()
    const broken = { isBroken: false }
    const tools = () => {
      if (broken.isBroken) throw new Error('The list of tools cannot be read.')
      return [ship]
    }
    const own = agent({ name: 'shop', model: calling('ship'), tools, journal })
    expect(await own.run('first', { thread: 't' })).toMatchObject({ status: 'waiting', reason: 'signal' })
    return { journal, own, broken }
  }
  type Shop = Awaited<ReturnType<typeof waitingShop>>

  test.each<[string, (shop: Shop) => Promise<unknown>]>([
    [
      'the run was paused, and is stopped',
      async ({ journal, own }) => {
        await pause(journal, 't')
        await signal(journal, 't', 'paid', 7)
        return own.stop('t')
      },
    ],
    [
      'the run is stopped',
      async ({ journal, own }) => {
        await signal(journal, 't', 'paid', 7)
        return own.stop('t')
      },
    ],
    [
      'the run was asked to stop before',
      async ({ journal, own }) => {
        await stop(journal, 't')
        await signal(journal, 't', 'paid', 7)
        return own.recover()
      },
    ],
    [
      'the run fails, and another follows',
      async ({ journal, own, broken }) => {
        broken.isBroken = true
        await signal(journal, 't', 'paid', 7)
        expect((await own.resume('t').result()).status).toBe('failed')
        broken.isBroken = false
      },
    ],
  ])('is for the next wait when %s', async (_, leave) => {
    const shop = await waitingShop()
    await leave(shop)
    expect((await shop.own.run('second', { thread: 't' })).status).toBe('done')
    expect((await finished(shop.journal)).at(-1)).toEqual({ status: 'received', value: 7 })
  })

  test('is not given twice: a body that was entered with it has read it', async () => {
    const { journal, own } = await waitingShop()
    await signal(journal, 't', 'paid', 7)
    expect((await own.resume('t').result()).status).toBe('done')
    expect(await own.run('second', { thread: 't' })).toMatchObject({ status: 'waiting', reason: 'signal' })
  })
})

describe('a body that waits for two things, one of which comes while it is entered again for the other (CALL-4)', () => {
  test.each(['pure', 'read', 'idempotent', 'unsafe'] as const)('gets both, if it is %s', async (effect) => {
    for (const second of ['signal', 'answer'] as const) {
      const inner = memoryJournal()
      let isArmed = false
      // Another process comes first, just before the batch with the intent to enter the body again.
      const append: Journal['append'] = async (thread, batch) => {
        if (isArmed && batch.events.some(({ type }) => type === 'tool.started')) {
          isArmed = false
          if (second === 'signal') await signal(inner, 't', 'later', 2)
          else for (const { id } of await questions(inner, { thread: 't' })) await answer(inner, id, approve())
        }
        return inner.append(thread, batch)
      }
      const both = tool({
        name: 'both',
        durable: true,
        effect,
        run: async (_, ctx) => {
          await Promise.all([ctx.waitFor('paid'), second === 'signal' ? ctx.waitFor('later') : ctx.ask('later?')])
          return 'both came'
        },
      })
      const own = shop({ ...inner, append }, { model: calling('both'), tools: [both] })
      await own.run('go', { thread: 't' })
      isArmed = true
      await own.signal('t', 'paid', 1)
      expect(await own.resume('t').result()).toMatchObject({ status: 'done' })
      expect(await finished(inner)).toEqual(['both came'])
    }
  })
})
