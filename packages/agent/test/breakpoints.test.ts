/** Breakpoints: runs stop where a fact says so, in any process that drives them, and go on when a caller says so. */
import { agent, memoryJournal, setBreakpoints, step, tool } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { fold, readEvents } from '@loom-agent/kernel'
import { checkHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const eventsOf = async (journal: Journal, thread: string): Promise<readonly LoomEvent[]> => {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events
}

/** Where a thread has stopped, by its events. */
const stopsOf = async (journal: Journal, thread = 't'): Promise<readonly string[]> =>
  (await eventsOf(journal, thread)).flatMap((event) => (event.type === 'run.suspended' && event.data.stop ? [event.data.stop.at] : []))

const world = (journal: Journal = memoryJournal()) => {
  const done: string[] = []
  const tools = [
    tool({ name: 'look', effect: 'read', run: () => done.push('look') }),
    tool({ name: 'pay', run: () => done.push('pay') }),
    tool({ name: 'fail', effect: 'read', run: () => Promise.reject(new Error('No.')) }),
  ]
  const script = [{ calls: [{ tool: 'look' }] }, { calls: [{ tool: 'pay' }, { tool: 'fail' }] }, 'Done.']
  const make = () => agent({ name: 'clerk', model: scriptedModel(script), tools, journal, permissions: { '*': 'allow' } })
  return { journal, done, make, clerk: make() }
}

describe('a run', () => {
  const stopping = async (breakpoints: Parameters<typeof setBreakpoints>[2]) => {
    const w = world()
    // Breakpoints belong to the thread: they are set before its next run.
    const prepared = agent({ name: 'clerk', model: scriptedModel('Hello.'), journal: w.journal })
    await prepared.run('Hello', { thread: 't' })
    await setBreakpoints(w.journal, 't', breakpoints, { by: 'ann' })
    const results = []
    let result = await w.clerk.run('Go.', { thread: 't' })
    for (let resumed = 0; result.status === 'waiting' && resumed < 50; resumed += 1) {
      results.push(result.reason)
      result = await w.clerk.resume('t').result()
    }
    const events = await eventsOf(w.journal, 't')
    expect(checkHistory(events)).toEqual([])
    expect(result.status).toBe('done')
    expect(w.done).toEqual(['look', 'pay'])
    expect(new Set(results)).toEqual(new Set(results.length > 0 ? ['paused'] : []))
    return { stops: await stopsOf(w.journal), events, ...w }
  }

  test.each([
    ['beforeIterationStart', ['1 first ', '2 next ', '3 next ']],
    ['beforeContextAssembly', ['2 context ', '3 context ', '4 context ']],
    ['afterContextAssembly', ['2 model 1', '3 model 1', '4 model 1']],
    ['beforeModelCall', ['2 model 1', '3 model 1', '4 model 1']],
    ['afterModelReply', ['2 tools 2.0', '3 tools 3.1', '4 end ']],
    ['beforeToolExecution', ['2 tools 2.0', '3 tools 3.1']],
    ['afterToolExecution', ['2 next ', '3 next ']],
    ['beforeRecursion', ['2 next ', '3 next ']],
    ['afterIterationEnd', ['2 next ', '3 next ', '4 end ']],
  ] as const)('stops at the point %s, every time, and goes on when it is resumed', async (hook, stops) => {
    expect((await stopping([{ hook }])).stops).toEqual(stops)
  })

  test('stops before calls of a tool, and before no others', async () => {
    expect((await stopping([{ tool: 'pay' }])).stops).toEqual(['3 tools 3.1'])
    expect((await stopping([{ tool: 'none' }])).stops).toEqual([])
  })

  test('stops after an error, and once where that is asked', async () => {
    expect((await stopping([{ error: true }])).stops).toEqual(['3 next '])
    expect((await stopping([{ hook: 'beforeModelCall', once: true }])).stops).toEqual(['2 model 1'])
    expect((await stopping([])).stops).toEqual([])
  })

  test('has the frame of its events at every seq, with its breakpoints', async () => {
    const { events } = await stopping([{ hook: 'beforeModelCall', once: true }, { tool: 'pay' }])
    const frame = fold('t', events)
    expect(frame.breakpoints.map(({ id }) => id)).toEqual(['tool pay'])
    expect(events.filter(({ type }) => type === 'breakpoints.changed')).toHaveLength(1)
  })
})

test('a run stops from a cost on, once', async () => {
  const journal = memoryJournal()
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const calls = { calls: [{ tool: 'look' }] }
  const model = scriptedModel(['Hello.', calls, calls, calls, 'Done.'])
  const clerk = agent({ name: 'clerk', model, tools: [look], journal, ports: { price: () => 100 } })
  await clerk.run('Hello', { thread: 't' })
  await setBreakpoints(journal, 't', [{ cost: 200 }])
  expect((await clerk.run('Go.', { thread: 't' })).status).toBe('waiting')
  expect(await stopsOf(journal)).toEqual(['3 tools 3.0'])
  expect((await clerk.resume('t').result()).status).toBe('done')
  expect(await stopsOf(journal)).toHaveLength(1)
})

describe('another process', () => {
  test('that drives a run stops at a breakpoint that was set meanwhile, and a third one goes on', async () => {
    const { journal, make, done } = world()
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const wait = tool({ name: 'wait', effect: 'read', run: () => gate })
    const model = scriptedModel([{ calls: [{ tool: 'wait' }] }, { calls: [{ tool: 'pay' }] }, 'Done.'])
    const pay = tool({ name: 'pay', run: () => done.push('pay') })
    const driver = agent({ name: 'clerk', model, tools: [wait, pay], journal, permissions: { '*': 'allow' } })
    const handle = driver.start('Go.', { thread: 't' })
    for await (const event of handle.events()) if ('seq' in event && event.type === 'model.replied') break
    await setBreakpoints(journal, 't', [{ tool: 'pay' }])
    release()
    expect((await handle.result()).status).toBe('waiting')
    expect(done).toEqual([])
    // Recovery is no caller: it leaves the run where it is.
    await make().recover()
    expect(done).toEqual([])
    expect((await driver.resume('t').result()).status).toBe('done')
    expect(done).toEqual(['pay'])
  })
})

describe('stepping', () => {
  const family = async () => {
    const journal = memoryJournal()
    const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
    const child = agent({ name: 'child', description: 'Looks.', model: scriptedModel([{ calls: [{ tool: 'look' }] }, 'Looked.']), tools: [look] })
    const ask = { calls: [{ tool: 'child', input: { prompt: 'Look.' } }] }
    const parent = agent({ name: 'parent', model: scriptedModel(['Hello.', ask, 'Told.']), tools: { child }, journal, permissions: { '*': 'allow' } })
    await parent.run('Hello', { thread: 't' })
    await setBreakpoints(journal, 't', [{ tool: 'child', once: true }])
    expect((await parent.run('Go.', { thread: 't' })).status).toBe('waiting')
    const childThread = async () => (await journal.threads({ parent: 't' }))[0]?.thread ?? ''
    return { journal, parent, childThread }
  }

  test('over a call runs its child to the end, and stops behind it', async () => {
    const { journal, parent, childThread } = await family()
    await step(journal, 't', 'over')
    expect((await parent.resume('t').result()).status).toBe('waiting')
    expect([await stopsOf(journal), await stopsOf(journal, await childThread())]).toEqual([['2 tools 2.0', '2 next '], []])
    expect((await parent.resume('t').result()).status).toBe('done')
  })

  test('into a call stops in its child, from there on place by place, and out of it behind the call', async () => {
    const { journal, parent, childThread } = await family()
    await step(journal, 't', 'into')
    expect((await parent.resume('t').result()).status).toBe('waiting')
    const child = await childThread()
    expect(await stopsOf(journal, child)).toEqual(['0 first '])
    await step(journal, child, 'over')
    expect((await parent.resume('t').result()).status).toBe('waiting')
    expect(await stopsOf(journal, child)).toEqual(['0 first ', '1 context '])
    await step(journal, child, 'out')
    expect((await parent.resume('t').result()).status).toBe('waiting')
    expect([await stopsOf(journal, child), await stopsOf(journal)]).toEqual([
      ['0 first ', '1 context '],
      ['2 tools 2.0', '2 next '],
    ])
    expect((await parent.resume('t').result()).status).toBe('done')
    for (const thread of ['t', child]) expect(checkHistory(await eventsOf(journal, thread))).toEqual([])
  })

  test('children of some depth stop at their beginning, and the root does not', async () => {
    const { journal, parent, childThread } = await family()
    await setBreakpoints(journal, 't', [{ depth: 1 }])
    expect((await parent.resume('t').result()).status).toBe('waiting')
    expect([await stopsOf(journal), await stopsOf(journal, await childThread())]).toEqual([['2 tools 2.0'], ['0 first ']])
    expect((await parent.resume('t').result()).status).toBe('done')
  })

  test('out of a thread that is nobody’s child is refused', async () => {
    const { journal } = await family()
    await expect(step(journal, 't', 'out')).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })
})

test('a fork has no breakpoints of its parent', async () => {
  const { journal, clerk } = world()
  await clerk.run('Go.', { thread: 't' })
  await setBreakpoints(journal, 't', [{ tool: 'pay' }])
  const { seq = 0 } = (await journal.head('t')) ?? {}
  const { thread } = await clerk.fork(`t@${seq}`)
  expect(fold(thread, await eventsOf(journal, thread)).breakpoints).toEqual([])
})

test('breakpoints that say nothing, or what is none, are refused', async () => {
  const { journal, clerk } = world()
  await clerk.run('Go.', { thread: 't' })
  const wrong: readonly unknown[] = [
    [{}],
    [{ hook: 'never' }],
    [{ cost: -1 }],
    [{ depth: 0 }],
    [{ tool: 'a' }, { tool: 'a' }],

    'all',
  ]
  for (const breakpoints of wrong)
    await expect(setBreakpoints(journal, 't', breakpoints as never)).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  await expect(setBreakpoints(journal, 'none', [{ tool: 'a' }])).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
})
