/** Replays of many threads, and forks that are driven to their end with what the record was given. */
import {
  type Agent,
  agent,
  approve,
  type ContextStrategy,
  compareOutcomes,
  memoryJournal,
  type ReplayedThread,
  type ReplayProgress,
  reject,
  respond,
  steer,
  tool,
} from '@loom-agent/agent'
import { type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './journals.ts'

const limits = { tokens: 1_000_000 }
type Prompt = Parameters<Extract<Parameters<typeof scriptedModel>[0], (...given: never[]) => unknown>>[0]['prompt']

/** The texts of the last message of the user. */
const asked = (prompt: Prompt): string => JSON.stringify(prompt.findLast(({ role }) => role === 'user'))

/** What the last call returned. */
const resultIn = (prompt: Prompt): string => /"output":(.*?)[,}]"tool/.exec(JSON.stringify(prompt.at(-1)))?.[1] ?? ''

/** Says what the instructions and the last input are. */
const echo = (): ReturnType<typeof scriptedModel> =>
  scriptedModel(({ prompt }) => {
    const words = /"text":"([^"]*)"/.exec(asked(prompt))?.[1] ?? ''
    return `${String(prompt[0]?.content)} ${words}`
  })

async function collect<V>(replays: AsyncIterable<ReplayedThread<string, V>>): Promise<ReadonlyMap<string, ReplayedThread<string, V>>> {
  const found = new Map<string, ReplayedThread<string, V>>()
  for await (const replayed of replays) found.set(replayed.thread, replayed)
  return found
}

async function talker(threads: readonly string[]): Promise<Agent> {
  const worker = agent({ name: 'talker', instructions: 'Short.', model: echo(), journal: memoryJournal() })
  for (const thread of threads) for (const input of ['one', 'two', 'three']) await worker.run(input, { thread })
  return worker
}

describe('replayAll (REPLAY-3)', () => {
  test('replays the threads of a list, several at a time, and reports progress', async () => {
    const worker = await talker(['a', 'b', 'c', 'd', 'e'])
    let current = 0
    let most = 0
    const context: ContextStrategy = {
      name: 'slow',
      async assemble() {
        current += 1
        most = Math.max(most, current)
        await new Promise(setImmediate)
        current -= 1
        return {}
      },
    }
    const progress: ReplayProgress[] = []
    const onProgress = (made: ReplayProgress): void => void progress.push(made)
    const found = await collect(worker.replayAll(['a', 'b', 'c', 'd', 'e'], { with: { context }, concurrency: 3, onProgress }))
    expect([...found.values()].map(({ status }) => status)).toEqual(Array(5).fill('replayed'))
    expect(most).toBe(3)
    expect(progress.map(({ done, failed, total }) => [done, failed, total])).toEqual([1, 2, 3, 4, 5].map((done) => [done, 0, 5]))
    expect(progress.map(({ thread }) => thread).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('replays the threads of a query: those of the agent that are neither forks nor children', async () => {
    const worker = await talker(['a', 'b'])
    await worker.with({ name: 'other' }).run('one', { thread: 'c' })
    await worker.fork('a@2', { thread: 'f', limits })
    expect([...(await collect(worker.replayAll({})).then((found) => found.keys()))]).toEqual(['a', 'b'])
    expect([...(await collect(worker.replayAll({ limit: 1 })).then((found) => found.keys()))]).toEqual(['a'])
  })

  test('one thread that cannot be replayed is reported and does not end the others', async () => {
    const worker = await talker(['a', 'b', 'c'])
    const context: ContextStrategy = {
      name: 'picky',
      assemble({ frame }) {
        if (frame.thread === 'b') throw new Error('not this one')
        return {}
      },
    }
    const found = await collect(worker.replayAll(['a', 'gone', 'b', 'c'], { with: { context }, concurrency: 1 }))
    expect(found.get('gone')).toMatchObject({ status: 'failed', error: { code: 'LOOM_THREAD_NOT_FOUND' } })
    expect(found.get('b')).toMatchObject({ status: 'failed', error: { message: 'The run failed: the context strategy "picky" threw: not this one' } })
    expect([found.get('a')?.status, found.get('c')?.status]).toEqual(['replayed', 'replayed'])
  })

  test('begins no more threads after the caller has left', async () => {
    const worker = await talker(['a', 'b', 'c'])
    const begun: string[] = []
    const context: ContextStrategy = {
      name: 'noting',
      assemble({ frame }) {
        if (frame.turn === 1) begun.push(frame.thread)
        return {}
      },
    }
    for await (const { thread } of worker.replayAll(['a', 'b', 'c'], { with: { context }, concurrency: 1 })) if (thread === 'a') break
    expect(begun).toEqual(['a'])
  })

  test.each([
    ['one text', 'a', {}, 'LOOM_OPTION_INVALID'],
    ['nothing', undefined, {}, 'LOOM_OPTION_INVALID'],
    ['no concurrency', ['a'], { concurrency: 0 }, 'LOOM_OPTION_INVALID'],
    ['forks without a budget', ['a'], { mode: 'continue-live' }, 'LOOM_OPTION_INVALID'],
    ['one id for all forks', ['a'], { fork: { thread: 'f' } }, 'LOOM_OPTION_UNKNOWN'],
  ])('refuses %s', async (_, threads, options, code) => {
    const worker = await talker(['a'])
    await expect(collect(worker.replayAll(threads as never, options as never))).rejects.toMatchObject({ code })
  })
})

describe('continue-live (REPLAY-4)', () => {
  test('gives the fork the recorded later inputs, in order, and leaves the record as it is', async () => {
    const worker = await talker(['a'])
    const before = JSON.stringify(await eventsOf(worker, 'a'))
    const found = await collect(worker.replayAll(['a'], { mode: 'continue-live', with: { instructions: 'Long.' }, fork: { limits } }))
    const replayed = found.get('a')
    expect(replayed).toMatchObject({ status: 'replayed', verdict: 'different', live: { inputsLeft: 0 } })
    expect(replayed?.live?.recorded.runs.map(({ text }) => text)).toEqual(['Short. one', 'Short. two', 'Short. three'])
    expect(replayed?.live?.replayed.runs.map(({ text, input }) => [text, input])).toEqual([
      ['Long. one', undefined],
      ['Long. two', 'two'],
      ['Long. three', 'three'],
    ])
    expect(JSON.stringify(await eventsOf(worker, 'a'))).toBe(before)
  })

  test('gives inputs that were queued at the cut, and those of a replay that differs late only from there on', async () => {
    const gate = Promise.withResolvers<void>()
    const model = scriptedModel([{ text: 'first', until: gate.promise }, 'second', 'again', 'third'])
    const worker = agent({ name: 'queue', instructions: 'Short.', model, journal: memoryJournal() })
    const first = worker.start('one', { thread: 'a' })
    const second = worker.start('two', { thread: 'a' })
    await steerable(worker, 'a')
    gate.resolve()
    await Promise.all([first.result(), second.result()])
    const report = await worker.replay('a', { mode: 'continue-live', with: { instructions: 'Long.' }, fork: { limits } })
    const live = await report.driveFork?.()
    expect(live?.replayed.runs.map(({ input, text }) => [input, text])).toEqual([
      [undefined, 'again'],
      ['two', 'third'],
    ])
    expect(live && compareOutcomes(live)).toBe('different')
    expect(await report.driveFork?.()).toBe(live)
  })

  test('messages that were steered into a run are given with it', async () => {
    const gate = Promise.withResolvers<void>()
    const first = scriptedModel([{ calls: [{ tool: 'look' }], until: gate.promise }, 'seen'])
    const look = tool({ name: 'look', effect: 'read', run: () => 'a cat' })
    const worker = agent({ name: 'steered', instructions: 'Short.', model: first, tools: [look], journal: memoryJournal() })
    const run = worker.start('Look.', { thread: 'a' })
    await steerable(worker, 'a')
    await steer(worker.journal, 'a', 'Look twice.')
    gate.resolve()
    await run.result()
    const model = scriptedModel(['done', 'done twice'])
    const report = await worker.replay('a', { mode: 'continue-live', with: { instructions: 'Long.', model }, fork: { limits } })
    expect((await report.driveFork?.())?.replayed.runs.map(({ status }) => status)).toEqual(['done'])
    const texts = (await eventsOf(worker, report.fork?.thread ?? '')).flatMap((event) =>
      event.type === 'message.steered' ? [event.data.message] : [],
    )
    expect(JSON.stringify(texts)).toContain('Look twice.')
  })

  test('a judge gets the recorded and the replayed outcome, and its verdict is typed', async () => {
    const worker = await talker(['a', 'b'])
    const seen: string[] = []
    const replays = worker.replayAll(['a', 'b'], {
      mode: 'continue-live',
      with: { instructions: 'Long.' },
      fork: { limits },
      judge: ({ recorded, replayed }) => {
        seen.push(`${recorded.thread} ${recorded.runs.at(-1)?.text} / ${replayed.runs.at(-1)?.text}`)
        return { score: replayed.runs.length }
      },
    })
    const scores: (number | undefined)[] = []
    for await (const replayed of replays) if (replayed.status === 'replayed') scores.push(replayed.verdict?.score)
    expect(scores).toEqual([3, 3])
    expect(seen.toSorted()).toEqual(['a Short. three / Long. three', 'b Short. three / Long. three'])
  })

  test('the default judge says same when every run ended alike, and a judge that throws fails its thread alone', async () => {
    const silent = agent({ name: 'silent', instructions: 'Short.', model: scriptedModel(() => 'Yes.'), journal: memoryJournal() })
    for (const thread of ['a', 'b']) for (const input of ['one', 'two']) await silent.run(input, { thread })
    const options = { mode: 'continue-live', with: { instructions: 'Long.' }, fork: { limits } } as const
    expect((await collect(silent.replayAll(['a'], options))).get('a')).toMatchObject({ verdict: 'same' })
    expect((await collect(silent.replayAll(['a'], { ...options, with: {} }))).get('a')).not.toHaveProperty('live')
    const judge = ({ recorded }: Parameters<typeof compareOutcomes>[0]): string => {
      if (recorded.thread === 'b') throw new Error('cannot judge')
      return 'fine'
    }
    const judged = await collect(silent.replayAll(['a', 'b'], { ...options, judge }))
    expect(judged.get('a')).toMatchObject({ status: 'replayed', verdict: 'fine' })
    expect(judged.get('b')).toMatchObject({ status: 'failed', error: { message: 'cannot judge' }, live: { inputsLeft: 0 } })
  })
})

/** A durable tool that asks, and the model that calls it with every input but the last. */
function asking(): Agent {
  const decide = tool({
    name: 'decide',
    durable: true,
    run: async (_: unknown, ctx) => {
      const answer = await ctx.ask('Which one?')
      return answer.kind === 'respond' ? answer.value : answer.kind
    },
  })
  const reply = ({ prompt }: { prompt: Prompt }): string | ScriptedReply => {
    const last = prompt.at(-1)
    if (last?.role === 'tool') return resultIn(prompt)
    return asked(prompt).includes('stop') ? 'Fine.' : { calls: [{ tool: 'decide' }] }
  }
  return agent({ name: 'asking', instructions: 'Short.', model: scriptedModel(reply), tools: [decide], journal: memoryJournal() })
}

describe('questions of a fork that goes on live (REPLAY-5, REPLAY-6)', () => {
  const options = { mode: 'continue-live', with: { instructions: 'Long.' }, fork: { limits } } as const

  test('are answered as the record was, each answer once and in order', async () => {
    const worker = asking()
    const values = ['red', 'blue']
    for (const input of ['one', 'two']) await worker.run(input, { thread: 'a', onQuestion: () => respond(values.shift()) })
    const found = (await collect(worker.replayAll(['a'], options))).get('a')
    expect(found).toMatchObject({ verdict: 'same', live: { inputsLeft: 0 } })
    expect(found?.live?.replayed.runs.map(({ text }) => [text.includes('red'), text.includes('blue')])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  test('that the record does not answer are asked of onQuestion, or stay open, and the inputs after them are not given', async () => {
    const worker = asking()
    await worker.run('one', { thread: 'a', onQuestion: () => reject('no') })
    await worker.run('two', { thread: 'a', onQuestion: () => respond('blue') })
    await worker.run('stop', { thread: 'a' })
    const twice = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' && prompt.length > 4 ? 'Fine.' : { calls: [{ tool: 'decide' }] }))
    const changes = { ...options, with: { ...options.with, model: twice } }
    const report = await worker.replay('a', { ...changes, fork: { limits, effects: 'recorded' } })
    const live = await report.driveFork?.()
    expect(live?.replayed.runs.map(({ status }) => status)).toEqual(['done', 'waiting'])
    expect(live?.inputsLeft).toBe(1)
    const again = await worker.replay('a', { ...changes, fork: { limits, effects: 'recorded' } })
    const helped = await again.driveFork?.({ onQuestion: () => respond('green') })
    expect([helped?.replayed.runs.map(({ status }) => status), helped?.inputsLeft]).toEqual([['done', 'done', 'done'], 0])
  })

  test('get no answer of the record a second time that the fork itself has taken, with its call or alone', async () => {
    const decide = tool({
      name: 'decide',
      durable: true,
      effect: 'read',
      run: async (input, ctx) => {
        const answers = []
        for (let asked = 0; asked < Number(input['times']); asked += 1) answers.push(await ctx.ask('Which one?'))
        return answers.map((answer) => (answer.kind === 'respond' ? answer.value : answer.kind)).join(' ')
      },
    })
    const calling = (times: number, turns: number) =>
      scriptedModel(({ prompt }) =>
        prompt.filter(({ role }) => role === 'tool').length < turns ? { calls: [{ tool: 'decide', input: { times } }] } : 'Fine.',
      )
    const worker = agent({ name: 'asking', instructions: 'Short.', model: calling(1, 1), tools: [decide], journal: memoryJournal() })
    const answersIn = async (thread: string): Promise<number> =>
      (await eventsOf(worker, thread)).filter(({ type }) => type === 'question.answered').length
    const replayed = async (thread: string, model: ReturnType<typeof calling>) => {
      const report = await worker.replay(thread, { ...options, with: { ...options.with, model }, fork: { limits, effects: 'recorded' } })
      const live = await report.driveFork?.()
      return [live?.replayed.runs.map(({ status }) => status), await answersIn(report.fork?.thread ?? '')]
    }
    await worker.run('one', { thread: 'a', onQuestion: () => respond('red') })
    expect(await replayed('a', calling(1, 2))).toEqual([['waiting'], 0])
    const run = worker.start('one', { thread: 'b', model: calling(2, 1) })
    await run.answer((await run.result()).questions[0]?.id ?? '', respond('red'))
    await run.result()
    await run.stop()
    await run.result()
    expect(await replayed('b', calling(2, 1))).toEqual([['waiting'], 1])
  })

  test('an approval of the record runs no call twice, unless the fork runs calls live', async () => {
    let sent = 0
    const mail = tool({
      name: 'mail',
      run: () => {
        sent += 1
        return 'sent'
      },
    })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'mail', input: { to: 'Ann' } }] }))
    const worker = agent({ name: 'mailer', instructions: 'Short.', model, tools: [mail], permissions: { mail: 'ask' }, journal: memoryJournal() })
    await worker.run('Send it.', { thread: 'a', onQuestion: () => approve() })
    const statusesWith = async (effects: 'ask' | 'recorded' | 'stub' | 'live'): Promise<readonly (string | number)[]> => {
      const before = sent
      const found = (await collect(worker.replayAll(['a'], { ...options, fork: { limits, effects } }))).get('a')
      return [...(found?.live?.replayed.runs.map(({ status }) => status) ?? []), sent - before]
    }
    expect(sent).toBe(1)
    expect(await statusesWith('ask')).toEqual(['waiting', 0])
    expect(await statusesWith('recorded')).toEqual(['done', 0])
    expect(await statusesWith('stub')).toEqual(['done', 0])
    expect(await statusesWith('live')).toEqual(['done', 1])
  })

  test('a call that waits for a signal gets the recorded one', async () => {
    const wait = tool({
      name: 'wait',
      durable: true,
      run: async (_: unknown, ctx) => {
        const received = await ctx.waitFor('paid')
        return received.status === 'received' ? received.value : 'nothing'
      },
    })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? resultIn(prompt) : { calls: [{ tool: 'wait' }] }))
    const worker = agent({ name: 'waiter', instructions: 'Short.', model, tools: [wait], journal: memoryJournal() })
    const run = worker.start('Wait.', { thread: 'a' })
    expect((await run.result()).status).toBe('waiting')
    await run.signal('paid', { amount: 7 })
    expect((await run.result()).text).toContain('7')
    expect((await collect(worker.replayAll(['a'], options))).get('a')).toMatchObject({ verdict: 'same' })
  })
})

/** Waits until the model was asked. */
async function steerable(worker: Agent, thread: string): Promise<void> {
  for await (const event of worker.watch(thread)) if (event.type === 'model.requested') return
}
