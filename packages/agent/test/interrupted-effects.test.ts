/** A call that is interrupted while it runs: what the model reads depends on whether it may have changed something, and on nothing else. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { manualClock, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf } from './journals.ts'

const changing = { pure: false, read: false, idempotent: true, reconcilable: true, unsafe: true }
const effects = Object.entries(changing) as [keyof typeof changing, boolean][]

/** An agent whose one call never ends by itself. */
function hanging(effect: keyof typeof changing, journal = memoryJournal()) {
  const clock = manualClock()
  const entered = Promise.withResolvers<void>()
  const run = (): Promise<never> => {
    entered.resolve()
    return new Promise(() => {})
  }
  const schedule = { timeout: 1000 }
  const call =
    effect === 'reconcilable'
      ? tool({ name: 'call', effect, schedule, run, check: () => ({ status: 'unknown' as const }) })
      : tool({ name: 'call', effect, schedule, run })
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'call' }] }))
  return {
    worker: agent({ name: 'worker', model, tools: [call], journal, behaviour: { grace: 20 }, ports: { clock } }),
    clock,
    entered: entered.promise,
  }
}

describe.each(effects)('a call of effect class "%s"', (effect, mayHaveChanged) => {
  const outcomeOf = async ({ worker }: ReturnType<typeof hanging>) => (await factsOf(worker, 't', 'tool.finished')).map(({ data }) => data)

  test(`that times out ${mayHaveChanged ? 'has an unknown outcome' : 'can be tried again'}`, async () => {
    const world = hanging(effect)
    const run = world.worker.run('go', { thread: 't' })
    await world.entered
    await world.clock.advance(1100)
    await run
    expect(await outcomeOf(world)).toMatchObject([{ errorType: mayHaveChanged ? 'outcome-unknown' : 'timeout' }])
  })

  test(`that is stopped ${mayHaveChanged ? 'has an unknown outcome' : 'is cancelled'}`, async () => {
    const world = hanging(effect)
    const run = world.worker.start('go', { thread: 't' })
    await world.entered
    const stopped = run.stop('enough')
    await world.clock.advance(100)
    await stopped
    await run.result()
    expect(await outcomeOf(world)).toMatchObject([{ errorType: mayHaveChanged ? 'outcome-unknown' : 'cancelled' }])
  })

  test(`whose process is lost before the run is stopped ${mayHaveChanged ? 'has an unknown outcome' : 'is cancelled'}`, async () => {
    const journal = memoryJournal()
    const process = mortalJournal(journal)
    const lost = hanging(effect, process.journal)
    lost.worker.start('go', { thread: 't' })
    await until(async () => (await factsOf(lost.worker, 't', 'tool.started')).length > 0)
    process.kill()
    const world = hanging(effect, mortalJournal(journal).journal)
    await world.worker.stop('t', 'enough')
    await world.worker.resume('t').result()
    expect(await outcomeOf(world)).toMatchObject([{ errorType: mayHaveChanged ? 'outcome-unknown' : 'cancelled' }])
  })
})
