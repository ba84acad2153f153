/** PAUSE-1: only a caller's resume ends a pause, in whatever way the run could move on. */
import {
  type Agent,
  agent,
  answer,
  approve,
  edit,
  memoryJournal,
  pause,
  questions,
  type RunHandle,
  reject,
  respond,
  type SignedAnswer,
  signal,
  steer,
  tool,
  type Waiting,
  watch,
} from '@loom-agent/agent'
import { fold } from '@loom-agent/kernel'
import { checkHistory, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const hour = 3_600_000
/** Functions that take the journal alone go by the clock of the platform: for them no time of this one has come. */
const farOff = Date.UTC(2100, 0)

/** A run that waits in one of the ways there are, its agent, and what it did. */
function waitingRun(how: 'approval' | 'ask' | 'sleep' | 'nap' | 'signal' | 'child', now = farOff) {
  const journal = memoryJournal()
  const clock = manualClock(now)
  const bodies: string[] = []
  const done = (name: string): string => {
    bodies.push(name)
    return name
  }
  const approval = tool({ permission: 'ask', input: z.object({ n: z.number().optional() }), run: () => done('approval') })
  const answers = (name: string) => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'end' : { calls: [{ tool: name, input: {} }] }))
  const asker = agent({ name: 'asker', model: answers('approval'), tools: { approval } })
  const tools = {
    approval,
    ask: tool({ durable: true, run: async (_, ctx) => (await ctx.ask('Go on?', { expires: hour })) && done('ask') }),
    sleep: tool({ durable: true, run: async (_, ctx) => (await ctx.sleep(hour)) ?? done('sleep') }),
    nap: tool({ durable: true, run: async (_, ctx) => (await ctx.sleep(400)) ?? done('nap') }),
    signal: tool({ durable: true, run: async (_, ctx) => (await ctx.waitFor('paid', { until: now + hour })) && done('signal') }),
    child: tool({ durable: true, run: async (_, ctx) => (await ctx.run(asker, 'Do it.')) && done('child') }),
  }
  const model = answers(how)
  const create = (): Agent => agent({ name: 'a', model, tools, journal, ports: { clock } })
  return { journal, clock, model, bodies, create }
}

type World = ReturnType<typeof waitingRun> & { readonly run: RunHandle<unknown>; readonly waiting: Waiting; readonly a: Agent }

const answered = (given: SignedAnswer) => ({
  'by the handle': ({ run, waiting }: World) => run.answer(waiting.questions[0]?.id ?? '', given),
  'by the agent': ({ a, waiting }: World) => a.answer(waiting.questions[0]?.id ?? '', given),
  'with the journal alone': ({ journal, waiting }: World) => answer(journal, waiting.questions[0]?.id ?? '', given),
})
type Move = (world: World) => Promise<unknown>
const later: Move = async ({ clock }) => clock.skip(2 * hour)
const nothing: Move = async () => {}

const moves: readonly (readonly [string, Parameters<typeof waitingRun>[0], Move])[] = [
  ['a sleep that is over', 'sleep', later],
  ['a question that expires', 'ask', later],
  ['a wait that expires', 'signal', later],
  ...Object.entries({ approve: approve(), edit: edit({ n: 2 }), reject: reject('no'), respond: respond('by hand') }).flatMap(([kind, given]) =>
    Object.entries(answered(given)).map(([how, move]) => [`an answer (${kind}) ${how}`, 'approval', move] as const),
  ),
  ...Object.entries(answered(respond('yes'))).map(([how, move]) => [`an answer to a durable body ${how}`, 'ask', move] as const),
  ['a signal by the handle', 'signal', ({ run }) => run.signal('paid', 1)],
  ['a signal by the agent', 'signal', ({ a }) => a.signal('t', 'paid', 1)],
  ['a signal with the journal alone', 'signal', ({ journal }) => signal(journal, 't', 'paid', 1)],
  ['a message by the handle', 'approval', ({ run }) => run.steer('hurry')],
  ['a message with the journal alone', 'approval', ({ journal }) => steer(journal, 't', 'hurry')],
  ['an input that steers', 'approval', ({ a }) => a.run('hurry', { thread: 't', whenBusy: 'steer' })],
  ['an input that is queued', 'approval', ({ a }) => a.run('next', { thread: 't' })],
  ['an answer to its child by the handle', 'child', answered(approve())['by the handle']],
  ['an answer to its child by the agent', 'child', answered(approve())['by the agent']],
  ['an answer to its child with the journal alone', 'child', answered(approve())['with the journal alone']],
  ['nothing but recovery', 'approval', nothing],
]

describe('a paused run is not moved on (PAUSE-1)', () => {
  test.each(moves)('by %s, nor by recovery afterwards; a resume goes on with it', async (_, how, move) => {
    const world = waitingRun(how)
    const a = world.create()
    const run = a.start('go', { thread: 't' })
    const waiting = (await run.result()) as Waiting
    const before = world.model.requests.length
    await run.pause({ by: 'ann' })
    await move({ ...world, a, run, waiting })
    await idle()
    for (let look = 0; look < 7; look += 1) await world.create().recover()
    expect(await run.result()).toMatchObject({ status: 'waiting' })
    expect(world.bodies).toEqual([])
    expect(world.model.requests).toHaveLength(before)
    expect(fold('t', await eventsOf(world.journal, 't')).run).toMatchObject({ id: 'r1', status: 'suspended', pause: true, until: undefined })
    expect(await factsOf(world.journal, 't', 'run.resumed')).toHaveLength(0)
    expect(await factsOf(world.journal, 't', 'driver.acquired')).toHaveLength(1)

    const resumed = await world.create().resume('t').result()
    expect(['done', 'waiting']).toContain(resumed.status)
    expect((await factsOf(world.journal, 't', 'run.resumed'))[0]?.data).toEqual({ cause: 'asked' })
    expect((await typesOf(world.journal, 't')).filter((type) => type === 'question.asked').length).toBeLessThanOrEqual(1)
  })

  test('when it sleeps for a moment: the handle returns that it is paused, and its time wakes nobody', async () => {
    const { journal, clock, bodies, create } = waitingRun('nap')
    const run = create().start('go', { thread: 't' })
    await until(async () => (await typesOf(journal, 't')).includes('run.suspended'))
    await run.pause()
    expect(await run.result()).toMatchObject({ status: 'waiting', reason: 'paused', until: undefined })
    expect(clock.timers).toBe(0)
    await clock.advance(1000)
    expect(await factsOf(journal, 't', 'driver.acquired')).toHaveLength(1)
    expect(bodies).toEqual([])
    expect(await create().resume('t').result()).toMatchObject({ status: 'done' })
  })

  test('and it is at rest for those who watch it, whenever its time is', async () => {
    for (const now of [farOff, 1_000_000]) {
      const { journal, create } = waitingRun('sleep', now)
      await create().run('go', { thread: 't' })
      await pause(journal, 't')
      const seen = await Array.fromAsync(watch(journal, 't', { until: 'rest' }))
      expect(seen.at(-1)).toMatchObject({ type: 'run.pause-requested' })
      expect((await journal.head('t'))?.summary).toMatchObject({ status: 'waiting', wakeAt: undefined })
    }
  })

  test('while one of its calls runs: nothing new starts, and what was answered meanwhile waits', async () => {
    const gate = Promise.withResolvers<string>()
    const ran: string[] = []
    const slow = tool({ effect: 'read', run: () => gate.promise })
    const pay = tool({ permission: 'ask', run: () => void ran.push('pay') })
    const model = scriptedModel([{ calls: [{ tool: 'slow' }, { tool: 'pay' }] }, 'end'])
    const a = agent({ model, tools: { slow, pay } })
    const run = a.start('go', { thread: 't' })
    await until(async () => (await factsOf(a, 't', 'question.asked')).length === 1)
    await run.pause()
    const [asked] = await questions(a.journal, { thread: 't' })
    await a.answer(asked?.id ?? '', approve())
    await idle()
    gate.resolve('seen')
    expect(await run.result()).toMatchObject({ status: 'waiting', reason: 'paused' })
    expect(ran).toEqual([])
    expect(await a.resume('t').result()).toMatchObject({ status: 'done' })
    expect(ran).toEqual(['pay'])
  })
})

describe('a child that was paused', () => {
  /** A root whose child, or the child of that, works until the gate is opened, and is paused meanwhile. */
  async function pausedChild(depth: 1 | 2) {
    const journal = memoryJournal()
    const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const work = tool({
      effect: 'read',
      run: async () => {
        entered.resolve()
        await gate.promise
        return 'worked'
      },
    })
    const calling = (name: string) =>
      scriptedModel(({ prompt }) =>
        prompt.at(-1)?.role === 'tool' ? `${name} done` : { calls: [{ tool: name, input: name === 'work' ? {} : { prompt: 'Go.' } }] },
      )
    const kid = agent({ name: 'kid', model: calling('work'), tools: { work } })
    const middle = agent({ name: 'middle', model: calling('kid'), tools: { kid } })
    const boss = agent({ name: 'boss', journal, model: calling(depth === 1 ? 'kid' : 'middle'), tools: { kid, middle } })
    const run = boss.start('Go.', { thread: 'root' })
    await entered.promise
    const [child] = (await journal.threads({ agent: 'kid' })).map(({ thread }) => thread)
    await pause(journal, child ?? '')
    gate.resolve()
    expect(await run.result()).toMatchObject({ status: 'waiting', reason: 'paused' })
    return { journal, boss, child: child ?? '' }
  }

  test.each([1, 2] as const)('goes on when the root of its tree is resumed, and not before (depth %i)', async (depth) => {
    const { journal, boss, child } = await pausedChild(depth)
    await expect(boss.resume(child).result()).rejects.toMatchObject({ code: 'LOOM_THREAD_IS_CHILD' })
    await boss.recover()
    expect((await journal.head(child))?.summary.status).toBe('waiting')
    expect(await boss.resume('root').result()).toMatchObject({ status: 'done' })
    expect((await factsOf(journal, child, 'run.resumed')).map(({ data }) => data.cause)).toContain('asked')
    for (const { thread } of await journal.threads()) expect(checkHistory(await eventsOf(journal, thread))).toEqual([])
  })

  test('stays paused when the resume of its root is refused or aborted before', async () => {
    const { journal, boss, child } = await pausedChild(1)
    await expect(boss.resume('root', { signal: AbortSignal.abort() }).result()).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    const other = agent({ name: 'other', journal, model: scriptedModel('x') })
    await expect(other.resume('root').result()).rejects.toMatchObject({ code: 'LOOM_AGENT_OTHER' })
    expect(await typesOf(journal, child)).not.toContain('run.resumed')
  })
})
