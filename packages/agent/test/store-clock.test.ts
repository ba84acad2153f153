/** What processes record and compare follows the clock of their store, whatever their wall clocks say (CLOCK-4, CLOCK-5). */
import { type Agent, agent, approve, memoryJournal, questions, tool } from '@loom-agent/agent'
import type { Clock, Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { createStoreClock, setByHead } from '../src/platform/store-clock.ts'
import { createSystemClock } from '../src/platform/system-clock.ts'

const hour = 3_600_000
/** Longer than a sleep that is slept where the result is waited for. */
const moment = 120_000

/** A store whose clock is set by hand. */
function store() {
  const times = { now: 1_800_000_000_000 }
  return { times, journal: memoryJournal({ now: () => times.now }) }
}

/** The clock of a process that differs from the store's. It passes with the store's. */
const clockOf = (times: { readonly now: number }, ahead: number): Clock =>
  createSystemClock({ wall: () => times.now + ahead, monotonic: () => times.now })

const model = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'awake' : { calls: [{ tool: 'nap' }] }))

/** A process that sleeps for two hours of the store. */
function sleeper(journal: Journal, clock: Clock): Agent {
  const nap = tool({ name: 'nap', durable: true, effect: 'pure', run: (_, ctx) => ctx.sleep(2 * hour).then(() => 'rested') })
  return agent({ model: model(), tools: { nap }, journal, ports: { clock, development: false } })
}

const skews = [
  ['an hour ahead', hour],
  ['an hour behind', -hour],
] as const

describe.each(skews)('a process whose wall clock is %s', (_, ahead) => {
  test('records the end of a sleep by the clock of the store, and another process ends it in time', async () => {
    const { times, journal } = store()
    const slept = await sleeper(journal, clockOf(times, ahead)).run('rest', { thread: 't' })
    expect(slept).toMatchObject({ status: 'waiting', until: times.now + 2 * hour })
    const other = sleeper(journal, clockOf(times, 0))
    times.now += 2 * hour - moment
    expect(await other.recover()).toEqual([])
    times.now += moment
    expect(await other.recover()).toMatchObject([{ thread: 't', status: 'done' }])
  })

  test('ends the sleep of another process neither early nor late', async () => {
    const { times, journal } = store()
    await sleeper(journal, clockOf(times, 0)).run('rest', { thread: 't' })
    const other = sleeper(journal, clockOf(times, ahead))
    times.now += 2 * hour - moment
    expect(await other.recover()).toEqual([])
    expect(await other.resume('t').result()).toMatchObject({ status: 'waiting' })
    times.now += moment
    expect(await sleeper(journal, clockOf(times, ahead)).resume('t').result()).toMatchObject({ status: 'done' })
  })

  test('judges by the clock of the store whether a question has expired', async () => {
    const { times, journal } = store()
    const ask = tool({
      name: 'nap',
      durable: true,
      effect: 'pure',
      run: (__, ctx) => ctx.ask('May I?', { expires: 2 * hour }).then(({ kind }) => kind),
    })
    const asking = (clock: Clock): Agent => agent({ model: model(), tools: { nap: ask }, journal, ports: { clock, development: false } })
    await asking(clockOf(times, 0)).run('rest', { thread: 't' })
    times.now += 2 * hour - moment
    const [question] = await questions(journal)
    await asking(clockOf(times, ahead)).answer(question?.id ?? '', approve())
    expect((await asking(clockOf(times, 0)).resume('t').result()).status).toBe('done')
  })
})

test('an agent that was made from another has its clock', async () => {
  const { times, journal } = store()
  const first = sleeper(journal, clockOf(times, hour))
  expect(await first.with({ instructions: 'Be quick.' }).run('rest', { thread: 't' })).toMatchObject({ until: times.now + 2 * hour })
})

test('a store whose clock is set back does not make a sleep longer (CLOCK-5)', () => {
  const times = { wall: 1_800_000_000_000, elapsed: 0 }
  const clock = createStoreClock(createSystemClock({ wall: () => times.wall, monotonic: () => times.elapsed }))
  const head = (now: number) => ({ times: { now, began: 0, changed: 0 } })
  setByHead(clock, head(times.wall + hour))
  expect(clock.now()).toBe(times.wall + hour)
  times.wall += 60_000
  times.elapsed += 60_000
  setByHead(clock, head(times.wall - hour))
  expect(clock.now()).toBe(times.wall + hour)
})

test('a clock that differs by less than a second is left as it is: recorded times do not go back', () => {
  const times = { wall: 1_800_000_000_000 }
  const clock = createStoreClock(createSystemClock({ wall: () => times.wall, monotonic: () => 0 }))
  setByHead(clock, { times: { now: times.wall - 900, began: 0, changed: 0 } })
  expect(clock.now()).toBe(times.wall)
})
