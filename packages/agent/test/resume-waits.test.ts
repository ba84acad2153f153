/** RESUME-1: one resume is enough, whatever the former driver of the thread is still at. */
import { type Agent, agent, type Hook, memoryJournal, pause, setLabels, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { checkHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const points = ['beforeModelCall', 'afterModelReply', 'beforeToolExecution', 'afterToolExecution'] as const

/** Something that is entered and then waits until it is opened. */
function gate() {
  const [entered, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pass = (): Promise<void> => {
    entered.resolve()
    return open.promise
  }
  return { entered: entered.promise, open: open.resolve, pass }
}

const looking = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Seen.' : { calls: [{ tool: 'look' }] }))
const look = tool({ effect: 'read', run: () => 'x' })

describe.each(points)('a run that is paused while its hook %s is at work', (point) => {
  /** The run, its driver and another agent of the same journal. */
  async function paused() {
    const journal = memoryJournal()
    const { entered, open, pass } = gate()
    const hook: Hook = { [point]: pass }
    const create = (): Agent => agent({ name: 'a', model: looking(), tools: { look }, hooks: [hook], journal })
    const driver = create()
    driver.start('go', { thread: 't' })
    await entered
    await pause(journal, 't')
    await until(async () => (await typesOf(journal, 't')).includes('run.suspended'))
    return { journal, driver, other: create(), open }
  }

  test.each(['driver', 'other'] as const)('goes on by one resume, when the hook has returned (of the %s agent)', async (who) => {
    const { journal, open, ...agents } = await paused()
    const result = agents[who].resume('t').result()
    await idle()
    open()
    expect(await result).toMatchObject({ status: 'done', text: 'Seen.' })
    expect(await factsOf(journal, 't', 'run.resumed')).toHaveLength(1)
    expect(checkHistory(await eventsOf(journal, 't'))).toEqual([])
  })

  test('is resumed once by two that ask at once', async () => {
    const { journal, driver, other, open } = await paused()
    const results = [driver, other].map((one) => one.resume('t').result())
    await idle()
    open()
    expect(await Promise.all(results)).toMatchObject([{ status: 'done' }, { status: 'done' }])
    expect(await factsOf(journal, 't', 'run.resumed')).toHaveLength(1)
  })

  test('ends when the waiting resume is stopped', async () => {
    const { other, open } = await paused()
    const resumed = other.resume('t')
    await idle()
    await resumed.stop('Enough.')
    open()
    expect(await resumed.result()).toMatchObject({ status: 'stopped', reason: 'Enough.' })
  })

  test('is not resumed by a process that drains: its error says to ask another one', async () => {
    const { journal, other, open } = await paused()
    const result = expect(other.resume('t').result()).rejects.toMatchObject({ code: 'LOOM_DRAINING', context: { asked: 'not stored' } })
    await idle()
    await other.drain()
    await result
    open()
    expect(await factsOf(journal, 't', 'run.resumed')).toHaveLength(0)
  })
})

describe('a run that failed, and is not released yet', () => {
  /** A journal that releases a thread when its gate is opened. */
  function slowToRelease(journal: Journal) {
    const { open, pass } = gate()
    const slow: Journal = { ...journal, release: (...lease) => pass().then(() => journal.release(...lease)) }
    return { slow, open }
  }

  async function failed() {
    const journal = memoryJournal()
    const { slow, open } = slowToRelease(journal)
    let isBroken = true
    const refused = Object.assign(new Error('bad key'), { statusCode: 401 })
    const create = (): Agent => agent({ name: 'a', model: scriptedModel(() => (isBroken ? { throws: refused } : 'Hi.')), journal: slow })
    const driver = create()
    expect(await driver.run('go', { thread: 't' })).toMatchObject({ status: 'failed' })
    isBroken = false
    return { journal, driver, other: create(), open }
  }

  test.each(['driver', 'other'] as const)('goes on by one resume, also where the thread gets a label meanwhile (of the %s agent)', async (who) => {
    const { journal, open, ...agents } = await failed()
    const result = agents[who].resume('t').result()
    await idle()
    await setLabels(journal, 't', { seen: 'yes' })
    await idle()
    open()
    expect(await result).toMatchObject({ status: 'done', text: 'Hi.' })
    expect(checkHistory(await eventsOf(journal, 't'))).toEqual([])
  })

  test('is not resumed when the next run was started meanwhile: the result is that of the run which was to be resumed', async () => {
    const { journal, driver, other, open } = await failed()
    const result = other.resume('t').result()
    await idle()
    const next = driver.run('again', { thread: 't' })
    await until(async () => (await factsOf(journal, 't', 'run.started')).length === 2)
    open()
    expect(await next).toMatchObject({ status: 'done', run: 'r2' })
    expect(await result).toMatchObject({ status: 'failed', run: 'r1' })
    expect(await factsOf(journal, 't', 'run.resumed')).toHaveLength(0)
  })
})
