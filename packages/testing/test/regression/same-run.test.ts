import net from 'node:net'
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { assertSameRun, type RunDivergence, scriptedModel } from '@loom-agent/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Fixture } from '../../src/regression/fixture.ts'
import { scenarios } from './all-scenarios.ts'
import { add, agentOf, calls, fixtureOf, look, record, runs, type Scenario } from './scenarios.ts'

const fixtures = new Map<Scenario, Fixture>()

beforeAll(async () => {
  for (const scenario of scenarios) fixtures.set(scenario, await record(scenario))
})

const recorded = (scenario: Scenario): Fixture => fixtures.get(scenario) as Fixture
const named = (name: string): Scenario => scenarios.find((scenario) => scenario.name === name) as Scenario

/** The fixture as it would have been had the root been written earlier: with those children that had started. */
function cutAt(fixture: Fixture, end: number): Fixture {
  const started = new Set([fixture.thread])
  const threads = fixture.threads.flatMap((recorded) => {
    const events = recorded.thread === fixture.thread ? recorded.events.slice(0, end) : recorded.events
    if (!started.has(recorded.thread) || events.length === 0) return []
    for (const { data } of events) if ('child' in data) started.add(data.child)
    return [{ ...recorded, events }]
  })
  return { ...fixture, threads }
}

describe('a run of an agent that has not changed is the same', () => {
  test.each(scenarios)('$name', async (scenario) => {
    const fixture = recorded(scenario)
    expect(fixture.threads[0]?.requests.length).toBeGreaterThan(0)
    await assertSameRun(agentOf(scenario), fixture)
    await assertSameRun(agentOf(scenario), JSON.parse(JSON.stringify(fixture)))
  })

  test.each(scenarios)('$name, wherever its record ends', async (scenario) => {
    const fixture = recorded(scenario)
    const length = fixture.threads[0]?.events.length ?? 0
    for (let end = 2; end < length; end += 1) await assertSameRun(agentOf(scenario), cutAt(fixture, end))
  })
})

describe('a replay', () => {
  test('opens no socket, runs no tool and no step, and calls no model', async () => {
    let done = 0
    const count = (): string => {
      done += 1
      return 'done'
    }
    const scenario: Scenario = {
      name: 'counted',
      says: [calls('act', 'errand'), 'Done.'],
      options: () => ({
        tools: { act: tool({ run: count }), errand: tool({ durable: true, run: (_input, ctx) => ctx.step('act', count) }) },
        observers: [count],
      }),
      play: runs(),
    }
    const fixture = await record(scenario)
    expect(done).toBeGreaterThan(2)
    done = 0
    const { connect } = net.Socket.prototype
    net.Socket.prototype.connect = () => {
      throw new Error('A socket was opened.')
    }
    const asked = scriptedModel('never asked')
    try {
      await assertSameRun(agentOf(scenario, { model: asked }), fixture)
    } finally {
      net.Socket.prototype.connect = connect
    }
    expect([done, asked.requests.length]).toEqual([0, 0])
  })

  test('may have 50 turns', async () => {
    const says = (turn: number) => (turn < 50 ? calls(['add', { a: turn, b: 1 }], ['pay', { sum: turn }]) : 'Done.')
    const scenario: Scenario = {
      name: 'long',
      says: [(_request, number) => says(number) as never],
      options: () => ({ tools: { add, pay: tool({ name: 'pay', input: z.object({ sum: z.number() }), run: ({ sum }) => sum }) } }),
      play: runs(),
    }
    const fixture = await record(scenario)
    expect(fixture.threads[0]?.requests.length).toBe(50)
    await assertSameRun(agentOf(scenario), fixture)
  })

  test('leaves nothing behind', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length
    const before = timers()
    for (const scenario of scenarios) await assertSameRun(agentOf(scenario), recorded(scenario))
    expect(timers()).toBeLessThanOrEqual(before)
  })

  test('compares what the model is sent, message by message and setting by setting', async () => {
    const scenario = named('tools side by side')
    const fixture = recorded(scenario)
    const tampered = (change: (text: string) => string): Fixture => JSON.parse(change(JSON.stringify(fixture))) as Fixture
    const altered = tampered((text) =>
      text.replace(
        '"requests":[{"turn":1,"rebased":true,"messages":[{"role":"system"',
        '"requests":[{"turn":1,"rebased":true,"messages":[{"role":"user"',
      ),
    )
    await expect(assertSameRun(agentOf(scenario), altered)).rejects.toMatchObject({
      step: 'turn 1, request.messages.0.role',
      recorded: 'user',
      replayed: 'system',
    })
    const warmer = tampered((text) => text.replace('"settings":{}', '"settings":{"temperature":1}'))
    await expect(assertSameRun(agentOf(scenario), warmer)).rejects.toMatchObject({ step: 'turn 1, request.settings.temperature', recorded: 1 })
  })

  test('that is stuck says what was expected, and waits for the code of the agent no longer than it may', async () => {
    const scenario = named('hooks that change something')
    const stuck = agentOf(scenario, { hooks: [{ beforeModelCall: () => new Promise(() => {}) }] })
    const divergence = (await assertSameRun(stuck, recorded(scenario), { patience: 50 }).catch((error: unknown) => error)) as RunDivergence
    // The clock of a replay goes on when nothing happens: what never ends uses up the time of the run.
    expect(divergence).toMatchObject({ step: 'turn 1, hook.applied', replayed: { 'run.stop-requested': { limit: 'time' } } })
  })
})

test('a divergence of long values shows where they differ', async () => {
  const scenario = named('tools side by side')
  const instructions = (end: string): string => `${'Be kind. '.repeat(300)}${end}`
  const fixture = await record({ ...scenario, options: () => ({ ...scenario.options(), instructions: instructions('Be brief.') }) })
  const changed = agentOf(scenario, { instructions: instructions('Be thorough.') })
  const { message } = (await assertSameRun(changed, fixture).catch((error: unknown) => error)) as RunDivergence
  expect(message).toMatch(/recorded: \.\.\..*Be kind\. Be brief\." \(from character 2\d\d\d of 2\d\d\d\)\n/)
  expect(message).toMatch(/now: {6}\.\.\..*Be kind\. Be thorough\." \(from character 2\d\d\d of 2\d\d\d\)\n/)
  expect(message.length).toBeLessThan(1000)
})

describe('what a record does not have is given', () => {
  test('dependencies', async () => {
    const journal = memoryJournal()
    const greet = tool<{ name: string }>()({ durable: true, run: (_input, { deps }) => `Hello ${deps.name}` })
    const options = { name: 'player', tools: { greet } }
    await agent<{ name: string }>()({ ...options, model: scriptedModel([calls('greet'), 'Done.']), journal }).run('Go.', {
      thread: 'thread',
      deps: { name: 'Ann' },
    })
    const fixture = await fixtureOf(journal)
    const same = agent<{ name: string }>()({ ...options, model: scriptedModel('never asked') })
    await expect(assertSameRun(same, fixture)).rejects.toMatchObject({ code: 'LOOM_DEPS_MISSING' })
    await assertSameRun(same, fixture, { given: { deps: { name: 'Ann' } } })
    await expect(assertSameRun(same, fixture, { given: { deps: { name: 'Bob' } } })).rejects.toMatchObject({
      step: 'turn 1, call 1.0, tool.finished.output.value',
      recorded: 'Hello Ann',
      replayed: 'Hello Bob',
    })
  })

  test('settings, limits and tools of a run', async () => {
    const journal = memoryJournal()
    const given = { settings: { temperature: 0 }, limits: { turns: 7 }, tools: { look } }
    await agent({ name: 'player', model: scriptedModel([calls(['look', { at: 'a' }]), 'Done.']), journal }).run('Go.', { thread: 'thread', ...given })
    const player = agent({ name: 'player', model: scriptedModel('never asked') })
    const fixture = await fixtureOf(journal)
    await expect(assertSameRun(player, fixture)).rejects.toMatchObject({ step: 'run r1, run.started.request.settings' })
    await assertSameRun(player, fixture, { given })
    const { tools } = given
    await expect(fixtureOf(journal, player)).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_REPLAYABLE' })
    const checked = await fixtureOf(journal, player, { tools })
    await assertSameRun(player, checked, { given: { tools } })
    expect(checked.given).toEqual({ r1: { settings: { temperature: 0 }, limits: { turns: 7 } } })
  })
})

describe('what is refused', () => {
  test('something that is no fixture', async () => {
    const player = agentOf(named('steering'))
    await expect(assertSameRun(player, {})).rejects.toThrow('This is no fixture')
    await expect(assertSameRun(player, { format: 9 })).rejects.toThrow('has the format 9')
    await expect(assertSameRun(player, { format: 1, threads: [] })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })
})
