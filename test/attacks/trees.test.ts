/** Attacks by trees: agents that start agents, and calls that multiply on the way down. */
import { type Agent, agent, frameAt, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { checkHistory, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import { abandoned, eventsOf, factsOf } from '../support/threads.ts'

/** An agent that has itself among its tools, and the number of times that its model was called. */
function selfCalling(turns: number, width: number) {
  const journal = memoryJournal()
  const count = { calls: 0 }
  const step: ScriptStep = () => {
    count.calls += 1
    const calls = Array.from({ length: width }, (_, index) => ({ tool: 'self', input: { prompt: `${count.calls}.${index}` } }))
    return { text: String(count.calls), calls }
  }
  const self: Agent = agent({ name: 'self', model: scriptedModel(step), tools: () => [self], journal, limits: { turns, loop: false } })
  return { self, count, journal }
}

/** The number of threads in a journal that are children. */
async function childrenIn(journal: Journal): Promise<number> {
  let children = 0
  let after: string | undefined
  for (;;) {
    const page = await journal.threads({ limit: 100, ...(after !== undefined && { after }) })
    children += page.filter(({ summary }) => summary.parent !== undefined).length
    const last = page.at(-1)?.thread
    if (page.length < 100 || last === undefined) return children
    after = last
  }
}

describe('an agent that calls itself', () => {
  it('at three turns, five deep, makes no more model calls than a hundred children may', async () => {
    const { self, count } = selfCalling(3, 1)
    await self.run('Go.')
    expect(count.calls).toBeLessThanOrEqual(3 * 101)
  })

  it('two times in each reply makes no more children than the tree may have', async () => {
    const { self, journal } = selfCalling(3, 2)
    await self.run('Go.')
    expect(await childrenIn(journal)).toBeLessThanOrEqual(100)
  })

  it('fifty times in each reply makes no more children than the tree may have', async () => {
    const { self, journal } = selfCalling(1, 50)
    await self.run('Go.')
    expect(await childrenIn(journal)).toBeLessThanOrEqual(100)
  })

  it('through another agent makes no more children than the tree may have', async () => {
    const journal = memoryJournal()
    const step =
      (name: string): ScriptStep =>
      () => ({ calls: [1, 2, 3].map((prompt) => ({ tool: name, input: { prompt: `${prompt}` } })) })
    const ping: Agent = agent({ name: 'ping', model: scriptedModel(step('pong')), tools: () => [pong], journal, limits: { turns: 2, loop: false } })
    const pong: Agent = agent({ name: 'pong', model: scriptedModel(step('ping')), tools: () => [ping], limits: { turns: 2, loop: false } })
    await ping.run('Go.')
    expect(await childrenIn(journal)).toBeLessThanOrEqual(100)
  })

  it('is told which limit it has reached, and what to do', async () => {
    const journal = memoryJournal()
    const leaf = agent({ name: 'leaf', model: scriptedModel(() => 'Done.') })
    const calls = Array.from({ length: 120 }, (_, index) => ({ tool: 'leaf', input: { prompt: `${index}` } }))
    await agent({ model: scriptedModel([{ calls }, 'Done.']), tools: [leaf], journal }).run('Go.', { thread: 't' })
    const refused = (await factsOf(journal, 't', 'tool.finished')).filter(({ data }) => /Raise limits\.children/.test(JSON.stringify(data.output)))
    expect(refused).toHaveLength(20)
  })
})

describe('a body that starts children', () => {
  const worker = agent({ name: 'worker', model: scriptedModel(() => 'Done.') })

  /** What the body of a tool got for its children, one result or code for each. */
  async function start(count: number, order: 'together' | 'in turn') {
    const got: string[] = []
    const journal = memoryJournal()
    const spread = tool({
      name: 'spread',
      durable: true,
      async run(_input, ctx) {
        const one = async (index: number): Promise<void> => {
          const outcome = await ctx.run(worker, `${index}`).then(
            ({ status }) => status,
            (error: Error) => (/limits\.children/.test(error.message) ? 'refused' : error.message),
          )
          got.push(outcome)
        }
        const all = Array.from({ length: count }, (_, index) => index)
        if (order === 'together') await Promise.all(all.map(one))
        else for (const index of all) await one(index)
        return 'ok'
      },
    })
    const boss = agent({ name: 'boss', model: scriptedModel([{ calls: [{ tool: 'spread' }] }, 'Done.']), tools: [spread], journal })
    const result = await boss.run('Go.', { thread: 't' })
    return { got, result, journal }
  }

  it('all together gets no more of them than the run may have', async () => {
    const { got, journal } = await start(150, 'together')
    expect(got.filter((outcome) => outcome === 'done')).toHaveLength(100)
    expect(got.filter((outcome) => outcome === 'refused')).toHaveLength(50)
    expect(checkHistory(await eventsOf(journal, 't'))).toEqual([])
  })

  it('one after another gets no more of them than the run may have', async () => {
    const { got } = await start(130, 'in turn')
    expect(got.filter((outcome) => outcome === 'done')).toHaveLength(100)
    expect(got.filter((outcome) => outcome === 'refused')).toHaveLength(30)
  })

  it('one after another keeps its count when another process drives it from the start', async () => {
    const { journal } = await start(130, 'in turn')
    const frame = await frameAt(journal, 't')
    expect(frame.run).toMatchObject({ children: 100 })
    expect(checkHistory(await eventsOf(abandoned(journal), 't'))).toEqual([])
  })

  it('gives each of many that start together a part, and their parts together are no more than the whole', async () => {
    const journal = memoryJournal()
    const inner: Agent = agent({ name: 'inner', model: scriptedModel(() => 'Done.') })
    const middle = agent({ name: 'middle', model: scriptedModel(() => 'Done.'), tools: () => [inner] })
    const calls = Array.from({ length: 10 }, (_, index) => ({ tool: 'middle', input: { prompt: `${index}` } }))
    const boss = agent({ name: 'boss', model: scriptedModel([{ calls }, 'Done.']), tools: [middle], journal })
    await boss.run('Go.', { thread: 't' })
    const started = await factsOf(journal, 't', 'child.started')
    const parts = await Promise.all(
      started.map(async ({ data }) => {
        const [run] = await factsOf(journal, data.child, 'run.started')
        return (run && 'request' in run.data && (run.data.request.limits as { children?: number }).children) || 0
      }),
    )
    expect(parts).toHaveLength(10)
    expect(Math.min(...parts)).toBeGreaterThan(0)
    expect(parts.reduce((sum, part) => sum + part, parts.length)).toBeLessThanOrEqual(100)
  })
})

describe('a child that asks for more than its parent has', () => {
  it('of children gets the remainder of its parent at most', async () => {
    const journal = memoryJournal()
    const leaf = agent({ name: 'leaf', model: scriptedModel(() => 'Done.') })
    const calls = Array.from({ length: 40 }, (_, index) => ({ tool: 'leaf', input: { prompt: `${index}` } }))
    const greedy = agent({
      name: 'greedy',
      model: scriptedModel(() => ({ calls })),
      tools: [leaf],
      limits: { turns: 10, loop: false, children: 1_000_000 },
    })
    const boss = agent({
      name: 'boss',
      model: scriptedModel([{ calls: [{ tool: 'greedy', input: { prompt: 'x' } }] }, 'Done.']),
      tools: [greedy],
      journal,
    })
    await boss.run('Go.', { thread: 't' })
    expect(await childrenIn(journal)).toBeLessThanOrEqual(100)
  })

  it('of calls gets the remainder of its parent at most', async () => {
    const journal = memoryJournal()
    const ran: number[] = []
    const count = tool({ name: 'count', effect: 'read', run: () => void ran.push(1) })
    const calls = Array.from({ length: 50 }, () => ({ tool: 'count' }))
    const greedy = agent({
      name: 'greedy',
      model: scriptedModel(() => ({ calls })),
      tools: [count],
      limits: { turns: 10, loop: false, calls: 1_000_000 },
    })
    const reply = { calls: [{ tool: 'greedy', input: { prompt: 'x' } }] }
    const boss = agent({ name: 'boss', model: scriptedModel([reply, reply, 'Done.']), tools: [greedy], journal, limits: { calls: 100 } })
    await boss.run('Go.', { thread: 't' })
    expect(ran.length).toBeLessThanOrEqual(100)
  })
})

describe('calls that go on', () => {
  const replies =
    (count: number): ScriptStep =>
    (_request, number) => ({
      calls: Array.from({ length: count }, (_, index) => ({ tool: 'count', input: { at: `${number}.${index}` } })),
    })

  it('in every turn end at the limit of calls of the run, which the result names', async () => {
    const ran: number[] = []
    const count = tool({ name: 'count', effect: 'pure', run: () => void ran.push(1) })
    const result = await agent({ model: scriptedModel(replies(900)), tools: [count], limits: { loop: false } }).run('Go.')
    expect(ran.length).toBeLessThanOrEqual(10_000)
    expect(result).toMatchObject({ status: 'stopped', kind: 'limit', reason: expect.stringMatching(/limits\.calls/) })
  })

  it('beyond the limit in one reply are refused, each with its result', async () => {
    const ran: number[] = []
    const journal = memoryJournal()
    const count = tool({ name: 'count', effect: 'pure', run: () => void ran.push(1) })
    const limited = agent({ model: scriptedModel(replies(10)), tools: [count], journal, limits: { calls: 4 } })
    expect(await limited.run('Go.', { thread: 't' })).toMatchObject({ status: 'stopped', kind: 'limit' })
    expect(ran).toHaveLength(4)
    const ended = await factsOf(journal, 't', 'tool.finished')
    const refused = ended.filter(({ data }) => data.errorType === 'limit').map(({ data }) => data.call)
    expect(refused).toEqual(['1.4', '1.5', '1.6', '1.7', '1.8', '1.9'])
    expect(ended).toHaveLength(10)
    expect(checkHistory(await eventsOf(journal, 't'))).toEqual([])
  })

  it('of a child count for its parent', async () => {
    const journal = memoryJournal()
    const count = tool({ name: 'count', effect: 'pure', run: () => 1 })
    const child = agent({ name: 'child', model: scriptedModel([replies(5), 'Done.']), tools: [count] })
    const boss = agent({
      name: 'boss',
      model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'x' } }] }, 'Done.']),
      tools: [child],
      journal,
    })
    await boss.run('Go.', { thread: 't' })
    expect((await frameAt(journal, 't')).run).toMatchObject({ called: 6, children: 1 })
  })

  it('exactly as many as allowed do not keep the model from answering', async () => {
    const count = tool({ name: 'count', effect: 'pure', run: () => 1 })
    const limited = agent({ model: scriptedModel([replies(4), 'Done.']), tools: [count], limits: { calls: 4 } })
    expect(await limited.run('Go.')).toMatchObject({ status: 'done' })
  })

  it('go on when the limit is raised', async () => {
    const count = tool({ name: 'count', effect: 'pure', run: () => 1 })
    const limited = agent({ model: scriptedModel([replies(6), replies(2), 'Done.']), tools: [count], journal: memoryJournal(), limits: { calls: 4 } })
    expect(await limited.run('Go.', { thread: 't' })).toMatchObject({ status: 'stopped' })
    expect(await limited.resume('t', { limits: { calls: 20 } }).result()).toMatchObject({ status: 'done' })
  })
})
