import { agent, compress, everything, frameAt, type Hook, memoryJournal, tool } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import type { EventOf, Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf } from '../../../test/support/threads.ts'

/** A text whose every place can be told from the others. */
const numbered = (length: number): string => {
  let text = ''
  for (let line = 0; text.length < length; line += 1) text += `Line ${line} says ${(line * 7919) % 9973}.\n`
  return text.slice(0, length)
}

const long = numbered(50_000)
const fetchPage = tool({ name: 'fetch_page', effect: 'read', run: () => long })
const context = compress({ max: 100_000 })

/** What the calls of the script came to. */
async function outcomes(calls: readonly unknown[], options: object = {}): Promise<readonly EventOf<'tool.finished'>['data'][]> {
  const model = scriptedModel([...calls.map((call) => ({ calls: [call as { tool: string }] })), 'ok'])
  const worker = agent({ model, tools: [fetchPage], context, ...options })
  await worker.run('Go.', { thread: 't' })
  return (await factsOf(worker, 't', 'tool.finished')).map(({ data }) => data)
}

const textIn = (data: EventOf<'tool.finished'>['data'] | undefined): string => String(data?.output.value)
const reading = (input: object) => ({ tool: 'read_more', input })
const page = { tool: 'fetch_page' }

describe('a result that is too long', () => {
  test('is shown by its head and its tail, and says how the rest is read', async () => {
    const [data] = await outcomes([page])
    const text = textIn(data)
    expect(text.startsWith(long.slice(0, 8000))).toBe(true)
    expect(text.endsWith(long.slice(-2000))).toBe(true)
    expect(text).toContain('\n[... 40000 characters left out: read_more with call 1.0, offset 8000 ...]\n')
  })

  test('is whole in the journal, and its event refers to it', async () => {
    const journal = memoryJournal()
    const [data] = await outcomes([page], { journal })
    const { text: { $blob = '', bytes = 0 } = {}, ...rest } = data?.whole ?? {}
    expect(rest).toEqual({ characters: 50_000 })
    expect(bytes).toBe(50_000)
    expect(new TextDecoder().decode(await journal.blob($blob))).toBe(long)
    expect(await journal.blobNames('t')).toEqual([$blob])
    // The frame has the reference, and not the text.
    expect(JSON.stringify(await frameAt(journal, 't'))).not.toContain(long.slice(20_000, 20_100))
  })

  test('is kept as far as the limit goes, and the event says how much is lost', async () => {
    const journal = memoryJournal()
    const [data] = await outcomes([page], { journal, behaviour: { wholeLimit: 30_000 } })
    expect(data?.whole).toMatchObject({ characters: 30_000, lost: 20_000 })
    expect((await journal.blob(data?.whole?.text.$blob ?? ''))?.length).toBe(30_000)
  })

  test('is not kept where the limit is 0, and names no way to read it', async () => {
    const [data] = await outcomes([page], { behaviour: { wholeLimit: 0 } })
    expect(data?.whole).toBeUndefined()
    expect(textIn(data)).toContain('\n[... 40000 characters left out ...]\n')
  })

  test('is kept also where the model cannot read more, without a word about it', async () => {
    const [data] = await outcomes([page], { context: everything })
    expect(data?.whole?.characters).toBe(50_000)
    expect(textIn(data)).toContain('\n[... 40000 characters left out ...]\n')
  })

  test('may be an error or JSON', async () => {
    const list = Array.from({ length: 3000 }, (_, index) => ({ index }))
    const failing = tool({
      name: 'fail',
      effect: 'read',
      run: () => {
        throw new Error('no '.repeat(8000))
      },
    })
    const json = tool({ name: 'json', effect: 'read', run: () => list })
    const journal = memoryJournal()
    const found = await outcomes([{ tool: 'fail' }, { tool: 'json' }], { journal, tools: [failing, json] })
    const texts = await Promise.all(found.map(async ({ whole }) => new TextDecoder().decode(await journal.blob(whole?.text.$blob ?? ''))))
    expect(texts[0]?.startsWith('fail failed: no no no')).toBe(true)
    expect(JSON.parse(texts[1] ?? '')).toEqual(list)
    expect(textIn(found[0])).toContain('read_more with call 1.0')
  })

  test('is stored with its event when another writer was faster', async () => {
    const journal = memoryJournal()
    let interfere = true
    const racing: Journal = {
      ...journal,
      async append(thread, batch) {
        if (interfere && batch.blobs?.size) {
          interfere = false
          const { incarnation = '', seq = 0, summary = { status: 'running' as const } } = (await journal.head(thread)) ?? {}
          const events = [{ type: 'memory.recorded' as const, data: { key: 'k', value: 1 } }]
          await journal.append(thread, { id: 'other', incarnation, expected: seq, time: 1, events, summary })
        }
        return journal.append(thread, batch)
      },
    }
    const [data] = await outcomes([page], { journal: racing })
    expect(interfere).toBe(false)
    expect((await journal.blob(data?.whole?.text.$blob ?? ''))?.length).toBe(50_000)
  })

  test('that a hook has replaced is not read again from what the tool returned', async () => {
    const secret: Hook = {
      name: 'guard',
      afterToolExecution: (_context, { tool: name }) => (name === 'fetch_page' ? { output: { type: 'text', value: 'withheld' } } : undefined),
    }
    const found = await outcomes([page, reading({ call: '1.0', offset: 0 })], { hooks: [secret] })
    expect(textIn(found[1])).toBe('All 8 characters of the result of call 1.0 (fetch_page):\nwithheld')
  })
})

describe('read_more', () => {
  test('shows the range that is asked for, and where it goes on', async () => {
    const [, data] = await outcomes([page, reading({ call: '1.0', offset: 20_000, limit: 100 })])
    expect(textIn(data)).toBe(
      `Characters 20000 to 20100 of 50000 of the result of call 1.0 (fetch_page):\n${long.slice(20_000, 20_100)}\n[29900 characters follow: read on with the offset 20100]`,
    )
  })

  test('shows as much as a result may have, and never what would be cut again', async () => {
    const found = await outcomes([page, reading({ call: '1.0' }), reading({ call: '1.0', limit: 45_000 })])
    for (const data of found.slice(1)) {
      expect(textIn(data).length).toBeLessThanOrEqual(10_000)
      expect(textIn(data)).toContain('Characters 0 to 9700 of 50000')
      expect(data.whole).toBeUndefined()
    }
  })

  test('finds a text in any case of its letters, with what stands around it', async () => {
    const [, data] = await outcomes([page, reading({ call: '1.0', find: 'LINE 1234 says' })])
    const at = long.indexOf('Line 1234 says')
    expect(textIn(data)).toBe(
      `1 place of the result of call 1.0 (fetch_page) has "LINE 1234 says":\n[character ${at - 200}]\n${long.slice(at - 200, at + 400)}`,
    )
  })

  test('says how many places there are, and where to search on', async () => {
    const [, first] = await outcomes([page, reading({ call: '1.0', find: 'says 12', limit: 1500 })])
    const [, count = '', next = ''] = /\[(\d+) more places: search on with the offset (\d+)\]$/.exec(textIn(first)) ?? []
    expect(Number(count)).toBeGreaterThan(0)
    expect(long.slice(Number(next)).startsWith('says 12')).toBe(true)
    const [, second] = await outcomes([page, reading({ call: '1.0', find: 'says 12', limit: 1500, offset: Number(next) })])
    expect(textIn(second).startsWith(`${count} places`)).toBe(true)
  })

  test('says where to search on also where there are more places than it counts, up to the last one', async () => {
    const places = long.split(' ').length - 1
    expect(places).toBeGreaterThan(3000)
    let [offset, left, last] = [0, '', '']
    for (let reads = 0; reads < 40; reads += 1) {
      const [, data] = await outcomes([page, reading({ call: '1.0', find: ' ', offset })])
      last = textIn(data)
      const isCounted = long.slice(offset).split(' ').length - 1 <= 1000
      expect(last.startsWith('At least 1,000 places')).toBe(!isCounted)
      const next = /\[(?:at least )?[\d,]+ more places?: search on with the offset (\d+)\]$/.exec(last)
      left = next?.[1] ?? ''
      if (left === '') break
      expect(Number(left)).toBeGreaterThan(offset)
      offset = Number(left)
    }
    expect(left).toBe('')
    expect(last.endsWith(long.slice(long.lastIndexOf(' ')))).toBe(true)
  })

  test('says that nothing was found, and takes what is searched for as it is', async () => {
    const [, data] = await outcomes([page, reading({ call: '1.0', find: 'Line .* [says' })])
    expect(data).toMatchObject({ status: 'success', output: { value: expect.stringContaining('Nothing from character 0 on') } })
  })

  test.each([
    ['a call that there is not', { call: '9.0' }, 'There is no call 9.0 so far.'],
    ['another call of the same reply', { call: '2.0' }, 'The call 2.0 has no result yet.'],
    ['a call of another thread', { call: 'other@1.0' }, '"other@1.0" does not name a call of this conversation.'],
    ['a digest', { call: 'a'.repeat(64) }, 'does not name a call of this conversation.'],
    [
      'a range outside of the result',
      { call: '1.0', offset: 50_000 },
      'The result of call 1.0 has 50000 characters: the offset 50000 is outside of it.',
    ],
    ['a negative offset', { call: '1.0', offset: -1 }, 'offset'],
    ['no call', { offset: 3 }, 'call'],
  ])('refuses %s in words', async (_, input, words) => {
    const [, data] = await outcomes([page, reading(input)])
    expect(data?.status).toBe('error')
    expect(textIn(data)).toContain(words)
  })

  test('reads results that the context does not show any more', async () => {
    const limits = { turns: 100, loop: false } as const
    let calls = 0
    const look = tool({ name: 'look', effect: 'read', run: () => `${++calls}: ${numbered(4000)}` })
    const model = scriptedModel(() =>
      calls < 30 ? { calls: [{ tool: 'look' }] } : model.requests.length < 33 ? { calls: [reading({ call: '3.0', limit: 20 })] } : 'ok',
    )
    const worker = agent({ model, tools: [look], context: compress({ max: 8000 }), limits, ports: { countTokens: (text) => text.length / 4 } })
    await worker.run('Go.', { thread: 't' })
    const rebases = (await factsOf(worker, 't', 'context.assembled')).filter(({ data }) => data.rebase?.segments?.some(({ as }) => as === 'summary'))
    expect(rebases.length).toBeGreaterThan(0)
    const last = (await factsOf(worker, 't', 'tool.finished')).at(-1)?.data
    expect(textIn(last)).toContain('of the result of call 3.0 (look):\n3: Line 0 says')
  })

  test('reads the past that a fork shares, and what a fork has taken from the record', async () => {
    const journal = memoryJournal()
    const script = [{ calls: [page] }, { calls: [page] }, 'ok']
    const worker = agent({ name: 'a', model: scriptedModel(script), tools: [fetchPage], context, journal })
    await worker.run('Go.', { thread: 't' })
    const [, second] = await factsOf(worker, 't', 'tool.started')
    const calls = [
      { calls: [page] },
      { calls: [reading({ call: '1.0', offset: 20_000, limit: 10 })] },
      { calls: [reading({ call: '2.0', offset: 30_000, limit: 10 })] },
    ]
    const forking = worker.with({ model: scriptedModel([...calls, 'ok']) })
    const cut = (await factsOf(worker, 't', 'turn.entered'))[1]?.seq ?? 0
    const fork = await forking.fork(`t@${cut}`, { effects: 'recorded', limits: { turns: 9 } })
    expect(second?.seq).toBeGreaterThan(cut)
    await fork.resume().result()
    const found = (await factsOf(worker, fork.thread, 'tool.finished')).map(({ data }) => textIn(data))
    expect(found[2]).toContain(long.slice(20_000, 20_010))
    expect(found[3]).toContain(long.slice(30_000, 30_010))
    // What came after the cut is the fork's own, so that it goes where the fork goes.
    expect(await journal.blobNames(fork.thread)).toHaveLength(1)
  })

  test('gives nobody the bytes of another thread, whatever an event names', async () => {
    const journal = memoryJournal()
    await outcomes([page], { journal })
    const name = (await journal.blobNames('t'))[0] ?? ''
    const forged: Journal = {
      ...journal,
      append: (thread, batch) =>
        journal.append(thread, {
          ...batch,
          events: batch.events.map((event) =>
            event.type === 'tool.finished' && event.data.call === '1.0'
              ? { ...event, data: { ...event.data, whole: { text: { $blob: name, bytes: 50_000 }, characters: 50_000 } } }
              : event,
          ),
        }),
    }
    const short = { tools: { fetch_page: tool({ effect: 'read', run: () => 'short' }) }, context }
    await agent({ ...short, model: scriptedModel([{ calls: [page] }, 'ok']), journal: forged }).run('Go.', { thread: 'other' })
    const calls = [reading({ call: '1.0', offset: 20_000 })]
    await agent({ ...short, model: scriptedModel([{ calls }, 'ok']), journal }).run('And more.', { thread: 'other' })
    const last = (await factsOf(journal, 'other', 'tool.finished')).at(-1)?.data
    expect(textIn(last)).toContain('has 5 characters: the offset 20000 is outside of it')
  })

  test('is permitted or refused like any tool', async () => {
    const permissions = { rules: [{ tool: 'read_more', verdict: 'deny' as const, reason: 'no' }], default: 'allow' as const }
    const model = scriptedModel([{ calls: [page] }, { calls: [reading({ call: '1.0' })] }, 'ok'])
    const worker = agent({ model, tools: [fetchPage], context, permissions })
    await worker.run('Go.', { thread: 't' })
    expect(await factsOf(worker, 't', 'tool.denied')).toMatchObject([{ data: { call: '2.0', errorType: 'permission' } }])
    expect((await factsOf(worker, 't', 'tool.started')).map(({ data }) => data.effect)).toEqual(['read'])
  })
})

describe('read_more is listed', () => {
  const namesOf = async (options: object, run: object = {}): Promise<readonly string[]> => {
    const model = scriptedModel(['ok'])
    await agent({ model, ...options }).run('Go.', run)
    return model.requests[0]?.tools?.map(({ name }) => name) ?? []
  }
  const own = { tools: [fetchPage] }

  test.each([
    ['last, where a strategy may leave results out', { ...own, context }, ['fetch_page', 'read_more']],
    ['where tools are a function', { tools: () => [fetchPage], context }, ['fetch_page', 'read_more']],
    ['not where everything is shown', { ...own, context: everything }, ['fetch_page']],
    ['not by default', own, ['fetch_page']],
    ['not by default where the window is known', { ...own, window: 32_000 }, ['fetch_page']],
    ['not where there are no tools', { context }, []],
    ['where the option says so', { ...own, behaviour: { readMore: true } }, ['fetch_page', 'read_more']],
    ['not where the option says no', { ...own, context, behaviour: { readMore: false } }, ['fetch_page']],
  ])('%s', async (_, options, names) => {
    expect(await namesOf(options)).toEqual(names)
  })

  test('where a run is given tools', async () => {
    expect(await namesOf({ context }, { tools: [fetchPage] })).toEqual(['fetch_page', 'read_more'])
  })

  test('no second time where the user has a tool of that name, which is called instead', async () => {
    const mine = tool({ name: 'read_more', effect: 'read', run: () => 'mine' })
    const tools = [fetchPage, mine]
    expect(await namesOf({ tools, context })).toEqual(['fetch_page', 'read_more'])
    const found = await outcomes([page, reading({ call: '1.0' })], { tools })
    expect(textIn(found[0])).toContain('[... 40000 characters left out ...]')
    expect(textIn(found[1])).toBe('mine')
  })

  test('without making another agent of it', () => {
    const fingerprints = [
      { ...own, context },
      { ...own, context, behaviour: { readMore: false } },
    ].map((options) => definitionOf(agent(options)).fingerprint())
    expect(fingerprints[0]).toBe(fingerprints[1])
  })
})
