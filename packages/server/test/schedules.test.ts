/** Scheduled starts, over the time of a store that the test sets. */
import { agent, memoryJournal } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { getSchedule, listSchedules, pauseSchedule, removeSchedule, resumeSchedule, setSchedule } from '../src/schedule/schedules.ts'
import { startDue } from '../src/schedule/start-due.ts'

const minute = 60_000
const hour = 60 * minute
const monday = Date.UTC(2026, 10, 23)

/** A journal whose time the test sets, with an agent that answers at once. */
function world(start = monday) {
  const clock = { now: start }
  const journal = memoryJournal({ now: () => clock.now })
  const clerkOf = (of: Journal) => agent({ name: 'clerk', model: scriptedModel(() => 'Done.'), journal: of })
  const clerk = clerkOf(journal)
  const look = async (time?: number) => {
    if (time !== undefined) clock.now = time
    const errors: unknown[] = []
    const looked = await startDue([clerk], { onError: (error) => errors.push(error) })
    expect(errors).toEqual([])
    return looked
  }
  return { clock, journal, clerk, clerkOf, look }
}

/** The due times that have a run, by the ids of the starts that threads have recorded. */
async function startsOf(journal: Journal): Promise<readonly string[]> {
  const found: string[] = []
  for (const { thread } of await journal.threads({ agent: 'clerk' })) {
    for (const event of await eventsOf(journal, thread)) {
      if ((event.type === 'run.started' || event.type === 'run.queued') && 'request' in event.data) found.push(event.data.request.start?.id ?? '')
    }
  }
  return found.map((id) => id.replace(/^schedule:\w+:/, '')).sort()
}

const iso = (time: number): string => new Date(time).toISOString()

describe('a schedule', () => {
  test('starts one run for each due time, with what it was set with, and says what is next', async () => {
    const { journal, clerk, look } = world()
    const set = await setSchedule(journal, 'report', {
      agent: 'clerk',
      input: 'Write it.',
      every: '0 8 * * 1-5',
      zone: 'UTC',
      metadata: { team: 'a' },
    })
    expect(set.next.map(iso)).toEqual(['2026-11-23T08:00:00.000Z', '2026-11-24T08:00:00.000Z', '2026-11-25T08:00:00.000Z'])
    await look(monday + 8 * hour - 1)
    expect(await startsOf(journal)).toEqual([])
    await look(monday + 8 * hour)
    await look(monday + 8 * hour)
    expect(await startsOf(journal)).toEqual(['2026-11-23T08:00:00.000Z'])
    const thread = 'report/2026-11-23T08:00:00.000Z'
    expect((await clerk.resume(thread).result()).text).toBe('Done.')
    const [started] = (await eventsOf(journal, thread)).filter(({ type }) => type === 'run.started')
    expect(started?.data).toMatchObject({ request: { metadata: { team: 'a', schedule: 'report', due: monday + 8 * hour } } })
    const now = await getSchedule(journal, 'report')
    expect(now.last).toEqual([{ time: monday + 8 * hour, thread, run: 'r1' }])
    expect(iso(now.next[0] ?? 0)).toBe('2026-11-24T08:00:00.000Z')
  })

  test('of one moment starts once, and is done', async () => {
    const { journal, look } = world()
    await setSchedule(journal, 'once', { agent: 'clerk', input: 'Go.', at: monday + hour })
    await look(monday + hour)
    await look(monday + 3 * hour)
    expect(await startsOf(journal)).toEqual([iso(monday + hour)])
    expect((await getSchedule(journal, 'once')).next).toEqual([])
    expect(await journal.threads({ dueBy: monday + 1000 * hour })).toEqual([])
    // The program that sets it starts again.
    await setSchedule(journal, 'once', { agent: 'clerk', input: 'Go.', at: monday + hour })
    await expect(setSchedule(journal, 'once', { agent: 'clerk', input: 'Go again.', at: monday + hour })).rejects.toMatchObject({
      code: 'LOOM_SCHEDULE_INVALID',
    })
  })

  test('on one thread queues its runs, or records that the thread was busy', async () => {
    const { journal, clock } = world()
    let answer: (() => void) | undefined
    const slow = agent({
      name: 'clerk',
      model: scriptedModel(
        () =>
          new Promise<string>((resolve) => {
            answer = () => resolve('Late.')
          }),
      ),
      journal,
    })
    await setSchedule(journal, 'busy', { agent: 'clerk', input: 'Go.', every: '1m', thread: 'one', whenBusy: 'reject' })
    for (const time of [monday + minute, monday + 2 * minute]) {
      clock.now = time
      await startDue([slow])
    }
    expect((await getSchedule(journal, 'busy')).last).toEqual([
      { time: monday + 2 * minute, error: { code: 'LOOM_THREAD_BUSY', message: expect.any(String) } },
    ])
    expect(await startsOf(journal)).toEqual([iso(monday + minute)])
    answer?.()
  })

  test('set again without a change goes on, and with one starts what is asked from then on', async () => {
    const { journal, clock, look } = world()
    const first = { agent: 'clerk', input: 'One.', every: '1m' } as const
    await setSchedule(journal, 'tick', first)
    clock.now = monday + 30_000
    await setSchedule(journal, 'tick', first)
    expect((await journal.head('schedule:tick'))?.seq).toBe(2)
    await look(monday + minute)
    expect(await startsOf(journal)).toEqual([iso(monday + minute)])
    await setSchedule(journal, 'tick', { ...first, input: 'Two.' })
    await look(monday + 2 * minute)
    const [input] = (await eventsOf(journal, `tick/${iso(monday + 2 * minute)}`)).filter(({ type }) => type === 'run.started')
    expect(JSON.stringify(input?.data)).toContain('Two.')
  })

  test('that is paused starts nothing, and what came meanwhile is not made up for', async () => {
    const { journal, clock, look } = world()
    await setSchedule(journal, 'tick', { agent: 'clerk', input: 'Go.', every: '1m', missed: 'all' })
    expect(await pauseSchedule(journal, 'tick', { by: 'ann' })).toMatchObject({ paused: true, next: [] })
    await look(monday + 10 * minute)
    expect(await startsOf(journal)).toEqual([])
    clock.now = monday + 10 * minute + 1
    expect((await resumeSchedule(journal, 'tick')).next[0]).toBe(monday + 11 * minute)
    await look(monday + 11 * minute)
    expect(await startsOf(journal)).toEqual([iso(monday + 11 * minute)])
  })

  test('is listed, and gone when it is removed; its runs stay', async () => {
    const { journal, look } = world()
    for (const name of ['b', 'a']) await setSchedule(journal, name, { agent: 'clerk', input: 'Go.', every: '1m' })
    await look(monday + minute)
    expect((await Array.fromAsync(listSchedules(journal))).map(({ name }) => name)).toEqual(['a', 'b'])
    await removeSchedule(journal, 'a')
    await look(monday + 2 * minute)
    expect((await Array.fromAsync(listSchedules(journal))).map(({ name }) => name)).toEqual(['b'])
    expect(await startsOf(journal)).toEqual([minute, minute, 2 * minute].map((time) => iso(monday + time)))
    await expect(getSchedule(journal, 'a')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(removeSchedule(journal, 'a')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  })

  const wrong: readonly (readonly [string, string, object])[] = [
    ['no name', '', {}],
    ['a name that leads elsewhere', 'a#b', {}],
    ['neither a moment nor a rhythm', 'x', { every: undefined }],
    ['both', 'x', { at: monday + 1 }],
    ['a moment that has passed', 'x', { every: undefined, at: monday - 1 }],
    ['a rhythm without a pause', 'x', { every: '0s' }],
    ['a rhythm that nobody can read', 'x', { every: 'often' }],
    ['a zone that is not there', 'x', { every: '0 8 * * *', zone: 'Mars/North' }],
    ['a zone without a use', 'x', { zone: 'UTC' }],
    ['an end that has passed', 'x', { until: monday - 1 }],
    ['a field that nobody knows', 'x', { often: true }],
    ['an endless number of starts', 'x', { missed: 'all', most: 1e9 }],
    ['more than may be kept', 'x', { input: 'x'.repeat(300_000) }],
  ]
  test.each(wrong)('is refused with %s', async (_, name, options) => {
    const { journal } = world()
    const given = { agent: 'clerk', input: 'Go.', every: '1m', ...options } as Parameters<typeof setSchedule>[2]
    await expect(setSchedule(journal, name, given)).rejects.toMatchObject({ code: expect.stringMatching(/^LOOM_(SCHEDULE|OPTION)_/) })
    expect(await Array.fromAsync(listSchedules(journal))).toEqual([])
  })

  test('does not take the thread of somebody else', async () => {
    const { journal, clerk } = world()
    await clerk.run('Hi', { thread: 'schedule:mine' })
    await expect(setSchedule(journal, 'mine', { agent: 'clerk', input: 'Go.', every: '1m' })).rejects.toMatchObject({ code: 'LOOM_SCHEDULE_INVALID' })
    await setSchedule(journal, 'own', { agent: 'clerk', input: 'Go.', every: '1m' })
    await expect(clerk.run('Hi', { thread: 'schedule:own' })).rejects.toMatchObject({ code: 'LOOM_AGENT_OTHER' })
  })
})

describe('what was missed', () => {
  const missed: readonly (readonly ['skip' | 'once' | 'all', readonly number[]])[] = [
    ['skip', [180]],
    ['once', [179, 180]],
    ['all', [178, 179, 180]],
  ]
  test.each(missed)('is made up for as %s says, however long nobody was there', async (how, minutes) => {
    const { journal, look } = world()
    await setSchedule(journal, 'tick', { agent: 'clerk', input: 'Go.', every: '1m', missed: how, most: 2, grace: 30_000 })
    await look(monday + 180 * minute + 10_000)
    expect(await startsOf(journal)).toEqual(minutes.map((n) => iso(monday + n * minute)))
    const due = (await eventsOf(journal, 'schedule:tick')).filter(({ type }) => type === 'schedule.due')
    expect(due).toMatchObject([{ data: { skipped: { from: monday + minute } } }])
  })

  test('a clock that jumps ahead and comes back starts no due time twice, and goes on where it was', async () => {
    const { journal, look } = world()
    await setSchedule(journal, 'tick', { agent: 'clerk', input: 'Go.', every: '1m', missed: 'all', most: 1000 })
    await look(monday + minute)
    await look(monday + 30 * minute)
    await look(monday + 2 * minute)
    await look(monday + 29 * minute)
    const expected = Array.from({ length: 30 }, (_, n) => iso(monday + (n + 1) * minute))
    expect(await startsOf(journal)).toEqual(expected)
    await look(monday + 31 * minute)
    expect(await startsOf(journal)).toEqual([...expected, iso(monday + 31 * minute)])
  })

  test('a night in which the clocks change has each local time once', async () => {
    const start = Date.UTC(2027, 2, 27, 12)
    const { journal, look } = world(start)
    await setSchedule(journal, 'night', { agent: 'clerk', input: 'Go.', every: '30 2 * * *', zone: 'Europe/Berlin' })
    for (let time = start; time < start + 72 * hour; time += 20 * minute) await look(time)
    expect(await startsOf(journal)).toEqual(['2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z', '2027-03-30T00:30:00.000Z'])
  })
})

describe('processes that start what is due', () => {
  test('at the same time start each due time once', async () => {
    const { journal, clerkOf, clock } = world()
    const agents = Array.from({ length: 4 }, () => clerkOf(journal))
    await setSchedule(journal, 'tick', { agent: 'clerk', input: 'Go.', every: '1s', missed: 'all', most: 1000, grace: 0 })
    for (let n = 1; n <= 10; n += 1) {
      clock.now = monday + n * 3000
      await Promise.all(agents.map((one) => startDue([one])))
    }
    expect(await startsOf(journal)).toEqual(Array.from({ length: 30 }, (_, n) => iso(monday + (n + 1) * 1000)))
  })

  test('look at the journals of all their agents', async () => {
    const [one, other] = [world(), world()]
    for (const { journal } of [one, other]) await setSchedule(journal, 'tick', { agent: 'clerk', input: 'Go.', every: '1m' })
    one.clock.now = monday + minute
    other.clock.now = monday + minute
    await startDue([one.clerk, other.clerk])
    for (const { journal } of [one, other]) expect(await startsOf(journal)).toEqual([iso(monday + minute)])
  })

  test('leave alone what belongs to an agent that they do not have', async () => {
    const { journal, look } = world()
    await setSchedule(journal, 'other', { agent: 'somebody', input: 'Go.', every: '1m' })
    await look(monday + 5 * minute)
    expect((await journal.head('schedule:other'))?.seq).toBe(2)
  })

  test('carry out what another one has decided and not begun, after each append at which it may have ended', async () => {
    for (let fatal = 1; fatal <= 6; fatal += 1) {
      const { journal, clerkOf, clock } = world()
      await setSchedule(journal, 'tick', { agent: 'clerk', input: 'Go.', every: '1m', missed: 'all' })
      let left = fatal
      const dying: Journal = {
        ...journal,
        async append(thread, batch) {
          if (left === 0) throw new Error('gone')
          left -= 1
          return journal.append(thread, batch)
        },
      }
      clock.now = monday + 2 * minute
      await startDue([clerkOf(dying)], { onError: () => {} })
      expect(await startsOf(journal)).not.toContain(iso(monday + 3 * minute))
      clock.now = monday + 3 * minute
      await startDue([clerkOf(journal)])
      expect([fatal, await startsOf(journal)]).toEqual([fatal, [1, 2, 3].map((n) => iso(monday + n * minute))])
      expect((await getSchedule(journal, 'tick')).last.every((run) => 'run' in run)).toBe(true)
    }
  })
})
