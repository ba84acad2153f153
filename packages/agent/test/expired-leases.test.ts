/** A driver whose lease may have expired enters no body (CALL-3, LEASE-4): it ends as when it is fenced, and goes on under a new lease if it gets one. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { checkHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

/** A journal whose leases have expired at the given looks, as those of a process that stood still. */
function expiring(...looks: readonly number[]): { readonly journal: Journal; readonly looked: () => number } {
  const inner = memoryJournal()
  let looked = 0
  const leaseValid: Journal['leaseValid'] = (thread, lease) => {
    looked += 1
    return !looks.includes(looked) && inner.leaseValid(thread, lease)
  }
  return { journal: { ...inner, leaseValid }, looked: () => looked }
}

const calling = (...names: readonly string[]) =>
  scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'done' : { calls: names.map((name) => ({ tool: name })) }))

async function eventsOf(journal: Journal): Promise<readonly LoomEvent[]> {
  const events = await journal.read('t')
  expect(checkHistory(events)).toEqual([])
  return events
}

const epochsOf = (events: readonly LoomEvent[]): readonly number[] =>
  events.flatMap((event) => (event.type === 'driver.acquired' ? [event.data.epoch] : []))

describe('a driver that finds its lease expired', () => {
  test.each(['pure', 'read', 'idempotent'] as const)(
    'does not enter the body of a %s call, and enters it once under its next lease',
    async (effect) => {
      const { journal } = expiring(1)
      const keys: string[] = []
      const act = tool({ name: 'act', effect, run: (_, { key }) => keys.push(key) })
      const result = await agent({ model: calling('act'), tools: [act], journal }).run('go', { thread: 't' })
      expect([result.status, keys.length]).toEqual(['done', 1])
      expect(epochsOf(await eventsOf(journal))).toEqual([1, 2])
    },
  )

  test('leaves an unsafe call in doubt, whose intent is recorded: a human decides', async () => {
    const { journal } = expiring(1)
    let entered = 0
    const act = tool({ name: 'act', run: () => ++entered })
    const result = await agent({ model: calling('act'), tools: [act], journal }).run('go', { thread: 't' })
    expect([result.status, entered]).toEqual(['waiting', 0])
    expect((await eventsOf(journal)).map(({ type }) => type)).toContain('tool.in-doubt')
  })

  test('enters none of the calls of a turn that were about to start, and all of them later', async () => {
    const { journal } = expiring(2, 3)
    const entered: string[] = []
    const tools = ['a', 'b', 'c'].map((name) => tool({ name, effect: 'idempotent', run: () => entered.push(name) }))
    const result = await agent({ model: calling('a', 'b', 'c'), tools, journal }).run('go', { thread: 't' })
    expect(result.status).toBe('done')
    expect([...new Set(entered)].sort()).toEqual(['a', 'b', 'c'])
    await eventsOf(journal)
  })

  test('does not enter a step of a durable body, and enters it once under its next lease', async () => {
    const { journal } = expiring(2)
    let steps = 0
    const act = tool({ name: 'act', effect: 'idempotent', durable: true, run: (_, ctx) => ctx.step('one', () => ++steps) })
    const behaviour = { grace: 1 }
    const result = await agent({ model: calling('act'), tools: [act], journal, behaviour }).run('go', { thread: 't' })
    expect([result.status, steps]).toEqual(['done', 1])
    expect(epochsOf(await eventsOf(journal))).toEqual([1, 2])
  })

  test('follows the driver that has the thread now, and returns the result of that one', async () => {
    const inner = memoryJournal()
    const entered: string[] = []
    const working = (name: string, journal: Journal) => {
      const act = tool({ name: 'act', effect: 'idempotent', run: () => void entered.push(name) })
      return agent({ name: 'worker', model: calling('act'), tools: [act], journal })
    }
    let other: Promise<unknown> | undefined
    const frozen: Journal = {
      ...inner,
      async append(thread, batch) {
        const result = await inner.append(thread, batch)
        if (!batch.events.some(({ type }) => type === 'tool.started') || other) return result
        // While this process stands still its lease runs out, and another one takes the thread.
        const acquire: Journal['acquire'] = (name, claim) => inner.acquire(name, { ...claim, force: true })
        other = working('second', { ...inner, acquire })
          .resume('t')
          .result()
        await other
        return result
      },
    }
    const result = await working('first', frozen).run('go', { thread: 't' })
    expect([result.status, result.text, entered]).toEqual(['done', 'done', ['second']])
    expect(epochsOf(await eventsOf(inner))).toEqual([1, 2])
  })
})

test('an agent without calls never asks whether its lease is valid', async () => {
  const { journal, looked } = expiring()
  await agent({ model: scriptedModel('hello'), journal }).run('hi', { thread: 't' })
  expect(looked()).toBe(0)
})
