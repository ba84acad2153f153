import { type Agent, agent, approve, isSignal, type RunEvent, tool, watch } from '@loom-agent/agent'
import type { EventOf, Journal, LoomEvent } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { slowTool } from '../../../test/support/slow-tool.ts'
import { eventsOf, factsOf } from './journals.ts'

const all = <T>(events: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(events)
const seqs = (events: readonly RunEvent[]): number[] => events.flatMap((event) => (isSignal(event) ? [] : [event.seq]))
const placeOf = (event: RunEvent): string => (isSignal(event) ? event.type : `${event.thread}@${event.seq}`)
const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const rest = { until: 'rest' } as const

/** The same journal, for watchers that are counted. */
function counted(journal: Journal): { journal: Journal; watchers(): number } {
  let watchers = 0
  const watched: Journal['watch'] = (thread, hint) => {
    watchers += 1
    const unwatch = journal.watch(thread, hint)
    return () => {
      watchers -= 1
      unwatch()
    }
  }
  return { journal: { ...journal, watch: watched }, watchers: () => watchers }
}

describe('watching never drives (LOOK-3)', () => {
  const refuses = () => scriptedModel([{ throws: Object.assign(new Error('no'), { isRetryable: false }) }, 'never asked'])
  const asks = () => scriptedModel([{ calls: [{ tool: 'pay' }] }, 'never asked'])
  const waiting = async (): Promise<[Agent, () => number]> => {
    const model = asks()
    const clerk = agent({ model, tools: [pay] })
    expect((await clerk.run('go', { thread: 't' })).status).toBe('waiting')
    return [clerk, () => model.requests.length]
  }
  const failed = async (): Promise<[Agent, () => number]> => {
    const model = refuses()
    const clerk = agent({ model })
    expect((await clerk.run('go', { thread: 't' })).status).toBe('failed')
    return [clerk, () => model.requests.length]
  }
  const paused = async (): Promise<[Agent, () => number]> => {
    const { slow, started, go } = slowTool()
    const model = scriptedModel([{ calls: [{ tool: 'slow' }] }, 'never asked'])
    const clerk = agent({ model, tools: [slow] })
    const run = clerk.start('go', { thread: 't' })
    await started
    await run.pause()
    go()
    expect(await run.result()).toMatchObject({ status: 'waiting', reason: 'paused' })
    return [clerk, () => model.requests.length]
  }

  test.each([
    ['waits', waiting],
    ['has failed', failed],
    ['is paused', paused],
  ])('a run that %s: 5 watchers that return cause no model call and no event', async (_, arrange) => {
    const [clerk, calls] = await arrange()
    const before = await eventsOf(clerk, 't')
    const asked = calls()
    for (let time = 0; time < 5; time += 1) {
      expect(await all(clerk.watch('t', rest))).toEqual(before)
      expect(await all(watch(clerk.journal, 't', rest))).toEqual(before)
      expect(await all(clerk.watch('t', { ...rest, from: before.length + 1 }))).toEqual([])
    }
    expect(calls()).toBe(asked)
    expect(await eventsOf(clerk, 't')).toEqual(before)
    expect((await clerk.journal.head('t'))?.holder).toBeUndefined()
  })

  test('a thread whose driver is gone: it is watched, and nothing goes on', async () => {
    const model = scriptedModel(['One.', 'never asked'])
    const clerk = agent({ model })
    await clerk.run('go', { thread: 'whole' })
    const [started, ran] = await eventsOf(clerk, 'whole')
    const events = [started, ran].map((event) => event as LoomEvent)
    const { incarnation = '' } = (events[0] as EventOf<'thread.started'>).data
    await clerk.journal.append('t', { id: 'b', incarnation, expected: 0, time: 0, summary: { status: 'running' }, events })
    const before = await eventsOf(clerk, 't')
    const watching = clerk.watch('t', rest)
    for (const event of before) expect((await watching.next()).value).toEqual(event)
    const pending = watching.next()
    await soon()
    await watching.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(await eventsOf(clerk, 't')).toEqual(before)
    expect(model.requests).toHaveLength(1)
  })
})

describe('a watched thread', () => {
  test('is shown from any seq on: every event once, in order, and none before', async () => {
    const clerk = agent({ model: scriptedModel([{ calls: [{ tool: 'look' }] }, 'ok']), tools: [look] })
    await clerk.run('go', { thread: 't' })
    const events = await eventsOf(clerk, 't')
    for (let from = 1; from <= events.length + 1; from += 1) {
      expect(await all(clerk.watch('t', { ...rest, from }))).toEqual(events.slice(from - 1))
      expect(await all(watch(clerk.journal, 't', { ...rest, from }))).toEqual(events.slice(from - 1))
    }
  })

  test('is shown live, with signals between the events where this agent drives it, and without them elsewhere', async () => {
    const { slow, started, go } = slowTool()
    const clerk = agent({ model: scriptedModel([{ calls: [{ tool: 'slow' }] }, 'All is done.']), tools: [slow] })
    const run = clerk.start('go', { thread: 't' })
    await started
    const watched = [clerk.watch('t', rest), watch(clerk.journal, 't', rest)]
    const firsts = await Promise.all(watched.map(async (events) => (await events.next()).value as RunEvent))
    const [here, elsewhere] = watched.map(async (events, index) => [firsts[index] as RunEvent, ...(await all(events))])
    go()
    await run.result()
    const recorded = await eventsOf(clerk, 't')
    expect(await elsewhere).toEqual(recorded)
    const seen = (await here) ?? []
    expect(seqs(seen)).toEqual(recorded.map(({ seq }) => seq))
    const types = seen.map(({ type }) => type)
    expect(types.lastIndexOf('text-delta')).toBeGreaterThan(types.lastIndexOf('model.requested'))
    expect(types.lastIndexOf('text-delta')).toBeLessThan(types.lastIndexOf('model.replied'))
  })

  test('is followed over its runs until the iterator is returned, also one that waits for the next event', async () => {
    const clerk = agent({ model: scriptedModel(['One.', 'Two.']) })
    const { journal, watchers } = counted(clerk.journal)
    await clerk.run('first', { thread: 't' })
    const events = agent({ model: scriptedModel('never asked'), journal }).watch('t')
    const seen: LoomEvent[] = []
    const until = async (type: string, run: string): Promise<void> => {
      for (;;) {
        const { value } = await events.next()
        if (!isSignal(value)) seen.push(value)
        if (value.type === type && value.run === run) return
      }
    }
    await until('run.finished', 'r1')
    await Promise.all([clerk.run('second', { thread: 't' }), until('run.finished', 'r2')])
    expect(seen).toEqual(await eventsOf(clerk, 't'))
    const pending = events.next()
    await events.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(watchers()).toBe(0)
  })

  test('is watched until a signal is aborted', async () => {
    const clerk = agent({ model: scriptedModel('One.') })
    const { journal, watchers } = counted(clerk.journal)
    await clerk.run('first', { thread: 't' })
    const controller = new AbortController()
    let count = 0
    for await (const event of watch(journal, 't', { signal: controller.signal })) {
      count += 1
      if (event.type === 'run.finished') controller.abort()
    }
    expect(count).toBe((await eventsOf(clerk, 't')).length)
    expect(watchers()).toBe(0)
    expect(await all(watch(journal, 't', { signal: controller.signal }))).toEqual([])
  })

  test('leaves no listener and no timer when the iteration ends by itself (LOOK-4)', async () => {
    const clerk = agent({ model: scriptedModel('One.') })
    await clerk.run('first', { thread: 't' })
    const { journal, watchers } = counted(clerk.journal)
    const clock = manualClock()
    const watcher = agent({ model: scriptedModel('never asked'), journal, ports: { clock } })
    watcher.watch('t')
    expect(watchers()).toBe(0)
    await all(watcher.watch('t', { ...rest, nested: true }))
    expect(watchers()).toBe(0)
    expect(clock.timers).toBe(0)
  })

  test('must exist, and watching ends with an error when it is removed', async () => {
    const clerk = agent({ model: scriptedModel('One.') })
    await expect(all(clerk.watch('nobody'))).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(all(watch(clerk.journal, 'nobody', rest))).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await clerk.run('first', { thread: 't' })
    const events = clerk.watch('t')
    await events.next()
    await clerk.journal.remove('t')
    await clerk.run('other', { thread: 't' }).catch(() => {})
    await expect(all(events)).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  })

  test('gives every caller of next its own item, in order, however many ask at once', async () => {
    const clerk = agent({ model: scriptedModel('One.') })
    await clerk.run('first', { thread: 't' })
    const recorded = await eventsOf(clerk, 't')
    const events = clerk.watch('t', rest)
    const items = await Promise.all(Array.from({ length: recorded.length + 2 }, () => events.next()))
    expect(items.map(({ value }) => value)).toEqual([...recorded, undefined, undefined])
  })

  test('is named and cut by valid options only', () => {
    const clerk = agent({ model: scriptedModel('One.') })
    for (const wrong of [{ from: 0 }, { from: 1.5 }, { nested: 1 }, { until: 'done' }, { signal: 1 }])
      expect(() => clerk.watch('t', wrong as never)).toThrowError(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
    expect(() => clerk.watch('a@b')).toThrowError(expect.objectContaining({ code: 'LOOM_THREAD_INVALID' }))
    expect(() => watch({} as never, 't')).toThrowError(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
  })
})

describe('a watch until rest', () => {
  test('ends with the last queued run', async () => {
    const { slow, started, go } = slowTool()
    const clerk = agent({ model: scriptedModel([{ calls: [{ tool: 'slow' }] }, 'One.', 'Two.']), tools: [slow] })
    const first = clerk.start('first', { thread: 't' })
    await started
    const second = clerk.start('second', { thread: 't' })
    for await (const event of clerk.watch('t')) if (event.type === 'run.queued') break
    const seen = all(watch(clerk.journal, 't', rest))
    go()
    await Promise.all([first.result(), second.result()])
    expect((await seen).at(-1)).toMatchObject({ type: 'run.finished', run: 'r2' })
  })

  test('does not end while a child works, and ends when the child asks', async () => {
    const { slow, started, go } = slowTool()
    const child = agent({
      name: 'child',
      model: scriptedModel([{ calls: [{ tool: 'slow' }] }, { calls: [{ tool: 'pay' }] }, 'ok']),
      tools: [slow, pay],
    })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'ok']), tools: [child] })
    const run = boss.start('go', { thread: 't' })
    await started
    const events = boss.watch('t', { ...rest, nested: true })
    const seen: RunEvent[] = []
    for (;;) {
      const { value } = await events.next()
      seen.push(value)
      if (value.type === 'model.replied' && value.thread !== 't') break
    }
    go()
    seen.push(...(await all(events)))
    expect(seen.some(({ type, thread }) => type === 'question.asked' && thread !== 't')).toBe(true)
    expect((await run.result()).status).toBe('waiting')
  })
})

describe('a nested watch (LOOK-1)', () => {
  const ask = (name: string) => ({ calls: [{ tool: name, input: { prompt: 'go' } }] })
  const tree = () => {
    const leaf = agent({ name: 'leaf', model: scriptedModel([{ calls: [{ tool: 'pay' }] }, 'leaf']), tools: [pay] })
    const child = agent({ name: 'child', model: scriptedModel([ask('leaf'), 'child']), tools: [leaf] })
    return agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child] })
  }
  const grow = async (): Promise<{ boss: Agent; line: readonly string[] }> => {
    const boss = tree()
    const { questions } = await boss.run('go', { thread: 't' })
    const childOf = async (thread: string) => (await factsOf(boss, thread, 'child.started'))[0]?.data.child ?? ''
    const child = await childOf('t')
    const line = ['t', child, await childOf(child)]
    expect(questions).toHaveLength(1)
    return { boss, line }
  }
  const inOrder = (seen: readonly RunEvent[]): void => {
    const at = (type: string, thread: string) =>
      seen.findIndex((event) => event.type === type && 'data' in event && (event.data as { child?: string }).child === thread)
    const threads = new Set(seen.map(({ thread }) => thread))
    for (const thread of threads) {
      const own = seen.flatMap((event, index) => (event.thread === thread ? [index] : []))
      if (thread === 't') continue
      expect(own[0]).toBeGreaterThan(at('child.started', thread))
      expect(own.at(-1)).toBeLessThan(at('child.finished', thread))
    }
  }

  test('shows every event of the tree once, each child between its start and its end, live and afterwards', async () => {
    const { boss, line } = await grow()
    const live = all(boss.watch('t', { nested: true, ...rest }))
    expect((await live).map(placeOf)).toHaveLength((await Promise.all(line.map((thread) => eventsOf(boss, thread)))).flat().length)
    const [question] = (await boss.resume('t').result()).questions
    const events = boss.watch('t', { nested: true })
    const seen: RunEvent[] = []
    const watching = (async () => {
      for await (const event of events) {
        seen.push(event)
        if (event.type === 'run.finished' && event.thread === 't') break
      }
    })()
    await boss.answer(question?.id ?? '', approve())
    await watching
    const recorded = (await Promise.all(line.map((thread) => eventsOf(boss, thread)))).flat()
    for (const shown of [seen.filter((event) => !isSignal(event)), await all(watch(boss.journal, 't', { nested: true, ...rest }))]) {
      expect(shown.map(placeOf).toSorted()).toEqual(recorded.map(placeOf).toSorted())
      inOrder(shown)
    }
  })

  test('that continues from a seq misses nothing of the thread and repeats nothing of it; open children are shown from their first event', async () => {
    const { boss, line } = await grow()
    const own = await eventsOf(boss, 't')
    const started = own.find(({ type }) => type === 'child.started')?.seq ?? 0
    const nested = (await Promise.all(line.slice(1).map((thread) => eventsOf(boss, thread)))).flat()
    for (let from = 1; from <= own.length + 1; from += 1) {
      const seen = await all(watch(boss.journal, 't', { nested: true, from, ...rest }))
      expect(seen.filter(({ thread }) => thread === 't')).toEqual(own.slice(from - 1))
      expect(
        seen
          .filter(({ thread }) => thread !== 't')
          .map(placeOf)
          .toSorted(),
      ).toEqual(nested.map(placeOf).toSorted())
    }
    expect(started).toBeGreaterThan(0)
  })

  test('shows nothing of a stranger’s thread under the id of a child', async () => {
    const { boss, line } = await grow()
    const [, child = ''] = line
    const head = await boss.journal.head(child)
    const journal: Journal = {
      ...boss.journal,
      head: async (thread) => (thread === child && head ? { ...head, summary: { ...head.summary, parent: undefined } } : boss.journal.head(thread)),
    }
    const seen = await all(watch(journal, 't', { nested: true, ...rest }))
    expect(new Set(seen.map(({ thread }) => thread))).toEqual(new Set(['t']))
  })
})
