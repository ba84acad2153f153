/** Lines that are no record of Loom's, with hashes that fit: each is refused with its line and a reason, and nothing of it is kept. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { importThread } from '@loom-agent/journals'
import { isLoomError, type Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import {
  batchesOf,
  bodyOf,
  claim,
  dataOf,
  digestOf,
  eventOf,
  eventsIn,
  extend,
  headerOf,
  nested,
  type Section,
  sealed,
  sectionsOf,
} from './forged-export.ts'

/** The export of a thread with two turns, a call of a child that asks, and a fork of it. */
async function exported(thread = 't'): Promise<Section[]> {
  const journal = memoryJournal()
  const look = tool({ name: 'look', run: () => 'seen' })
  const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
  const clerk = agent({ name: 'clerk', model: scriptedModel({ calls: [{ tool: 'pay' }] }), tools: [pay] })
  const model = scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? { calls: [{ tool: 'clerk', input: { prompt: 'Pay.' } }] } : { calls: [{ tool: 'look' }] },
  )
  const boss = agent({ name: 'boss', model, tools: [look, clerk], journal })
  await boss.run('Hello.', { thread: 't' })
  await boss.fork('t@5', { thread: 'f' })
  return sectionsOf(journal, thread)
}

const last = (sections: readonly Section[]): Section => sections.at(-1) ?? []

/** Replaces a line by a text that is made of its JSON. */
function rewritten(section: Section, change: (json: string) => string): void {
  const line = batchesOf(section).at(-1)
  if (line) line.body = change(JSON.stringify(line.body))
}

type Forgery = (sections: Section[]) => void

const broken: Readonly<Record<string, Forgery>> = {
  // Text.
  'values that are nested 100,000 deep': (all) =>
    rewritten(last(all), (json) => json.replace('"summary":{', `"summary":{"labels":{"a":${nested(100_000)}},`)),
  'an event that is nested 10,000 deep': (all) =>
    extend(last(all), [['memory.recorded', { key: 'k', value: JSON.parse(nested(2000)) as unknown }]], { deep: JSON.parse(nested(2000)) }),
  'a header that is nested deep': (all) => {
    const line = last(all)[0]
    if (line) line.body = `${JSON.stringify(line.body).slice(0, -1)},"x":${nested(200_000)}}`
  },
  'a key that is there twice': (all) => rewritten(last(all), (json) => json.replace('"v":2,', '"v":2,"time":1,')),
  'a number that is no number': (all) => rewritten(last(all), (json) => json.replace(/"time":\d+/, '"time":1e999')),
  'a number in another form': (all) => rewritten(last(all), (json) => json.replace(/"time":(\d+)/, '"time":$1.0')),
  'half a surrogate pair': (all) => rewritten(last(all), (json) => json.replace('"id":"', '"id":"\ud800')),
  'blanks between its values': (all) => rewritten(last(all), (json) => json.replace('"v":2,', '"v": 2,')),
  // Batches.
  'a batch whose events are an object': (all) =>
    rewritten(last(all), (json) => json.replace(/"events":\[.*\],"summary"/, '"events":{"length":1},"summary"')),
  'a batch id that is used twice': (all) => {
    const [first, ...rest] = batchesOf(last(all))
    bodyOf(rest.at(-1))['id'] = bodyOf(first)['id']
  },
  'a text that belongs nowhere': (all) => {
    const digest = digestOf(new TextEncoder().encode('text'))
    const line = batchesOf(last(all)).at(-1)
    const place = last(all).indexOf(line as Section[number])
    const before = last(all)[place - 1]?.head ?? [0, 0]
    const { id, v, ...rest } = bodyOf(line)
    if (line) line.body = { id, v, blobs: [[digest, 0, 1, 'none', 'deeper', 0]], ...rest }
    const data = eventsIn(line)[0]?.[1]
    if (data) data['none'] = { deeper: null }
    last(all).splice(place, 0, { body: { blob: digest, base64: Buffer.from('text').toString('base64') }, head: before })
  },
  'a blob under another name than its digest': (all) => {
    last(all).splice(1, 0, { body: { blob: 'photo', base64: 'AQID' }, head: [0, 0] })
  },
  'a line of no kind': (all) => last(all).splice(1, 0, { body: { grant: { all: true } }, head: [0, 0] }),
  // Events.
  'a type that no version has': (all) => extend(last(all), [['policy.replaced', { allow: '*' }]]),
  'an event of version 0': (all) => extend(last(all), [['memory.recorded', { key: 'k', value: 1 }, 0]]),
  'a prototype among the fields of an event': (all) =>
    extend(last(all), [['labels.changed', JSON.parse('{"labels":{},"__proto__":{"polluted":true}}') as Record<string, unknown>]]),
  'labels that are a text': (all) => extend(last(all), [['labels.changed', { labels: 'all' as never }]]),
  'a name of an agent that no database can keep': (all) => {
    dataOf(last(all), 'thread.started')['agent'] = 'boss\u0000'
  },
  'a result without an output': (all) => {
    delete dataOf(last(all), 'tool.finished')['output']
  },
  'a reply whose parts are no list': (all) => {
    dataOf(last(all), 'model.replied')['parts'] = { length: 1 }
  },
  'a request without limits': (all) => {
    delete (dataOf(last(all), 'run.started')['request'] as Record<string, unknown>)['limits']
  },
  'tokens that are a text': (all) => {
    dataOf(last(all), 'model.replied')['usage'] = { input: '1', output: 1 }
  },
  // Order.
  'a call that no reply proposed': (all) => extend(last(all), [['tool.started', { call: '9.9', effect: 'unsafe' }]]),
  'a second result of a call': (all) => extend(last(all), [['tool.finished', { ...dataOf(last(all), 'tool.finished') }]]),
  'an answer to a question that nobody asked': (all) => extend(last(all), [['question.answered', { id: 'pay#7', answer: { kind: 'approve' } }, 2]]),
  'the end of a child that was never started': (all) =>
    extend(last(all), [['child.finished', { ...dataOf(last(all), 'child.started'), key: 'other', value: 'forged' }]]),
  'a reply to a request that was never made': (all) => extend(last(all), [['model.replied', { ...dataOf(last(all), 'model.replied') }, 2]]),
  'a run that overtakes another': (all) => {
    const { request } = dataOf(last(all), 'run.started')
    extend(last(all), [['run.started', { run: 'r2', request }, 2]])
  },
  'a run whose number is not next': (all) => {
    const { request } = dataOf(last(all), 'run.started')
    extend(last(all), [['run.queued', { run: 'r9', request }, 2]])
  },
  'a turn that is left out': (all) => extend(last(all), [['turn.entered', { turn: 9 }]]),
  'an event of a turn that is not in force': (all) => extend(last(all), [['memory.recorded', { key: 'k', value: 1 }]], { turn: 7 }),
  'an event of a run that is not there': (all) => extend(last(all), [['memory.recorded', { key: 'k', value: 1 }]], { run: 'r7' }),
  'an epoch that goes back': (all) => extend(last(all), [['driver.acquired', { epoch: 1, worker: 'w' }]]),
  'a second start': (all) => extend(last(all), [[...eventOf(last(all), 'thread.started')]]),
  // Threads.
  'a thread that is its own parent': (all) => {
    dataOf(last(all), 'thread.started')['parent'] = { thread: 't', call: '1.0', depth: 1 }
    claim(last(all), { parent: 't' })
  },
  'a thread that is there twice': (all) => all.unshift(structuredClone(all[0] ?? [])),
  'no thread that was exported': (all) => {
    for (const section of all) headerOf(section)['exported'] = 'elsewhere'
  },
  'an incarnation that no database can keep': (all) => {
    headerOf(last(all))['incarnation'] = 'first\u0000'
    dataOf(last(all), 'thread.started')['incarnation'] = 'first\u0000'
  },
}

const namesIn = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread)

describe('lines are refused with the line and a reason, and nothing of them is kept', () => {
  it.each(Object.entries(broken))('where they have %s', async (_name, forge) => {
    const sections = await exported()
    forge(sections)
    const journal = memoryJournal()
    const error = await importThread(journal, sealed(sections)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(isLoomError(error) && [error.code, typeof error.context['line']]).toEqual(['LOOM_JOURNAL_DAMAGED', 'number'])
    expect(await namesIn(journal)).toEqual([])
    expect('polluted' in {}).toBe(false)
  })

  it('where they are not text', async () => {
    const journal = memoryJournal()
    await expect(importThread(journal, [7 as never])).rejects.toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
  })

  it('where a fork was cut elsewhere than its own record says', async () => {
    const sections = await exported('f')
    dataOf(last(sections), 'thread.forked')['from'] = 't@4'
    const journal = memoryJournal()
    await expect(importThread(journal, sealed(sections))).rejects.toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
    expect(await namesIn(journal)).toEqual([])
  })
})

describe('what lines claim beside their events is not believed', () => {
  it('a status, a time to wake and labels follow from the events', async () => {
    const sections = await exported()
    claim(last(sections), { status: 'running', agent: 'root', wakeAt: 1, labels: { admin: true } })
    const journal = memoryJournal()
    await importThread(journal, sealed(sections))
    expect((await journal.head('t'))?.summary).toMatchObject({ status: 'waiting', agent: 'boss' })
    expect(await journal.threads({ labels: { admin: true } })).toEqual([])
    expect(await journal.threads({ dueBy: Date.now() })).toEqual([])
  })

  it('a high epoch costs one claim on each thread', async () => {
    const sections = await exported()
    for (const section of sections) for (const line of section.slice(1)) line.head = [line.head[0], 99_999]
    const journal = memoryJournal()
    let claims = 0
    const counting: Journal = {
      ...journal,
      acquire(...given) {
        claims += 1
        return journal.acquire(...given)
      },
    }
    await importThread(counting, sealed(sections))
    expect([claims, (await journal.head('t'))?.epoch]).toEqual([sections.length, 99_999])
  })

  it('nothing is stored before the last line was read', async () => {
    const lines = sealed(await exported())
    const journal = memoryJournal()
    const seen: number[] = []
    async function* slowly(): AsyncGenerator<string> {
      for (const line of lines) {
        seen.push((await journal.threads()).length)
        yield line
      }
    }
    await importThread(journal, slowly())
    expect(Math.max(...seen)).toBe(0)
  })
})
