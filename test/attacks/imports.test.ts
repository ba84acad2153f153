/**
 * Exports from outside: an attacker writes the lines, with hashes that fit, and somebody imports them.
 *
 * What is imported is a record, and nothing else: it runs nothing, changes nothing that was there, and what is no record is refused.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, adopt, agent, answer, approve, memoryJournal, questions, setLabels, signal, steer, stop, tool } from '@loom-agent/agent'
import { importThread, migrate } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import { type Journal, readEvents } from '@loom-agent/kernel'
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { batchesOf, claim, dataOf, eventsIn, extend, type Section, sealed, sectionsOf } from './forged-export.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-imports-'))
const opened: Journal[] = []
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let paths = 0
const kept = (journal: Journal): Journal => {
  opened.push(journal)
  return journal
}
const journals: readonly (readonly [name: string, open: () => Journal])[] = [
  ['memory', () => memoryJournal()],
  ['file', () => kept(file(join(folder, String(paths++))))],
  ['sqlite', () => kept(sqlite(join(folder, String(paths++))))],
]

interface Office {
  readonly boss: Agent
  readonly model: ScriptedModel
  readonly done: string[]
}

/** A boss who pays after an approval, looks things up, and has a clerk who pays too. What happened is in `done`. */
function officeOn(journal: Journal): Office {
  const done: string[] = []
  const act = (name: string) => (): string => {
    done.push(name)
    return `${name} done`
  }
  const pay = tool({ name: 'pay', permission: 'ask', run: act('pay') })
  const look = tool({ name: 'look', effect: 'idempotent', run: act('look') })
  const nap = tool({
    name: 'nap',
    durable: true,
    run: async (_, ctx) => {
      await ctx.sleep(7 * 24 * 3600_000)
      return act('nap')()
    },
  })
  const replies = (name: string) =>
    scriptedModel(({ prompt }) => {
      const last = prompt.findLast(({ role }) => role === 'user')
      const said = JSON.stringify(last?.content ?? '')
      const named = ['pay', 'look', 'nap', 'clerk'].find((one) => said.includes(one) && one !== name)
      if (prompt.at(-1)?.role === 'tool' || named === undefined) return `Done by ${name}.`
      return { calls: [{ tool: named, input: named === 'clerk' ? { prompt: 'Please pay.' } : {} }] }
    })
  const clerk = agent({ name: 'clerk', model: replies('clerk'), tools: [pay] })
  const model = replies('boss')
  return { boss: agent({ name: 'boss', model, tools: [pay, look, nap, clerk], journal }), model, done }
}

/** The export of a thread that was run with an input. */
async function exported(input: string): Promise<Section[]> {
  const journal = memoryJournal()
  await officeOn(journal).boss.run(input, { thread: 't' })
  return sectionsOf(journal, 't')
}

const last = (sections: readonly Section[]): Section => sections.at(-1) ?? []
const answered = (id: unknown): [string, Record<string, unknown>, number] => ['question.answered', { id, answer: { kind: 'approve' } }, 2]

/** Imports lines if that is possible, and returns what happens when a process with the agent's code recovers. */
async function afterRecovery(journal: Journal, lines: readonly string[]): Promise<Office> {
  const office = officeOn(journal)
  await importThread(journal, lines).catch(() => undefined)
  expect(await office.boss.recover()).toEqual([])
  return office
}

const contents = async (journal: Journal, thread: string): Promise<string> =>
  JSON.stringify([(await journal.head(thread))?.summary, await Array.fromAsync(readEvents(journal, thread))])

describe.each(journals)('an import into a journal (%s)', (_name, open) => {
  it('pays nothing though its lines have an approval that nobody gave', async () => {
    const sections = await exported('Please pay.')
    extend(last(sections), [answered(dataOf(last(sections), 'question.asked')['id'])])
    claim(last(sections), { status: 'running' })
    const { done, model } = await afterRecovery(open(), sealed(sections))
    expect([done, model.requests.length]).toEqual([[], 0])
  })

  it('starts no run that its lines say was asked for', async () => {
    const sections = await exported('Please look.')
    const request = dataOf(last(sections), 'run.started')['request']
    extend(last(sections), [['run.started', { run: 'r2', request }, 2]], { run: 'r1' })
    claim(last(sections), { status: 'running' })
    const { done, model } = await afterRecovery(open(), sealed(sections))
    expect([done, model.requests.length]).toEqual([[], 0])
  })

  it('runs no call again that its lines say was begun', async () => {
    const sections = await exported('Please look.')
    const batches = batchesOf(last(sections))
    const at = batches.findIndex((line) => eventsIn(line).some(([type]) => type === 'tool.finished'))
    const place = last(sections).indexOf(batches[at] as Section[number])
    const section = last(sections).slice(0, place)
    const begun = section.findLast(({ body }) => typeof body === 'object' && 'events' in body)
    const started = batches.flatMap(eventsIn).some(([type]) => type === 'tool.started')
    expect(started).toBe(true)
    const cut = [...section, { body: { end: [], summary: { status: 'running', agent: 'boss' } }, head: begun?.head ?? ([0, 0] as const) }]
    const { done, model } = await afterRecovery(open(), sealed([cut]))
    expect([done, model.requests.length]).toEqual([[], 0])
  })

  it('wakes no body whose time has come', async () => {
    const sections = await exported('Please nap.')
    for (const line of batchesOf(last(sections))) {
      for (const [, data] of eventsIn(line)) if ('until' in data) data['until'] = 1
    }
    claim(last(sections), { wakeAt: 1 })
    const { done, model } = await afterRecovery(open(), sealed(sections))
    expect([done, model.requests.length]).toEqual([[], 0])
  })

  it('leaves threads that take no answer, no message and no new run', async () => {
    const journal = open()
    await importThread(journal, sealed(await exported('Please pay.')))
    const { boss, done, model } = officeOn(journal)
    const before = await contents(journal, 't')
    const [question] = await questions(journal, { thread: 't' })
    await expect(answer(journal, question?.id ?? '', approve())).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    await expect(steer(journal, 't', 'Hurry.')).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    await expect(boss.run('More.', { thread: 't' })).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect([done, model.requests.length, await contents(journal, 't')]).toEqual([[], 0, before])
  })

  it('gives nobody a result that its lines have added to a child of a thread that was there', async () => {
    const journal = open()
    const { boss, done } = officeOn(journal)
    await boss.run('The clerk, please.', { thread: 't' })
    const sections = await sectionsOf(journal, 't')
    const [child] = sections
    extend(child as Section, [answered(dataOf(child, 'question.asked')['id'])])
    claim(child, { status: 'running' })
    const before = await contents(journal, 't')
    await importThread(journal, sealed(sections)).catch(() => undefined)
    await boss.recover()
    expect([done, await contents(journal, 't')]).toEqual([[], before])
  })
})

describe('a thread that was imported', () => {
  const imported = async (input = 'Please pay.', isApproved = false): Promise<Office & { journal: Journal }> => {
    const journal = memoryJournal()
    const sections = await exported(input)
    if (isApproved) extend(last(sections), [answered(dataOf(last(sections), 'question.asked')['id'])])
    await importThread(journal, sealed(sections))
    return { ...officeOn(journal), journal }
  }

  it('is not resumed by an agent that has not adopted it', async () => {
    const { boss, model, done } = await imported('Please pay.', true)
    await expect(boss.resume('t').result()).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect([done, model.requests.length]).toEqual([[], 0])
  })

  it.each(['Please pay.', 'Please look.'])('is not resumed where there is nothing to drive, and nobody is asked about it (%s)', async (prompt) => {
    const journal = memoryJournal()
    await importThread(journal, sealed(await exported(prompt)))
    const asked: string[] = []
    const onQuestion = ({ prompt: words }: { readonly prompt: string }) => {
      asked.push(words)
      return approve()
    }
    const { boss } = officeOn(journal)
    for (const options of [{}, { onQuestion }])
      await expect(boss.resume('t', options).result()).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect(asked).toEqual([])
  })

  it('takes no new run', async () => {
    const { boss, model } = await imported('Hello.')
    await expect(boss.run('More.', { thread: 't' })).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect(model.requests).toEqual([])
  })

  it('takes no answer', async () => {
    const { boss, journal, done } = await imported()
    const [question] = await questions(journal, { thread: 't' })
    await expect(answer(journal, question?.id ?? '', approve())).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    await expect(boss.answer(question?.id ?? '', approve())).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect(done).toEqual([])
  })

  it.each(['Please pay.', 'The clerk, please.'])(
    'is in no list of open questions, unless its thread is named, until it is adopted (%s)',
    async (prompt) => {
      const { journal } = await imported(prompt)
      const fork = await officeOn(journal).boss.fork(`t@${(await journal.head('t'))?.seq}`, { effects: 'live', limits: { tokens: 1_000_000 } })
      const listed = async () => [...(await questions(journal)), ...(await questions(journal, { agent: 'boss' }))].length
      expect(await listed()).toBe(0)
      expect(await questions(journal, { thread: 't' })).toHaveLength(1)
      await journal.remove(fork.thread)
      expect(await adopt(journal, 't')).toBe(true)
      expect(await listed()).toBe(2)
    },
  )

  it('takes no message, signal, label or stop', async () => {
    const { journal } = await imported()
    const before = await contents(journal, 't')
    const labels = () => setLabels(journal, 't', { a: 1 })
    const writes = [() => steer(journal, 't', 'Hurry.'), () => signal(journal, 't', 'paid', 1), labels, () => stop(journal, 't')]
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect(await contents(journal, 't')).toBe(before)
  })

  it('has forks that run nothing either', async () => {
    const { boss, journal, done, model } = await imported()
    const fork = await boss.fork(`t@${(await journal.head('t'))?.seq}`, { effects: 'live', limits: { tokens: 1_000_000 } })
    await expect(fork.resume().result()).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    const again = await boss.fork(`${fork.thread}@${(await journal.head(fork.thread))?.seq}`, { effects: 'live', limits: { tokens: 1_000_000 } })
    await expect(again.resume().result()).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    await boss.recover()
    expect([done, model.requests.length]).toEqual([[], 0])
  })

  it('has children that take no answer', async () => {
    const { journal, done } = await imported('The clerk, please.')
    const [question] = await questions(journal, { thread: 't' })
    await expect(answer(journal, question?.id ?? '', approve())).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect(done).toEqual([])
  })

  it('stays so when it is migrated, and when it is opened again', async () => {
    const { journal } = await imported('Please pay.', true)
    const path = join(folder, 'again')
    const first = sqlite(path)
    await migrate(journal, first)
    await first.close()
    const { boss, done } = officeOn(kept(sqlite(path)))
    await expect(boss.resume('t').result()).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    expect(done).toEqual([])
  })

  it('goes on once an agent has adopted it, with its children', async () => {
    const { boss, done, journal } = await imported('The clerk, please.')
    const waiting = await boss.resume('t', { adopt: true }).result()
    expect(waiting.status).toBe('waiting')
    await boss.answer(waiting.questions[0]?.id ?? '', approve())
    expect((await boss.resume('t').result()).status).toBe('done')
    expect([done, (await journal.threads()).filter(({ summary }) => 'quarantined' in summary)]).toEqual([['pay'], []])
  })
})

describe('a thread that was there before', () => {
  it('is not continued by lines', async () => {
    const journal = memoryJournal()
    const { boss, done } = officeOn(journal)
    await boss.run('Please pay.', { thread: 't' })
    const sections = await sectionsOf(journal, 't')
    extend(last(sections), [answered(dataOf(last(sections), 'question.asked')['id'])])
    const before = await contents(journal, 't')
    await expect(importThread(journal, sealed(sections))).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNUSABLE' })
    await boss.recover()
    expect([done, await contents(journal, 't')]).toEqual([[], before])
  })

  it('gets no child from lines', async () => {
    const journal = memoryJournal()
    const { boss } = officeOn(journal)
    await boss.run('Please pay.', { thread: 'victim' })
    const sections = await exported('Please look.')
    const parent = { thread: 'victim', incarnation: (await journal.head('victim'))?.incarnation, call: '1.0', key: 'k', depth: 1 }
    dataOf(last(sections), 'thread.started')['parent'] = parent
    claim(last(sections), { parent: 'victim' })
    await expect(importThread(journal, sealed(sections))).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNUSABLE' })
    expect(await journal.threads({ parent: 'victim' })).toEqual([])
  })
})
