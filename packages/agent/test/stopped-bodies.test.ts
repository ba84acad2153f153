/** DURABLE-12: a stop ends a durable body that goes on to begin something, without a grace period, at any depth. */
import { agent, type DurableContext, tool } from '@loom-agent/agent'
import { checkHistory, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const leaf = agent({ name: 'leaf', model: scriptedModel('leaf') })

const next: readonly (readonly [string, (ctx: DurableContext) => Promise<unknown>])[] = [
  ['a step', (ctx) => ctx.step('second', () => 2)],
  ['a step that only reads', (ctx) => ctx.step('second', () => 2, { effect: 'read' })],
  ['a child', (ctx) => ctx.run(leaf, 'x')],
  ['a question', (ctx) => ctx.ask('Next?')],
  ['a sleep', (ctx) => ctx.sleep(1_000_000)],
  ['a wait', (ctx) => ctx.waitFor('news')],
  ['two of them at once', (ctx) => Promise.all([ctx.run(leaf, 'x'), ctx.step('second', () => 2)])],
]

/** An agent whose tool takes a step until it is let go, and then goes on. The clock stands still: no grace period ever ends. */
function worker(goOn: (ctx: DurableContext) => Promise<unknown>) {
  const gate = Promise.withResolvers<void>()
  const ports = { clock: manualClock(1) }
  const works = tool({
    name: 'works',
    durable: true,
    async run(_, ctx) {
      await ctx.step('first', () => gate.promise)
      return goOn(ctx)
    },
  })
  const clerk = agent({ name: 'clerk', model: scriptedModel([{ calls: [{ tool: 'works' }] }, 'end']), tools: [works], ports })
  const boss = agent({ name: 'boss', model: scriptedModel([{ calls: [{ tool: 'clerk', input: { prompt: 'x' } }] }, 'end']), tools: [clerk], ports })
  return { clerk, boss, letGo: gate.resolve }
}

describe.each(next)('a stop during a step that is followed by %s', (_, goOn) => {
  test('ends the run as soon as the step has ended (found: it took the whole grace period)', async () => {
    const { clerk, letGo } = worker(goOn)
    const run = clerk.start('go', { thread: 't' })
    await until(async () => (await typesOf(clerk, 't')).includes('tool.step-started'))
    await run.stop('halt')
    letGo()
    const { status, steps } = await run.result()
    expect([status, steps[0]?.calls[0]?.output]).toEqual(['stopped', 'Cancelled: halt (completed before: step first #1)'])
    expect(checkHistory(await eventsOf(clerk, 't'))).toEqual([])
  })

  test('ends it in a child, whose outcome is known (found: the outcome was unknown, and the child still ran)', async () => {
    const { boss, letGo } = worker(goOn)
    const run = boss.start('go', { thread: 't' })
    await until(async () => (await typesOf(boss, 't')).includes('child.started'))
    const child = (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    await until(async () => (await typesOf(boss, child)).includes('tool.step-started'))
    await run.stop('halt')
    letGo()
    const { status, steps } = await run.result()
    expect([status, steps[0]?.calls[0]?.output]).toEqual(['stopped', '(The agent clerk stopped before it was done: halt)'])
    expect((await typesOf(boss, child)).at(-1)).toBe('run.stopped')
    expect(checkHistory(await eventsOf(boss, 't'))).toEqual([])
  })
})
