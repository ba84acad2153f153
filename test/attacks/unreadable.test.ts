/** Values that throw when they are looked at, and values that are another thing at the next look: where they come in they are read once, and what cannot be read says so. */
import { agent, answer, approve, type Model, memoryJournal, respond, tool } from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { idle } from '../support/event-loop.ts'
import { eventsOf } from '../support/threads.ts'
import { loadAll } from './load-all.ts'

const raise = (): never => {
  throw new Error('boom')
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const hiding = (error: Error, ...names: readonly string[]): Error =>
  Object.defineProperties(error, Object.fromEntries(names.map((name) => [name, { get: raise }])))

/** Each throws when somebody looks at it in one way or another. */
const unreadable: Readonly<Record<string, () => unknown>> = {
  'a proxy that throws': () => new Proxy({}, { get: raise, has: raise, ownKeys: raise, getPrototypeOf: raise, getOwnPropertyDescriptor: raise }),
  'a proxy of a function that throws': () => new Proxy(() => {}, { get: raise, getPrototypeOf: raise, apply: raise }),
  'a proxy whose prototype alone throws': () => new Proxy(new Error('x'), { getPrototypeOf: raise }),
  'a revoked proxy': revoked,
  'an error that hides its message': () => hiding(new Error('x'), 'message'),
  'an error that hides all of it': () => hiding(new Error('x'), 'message', 'name', 'stack', 'cause', 'code'),
  'an error whose cause cannot be read': () => new Error('x', { cause: revoked() }),
  'an object whose fields throw': () =>
    Object.defineProperties({}, { kind: { get: raise, enumerable: true }, answer: { get: raise, enumerable: true } }),
}

/** What reached the process instead of the run. */
let lost: unknown[] = []
const note = (error: unknown): void => void lost.push(error)
beforeAll(loadAll)
beforeEach(() => {
  lost = []
  process.on('unhandledRejection', note).on('uncaughtException', note)
})
afterEach(() => {
  process.off('unhandledRejection', note).off('uncaughtException', note)
})

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const asking = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'pay' }] }))
const ports = { development: true, random: () => 0 }
const streaming = (error: unknown): Model => ({
  ...scriptedModel('ok'),
  doStream: async () => ({ stream: new ReadableStream({ start: (controller) => controller.enqueue({ type: 'error', error }) }) }) as never,
})

describe.each(Object.entries(unreadable))('%s is a failure that says so, and reaches no process,', (_, make) => {
  it('as the error that a stream brings', async () => {
    const result = await agent({ model: streaming(make()), behaviour: { attempts: 1 }, ports: { development: false } }).run('go')
    expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_FAILED' } })
    const cause = result.status === 'failed' && (result.cause as Error)
    expect(cause && [cause instanceof Error, typeof cause.message]).toBeTruthy()
    expect(lost).toEqual([])
  })

  it.each(['before the first turn', 'later'])('as the reason of an abort, %s', async (moment) => {
    const leaving = new AbortController()
    const entered = Promise.withResolvers<void>()
    const slow = tool({
      name: 'pay',
      run: (_input, { signal }) => {
        entered.resolve()
        return new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
    const running = agent({ model: asking(), tools: [slow], ports }).run('go', { signal: leaving.signal })
    if (moment === 'later') await entered.promise
    leaving.abort(make())
    const result = await running
    expect(result.status === 'stopped' && result.kind).toBe('cancelled')
    await idle()
    expect(lost).toEqual([])
  })

  it('as what a resolver of questions returns', async () => {
    const result = await agent({ model: asking(), tools: [pay], onQuestion: () => make() as never, ports: { development: false } }).run('go')
    expect(result.status).toBe('waiting')
    expect(lost).toEqual([])
  })

  it('as an answer, or a part of one', async () => {
    const journal = memoryJournal()
    const worker = agent({ model: asking(), tools: [pay], journal })
    const { questions } = await worker.run('go', { thread: 't' })
    const id = questions[0]?.id ?? ''
    const given = [make(), { answer: make() }, { answer: approve().answer, by: make() }]
    for (const one of given) {
      await expect(worker.answer(id, one as never)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
      await expect(answer(journal, id, one as never)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    }
    await worker.answer(id, respond({ value: make() } as never))
    expect((await worker.resume('t').result()).status).toBe('done')
    assertHistory(await eventsOf(worker, 't'))
    expect(lost).toEqual([])
  })
})

describe('an answer that is another one at every look', () => {
  /** Its value is `first` when it is looked at for the first time, and `then` after that. */
  const shifting = (first: unknown, then: unknown): object => {
    let looks = 0
    return { toJSON: () => (looks++ === 0 ? first : then) }
  }

  it('settles a question with what its schema was checked for', async () => {
    const given: unknown[] = []
    const paint = tool({
      name: 'paint',
      durable: true,
      run: async (_, ctx) => {
        const colour = await ctx.ask('Which colour?', { schema: z.enum(['red', 'blue']) })
        given.push(colour.kind === 'respond' ? colour.value : colour.kind)
        return 'painted'
      },
    })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'paint' }] }))
    const painter = agent({ model, tools: [paint], ports: { development: false } })
    const { questions } = await painter.run('go', { thread: 't' })
    await painter.answer(questions[0]?.id ?? '', { answer: { kind: 'respond', value: shifting('red', 'rm -rf') } } as never)
    expect((await painter.resume('t').result()).status).toBe('done')
    expect(given).toEqual(['red'])
  })

  it('runs a call with the arguments that were recorded', async () => {
    const paid: number[] = []
    const pays = tool({ name: 'pay', input: z.object({ n: z.number() }), permission: 'ask', run: ({ n }) => paid.push(n) })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'pay', input: { n: 1 } }] }))
    const permissions = {
      rules: [{ tool: 'pay', when: ({ input }: { input: unknown }) => (input as { n: number }).n > 100, verdict: 'deny' }],
      default: 'ask',
    } as const
    const payer = agent({ model, tools: [pays], permissions, ports: { development: false } })
    const { questions } = await payer.run('go', { thread: 't' })
    await payer.answer(questions[0]?.id ?? '', { answer: { kind: 'edit', input: shifting({ n: 5 }, { n: 5000 }) } } as never)
    await payer.resume('t').result()
    const answered = (await eventsOf(payer, 't')).find(({ type }) => type === 'question.answered')
    expect(answered?.data).toMatchObject({ answer: { kind: 'edit', input: { n: 5 } } })
    expect(paid.filter((n) => n !== 5)).toEqual([])
  })
})
