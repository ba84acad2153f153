/**
 * Copies that are not whole (JOURNAL-22): the past of a fork where only the fork was imported, and a thread whose driver went on while it was migrated.
 * They are read like any other thread, and whatever would change them is refused, so that no effect of the whole thread happens a second time.
 */
import {
  type Agent,
  adopt,
  agent,
  answer,
  approve,
  memoryJournal,
  pause,
  questions,
  setLabels,
  signal,
  steer,
  stop,
  tool,
  watch,
} from '@loom-agent/agent'
import { exportThread, importThread, migrate, verify } from '@loom-agent/journals'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eachJournal } from './each-journal.ts'
import { allOf, eventsOf } from './events.ts'

/** Mails that were sent, by the journal that they were sent from. */
type Mails = string[]

interface Clerk {
  readonly journal: Journal
  readonly mails: Mails
  readonly where: string
  readonly isAsked?: boolean
  readonly gate?: { readonly enter: () => void; readonly open: Promise<void> }
}

function clerkOn({ journal, mails, where, isAsked, gate }: Clerk): Agent {
  const run = async (): Promise<string> => {
    mails.push(where)
    gate?.enter()
    await gate?.open
    return 'sent'
  }
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'mail' }] }))
  return agent({ name: 'clerk', journal, model, tools: { mail: tool({ run, ...(isAsked && { permission: 'ask' }) }) } })
}

const released = (journal: Journal): Promise<void> => until(async () => (await journal.threads()).every(({ holder }) => holder === undefined))

/** A thread that has sent its mail, and in another journal its fork from before that, with the past that the fork reads. */
async function forked(open: () => Journal): Promise<{ from: Journal; to: Journal; mails: Mails }> {
  const [from, to] = [open(), open()]
  const mails: Mails = []
  const clerk = clerkOn({ journal: from, mails, where: 'here' })
  await clerk.run('Mail Ann.', { thread: 'order', id: 'event-1' })
  await clerk.fork('order@7', { thread: 'what-if', limits: { tokens: 1000 }, effects: 'stub' })
  await released(from)
  await importThread(to, exportThread(from, 'what-if'))
  return { from, to, mails }
}

/** A thread whose mail is being sent, copied as far as that is allowed. `end` lets the mail be sent. */
async function halfMigrated(open: () => Journal): Promise<{ from: Journal; to: Journal; mails: Mails; end: () => Promise<void> }> {
  const [from, to] = [open(), open()]
  const mails: Mails = []
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const clerk = clerkOn({ journal: from, mails, where: 'here', gate: { enter: entered.resolve, open: gate.promise } })
  const running = clerk.run('Mail Ann.', { thread: 'order', id: 'event-1' })
  await entered.promise
  expect((await migrate(from, to)).driven).toHaveLength(1)
  const end = async (): Promise<void> => {
    gate.resolve()
    await running
    await released(from)
  }
  return { from, to, mails, end }
}

/** Everything that would change a thread, by agents and with the journal alone. */
const changes: readonly [name: string, change: (journal: Journal, clerk: Agent) => Promise<unknown>][] = [
  ['resume', (_, clerk) => clerk.resume('order').result()],
  ['run', (_, clerk) => clerk.run('Mail Bob.', { thread: 'order' })],
  ['a start that is made again', (_, clerk) => clerk.run('Mail Ann.', { thread: 'order', id: 'event-1' })],
  ['stop of the agent', (_, clerk) => clerk.stop('order')],
  ['signal of the agent', (_, clerk) => clerk.signal('order', 'paid', 1)],
  ['setLabels', (journal) => setLabels(journal, 'order', { team: 'red' })],
  ['steer', (journal) => steer(journal, 'order', 'Hurry.')],
  ['signal', (journal) => signal(journal, 'order', 'paid', 1)],
  ['pause', (journal) => pause(journal, 'order')],
  ['stop', (journal) => stop(journal, 'order')],
]

describe.each(eachJournal())('a copy that is not whole: %s', (_name, open) => {
  test('nothing changes the past of an imported fork, no mail is sent again, and importing the thread itself makes it whole', async () => {
    const { from, to, mails } = await forked(open)
    const clerk = clerkOn({ journal: to, mails, where: 'there' })
    const before = JSON.stringify(await eventsOf(to, 'order'))
    for (const [name, change] of changes) {
      await expect(change(to, clerk), name).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED', context: { thread: 'order' } })
      expect(
        (await clerk.recover()).map(({ thread }) => thread),
        name,
      ).not.toContain('order')
    }
    expect(await to.head('order')).toMatchObject({ seq: 7, summary: { status: 'partial', agent: 'clerk' } })
    expect(JSON.stringify(await eventsOf(to, 'order'))).toBe(before)
    expect(mails).toEqual(['here'])
    await importThread(to, exportThread(from, 'order'))
    expect(JSON.stringify(await eventsOf(to, 'order'))).toBe(JSON.stringify(await eventsOf(from, 'order')))
    expect((await clerk.run('Mail Ann.', { thread: 'order', id: 'event-1', adopt: true })).status).toBe('done')
    expect(mails).toEqual(['here'])
    expect((await clerk.run('Mail Bob.', { thread: 'order' })).status).toBe('done')
    expect(mails).toEqual(['here', 'there'])
  })

  test('nothing changes a thread that is migrated while it is driven, and migrating again makes it whole', async () => {
    const { from, to, mails, end } = await halfMigrated(open)
    const clerk = clerkOn({ journal: to, mails, where: 'there' })
    for (const [name, change] of changes) await expect(change(to, clerk), name).rejects.toMatchObject({ code: 'LOOM_THREAD_PARTIAL' })
    expect(await clerk.recover()).toEqual([])
    await end()
    expect(await migrate(from, to)).toMatchObject({ threads: 1, driven: [] })
    expect((await to.head('order'))?.summary.status).toBe('done')
    expect(mails).toEqual(['here'])
  })

  test('a copy is read, watched, verified, exported and forked', async () => {
    const { from, to, mails } = await forked(open)
    expect((await eventsOf(to, 'what-if')).length).toBe((await eventsOf(from, 'what-if')).length)
    expect((await allOf(watch(to, 'order', { until: 'rest' }))).length).toBe(7)
    expect((await allOf(verify(to))).filter(({ thread }) => thread !== undefined)).toEqual([])
    expect((await to.threads({ status: 'partial' })).map(({ thread }) => thread)).toEqual(['order'])
    const third = open()
    expect(await importThread(third, exportThread(to, 'order'))).toMatchObject({ seq: 7, summary: { status: 'partial' } })
    const clerk = clerkOn({ journal: to, mails, where: 'there' })
    expect((await clerk.fork('order@5', { thread: 'second', limits: { tokens: 1000 }, effects: 'stub' })).thread).toBe('second')
  })
})

test('what a copy asks is in no list of questions, and an answer to it is refused', async () => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  const mails: Mails = []
  const clerk = clerkOn({ journal: from, mails, where: 'here', isAsked: true })
  await clerk.run('Mail Ann.', { thread: 'order' })
  const cut = (await from.head('order'))?.seq
  const [question] = await questions(from)
  await clerk.fork(`order@${cut}`, { thread: 'what-if', limits: { tokens: 1000 }, effects: 'stub' })
  await importThread(to, exportThread(from, 'what-if'))
  expect((await questions(to)).filter(({ thread }) => thread === 'order')).toEqual([])
  expect(await questions(to, { thread: 'order' })).toEqual([])
  await expect(answer(to, question?.id ?? '', approve())).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
  await expect(adopt(to, 'order')).rejects.toMatchObject({ code: 'LOOM_THREAD_PARTIAL' })
  expect((await clerkOn({ journal: to, mails, where: 'there', isAsked: true }).recover()).map(({ thread }) => thread)).not.toContain('order')
  expect(mails).toEqual([])
})

test.each([
  ['importing the thread', 'IMPORT-5', (from: Journal, to: Journal) => importThread(to, exportThread(from, 'order'))],
  ['migrating the thread', 'MIGRATE-6', (from: Journal, to: Journal) => migrate(from, to, { threads: ['order'] })],
])('a copy that has all events of a thread that waits is made whole by %s, and goes on with its answer (%s)', async (_, __, move) => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  const mails: Mails = []
  const clerk = clerkOn({ journal: from, mails, where: 'here', isAsked: true })
  await clerk.run('Mail Ann.', { thread: 'order' })
  await clerk.fork(`order@${(await from.head('order'))?.seq}`, { thread: 'what-if', limits: { tokens: 1000 }, effects: 'stub' })
  await importThread(to, exportThread(from, 'what-if'))
  expect((await to.head('order'))?.summary.status).toBe('partial')
  await move(from, to)
  expect((await to.head('order'))?.summary.status).toBe('waiting')
  expect((await allOf(verify(to))).filter(({ thread }) => thread !== undefined)).toEqual([])
  const [question] = await questions(to, { thread: 'order' })
  const there = clerkOn({ journal: to, mails, where: 'there', isAsked: true })
  await there.answer(question?.id ?? '', approve(), { adopt: true })
  expect((await there.resume('order').result()).status).toBe('done')
  expect(mails).toEqual(['there'])
  assertHistory(await eventsOf(to, 'order'))
})

test('a copy that was made whole by migrating its thread is the same when the thread is migrated again, until one of them goes on (MIGRATE-6)', async () => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  const clerk = clerkOn({ journal: from, mails: [], where: 'here', isAsked: true })
  await clerk.run('Mail Ann.', { thread: 'order' })
  await clerk.fork(`order@${(await from.head('order'))?.seq}`, { thread: 'what-if', limits: { tokens: 1000 }, effects: 'stub' })
  await importThread(to, exportThread(from, 'what-if'))
  expect(await migrate(from, to)).toMatchObject({ skipped: 2, driven: [] })
  expect(await migrate(from, to)).toMatchObject({ skipped: 2, driven: [] })
  await steer(from, 'order', 'Hurry.')
  await expect(migrate(from, to)).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNUSABLE', message: expect.stringContaining('order@') })
})
