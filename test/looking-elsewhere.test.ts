/** Looking and contributing through a journal object of one's own, on the database that another one drives: as a server without the agent does. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { scriptedModel } from '@loom-agent/testing'
import { type Agent, agent, answer, approve, type Journal, questions, requestAt, sqlite, steer, stop, tool, watch } from 'loom-agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { slowTool } from './support/slow-tool.ts'
import { eventsOf, factsOf } from './support/threads.ts'

let folder = ''
const opened: Journal[] = []
const open = (): Journal => {
  const journal = sqlite(join(folder, 'loom.db'))
  opened.push(journal)
  return journal
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looking-'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((journal) => journal.close()))
  await rm(folder, { recursive: true })
})

const until = async (journal: Journal, type: string): Promise<void> => {
  for await (const event of watch(journal, 't')) if (event.type === type) return
}

describe('through another journal object', () => {
  test('every event of a run under way is seen once, in order, until it rests; a child’s within its call', async () => {
    const { slow, started, go } = slowTool()
    const child = agent({ name: 'child', model: scriptedModel([{ calls: [{ tool: 'slow' }] }, 'child']), tools: [slow] })
    const model = scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'ok'])
    const boss: Agent = agent({ model, tools: [child], journal: open() })
    const run = boss.start('go', { thread: 't' })
    await started
    const elsewhere = open()
    const events = watch(elsewhere, 't', { nested: true, until: 'rest' })
    const first = await events.next()
    go()
    const seen = [first.value, ...(await Array.fromAsync(events))]
    expect((await run.result()).status).toBe('done')
    const own = await eventsOf(boss, 't')
    const [begun] = await factsOf(boss, 't', 'child.started')
    const nested = await eventsOf(boss, begun?.data.child ?? '')
    expect(seen.filter(({ thread }) => thread === 't')).toEqual(own)
    expect(seen.filter(({ thread }) => thread !== 't')).toEqual(nested)
    const at = (type: string) => seen.findIndex((event) => event.type === type && event.thread === 't')
    const inside = seen.flatMap(({ thread }, index) => (thread === 't' ? [] : [index]))
    expect(inside[0]).toBeGreaterThan(at('child.started'))
    expect(inside.at(-1)).toBeLessThan(at('child.finished'))
    const [, last] = await factsOf(boss, 't', 'model.requested')
    expect((await requestAt(elsewhere, `t@${last?.seq}`)).request.prompt).toEqual(model.requests[1]?.prompt)
  })

  test('a message and a stop reach the process that drives the thread', async () => {
    const { slow, started } = slowTool()
    const clerk = agent({ model: scriptedModel([{ calls: [{ tool: 'slow' }] }]), tools: [slow], journal: open() })
    const run = clerk.start('go', { thread: 't' })
    await started
    const elsewhere = open()
    await steer(elsewhere, 't', 'Hurry.')
    await stop(elsewhere, 't', 'Enough.')
    expect(await run.result()).toMatchObject({ status: 'stopped', reason: 'Enough.' })
    expect(await factsOf(clerk, 't', 'message.steered')).toHaveLength(1)
  })

  test('an answer moves a thread on that recovery looks after', async () => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const model = scriptedModel([{ calls: [{ tool: 'pay' }] }, 'Paid.'])
    const clerk = agent({ model, tools: [pay], journal: open() })
    await clerk.run('go', { thread: 't' })
    const ending = new AbortController()
    const recovering = clerk.recover({ every: 10, signal: ending.signal })
    const elsewhere = open()
    const [question] = await questions(elsewhere)
    await answer(elsewhere, question?.id ?? '', approve({ by: 'ann' }))
    await until(elsewhere, 'run.finished')
    ending.abort()
    await recovering
    expect(model.requests).toHaveLength(2)
  })
})

describe('looking a thousand times', () => {
  const looks = 1000
  const ask = (name: string) => ({ calls: [{ tool: name, input: { prompt: 'go' } }] })
  const clerk = (journal: Journal): Agent => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const child = agent({ name: 'child', model: scriptedModel([{ calls: [{ tool: 'pay' }] }, 'never']), tools: [pay] })
    return agent({ model: scriptedModel([ask('child'), 'never']), tools: [child], journal })
  }
  /** Every kind of look, in turn. */
  const look = async (boss: Agent, time: number): Promise<void> => {
    const from = { t: (time % 9) + 1 }
    if (time % 4 === 0) await Array.fromAsync(watch(boss.journal, 't', { nested: true, until: 'rest', from }))
    else if (time % 4 === 1) await Array.fromAsync(boss.watch('t', { nested: true, until: 'rest' }))
    else if (time % 4 === 2) await questions(boss.journal, { thread: 't' })
    else for await (const _ of boss.watch('t', { nested: true, from })) break
  }

  test('writes nothing to the database: no append, no claim, no heartbeat (LOOK-3)', async () => {
    const first = open()
    expect((await clerk(first).run('go', { thread: 't' })).status).toBe('waiting')
    await first.close()
    opened.splice(0)
    const boss = clerk(open())
    await look(boss, 0)
    const connection = new DatabaseSync(join(folder, 'loom.db'), { readOnly: true })
    const version = () => connection.prepare('PRAGMA data_version').get()
    const before = version()
    for (let time = 0; time < looks; time += 1) await look(boss, time)
    expect(version()).toEqual(before)
    // A write is noticed, whatever it writes.
    await steer(boss.journal, 't', 'By the way.')
    expect(version()).not.toEqual(before)
    connection.close()
  })

  test('at a run under way appends, acquires and releases nothing', async () => {
    const { slow, started, go } = slowTool()
    const journal = open()
    const child = agent({ name: 'child', model: scriptedModel([{ calls: [{ tool: 'slow' }] }, 'child']), tools: [slow] })
    const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child], journal })
    const run = boss.start('go', { thread: 't' })
    await started
    const used: string[] = []
    const noted = <T extends 'append' | 'acquire' | 'release'>(name: T): Pick<Journal, T> =>
      ({ [name]: (...given: unknown[]) => used.push(name) && (Reflect.apply(journal[name] as () => unknown, journal, given) as unknown) }) as Pick<
        Journal,
        T
      >
    const other = agent({ model: scriptedModel('never'), journal: { ...journal, ...noted('append'), ...noted('acquire'), ...noted('release') } })
    for (let time = 0; time < looks; time += 1) {
      for await (const event of time % 2 === 0 ? other.watch('t', { nested: true }) : watch(other.journal, 't', { nested: true })) {
        if (event.thread !== 't') break
      }
    }
    go()
    expect((await run.result()).status).toBe('done')
    expect(used).toEqual([])
  })
})
