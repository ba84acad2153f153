import { agent, isSignal, type RunEvent, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './journals.ts'

const collect = async (events: AsyncIterable<RunEvent>): Promise<RunEvent[]> => {
  const all: RunEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
const seqs = (events: readonly RunEvent[]): number[] => events.flatMap((event) => (isSignal(event) ? [] : [event.seq]))
const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const script = () => scriptedModel([{ text: 'Let me look.', calls: [{ tool: 'look' }] }, 'I saw it all.'])

describe('the events of a run', () => {
  test('come in order, each once, with signals between them', async () => {
    const viewer = agent({ model: script(), tools: [look] })
    const run = viewer.start('go', { thread: 't' })
    const seen = await collect(run.events())
    expect(seqs(seen)).toEqual((await eventsOf(viewer, 't')).map(({ seq }) => seq))
    const types = seen.map(({ type }) => type)
    expect(types.indexOf('text-delta')).toBeGreaterThan(types.indexOf('model.requested'))
    expect(types.indexOf('text-delta')).toBeLessThan(types.indexOf('model.replied'))
    expect(types).toContain('tool-start')
    expect(types).toContain('input-delta')
    expect((await run.result()).status).toBe('done')
  })

  test('are the same for a viewer that comes late, or comes back with a cursor at any seq', async () => {
    const viewer = agent({ model: script(), tools: [look] })
    const run = viewer.start('go', { thread: 't' })
    await run.result()
    const all = await eventsOf(viewer, 't')
    for (let from = 1; from <= all.length; from += 1) {
      expect(await collect(run.events({ from }))).toEqual(all.slice(from - 1))
      expect(seqs(await collect(viewer.resume('t').events({ from })))).toEqual(all.slice(from - 1).map(({ seq }) => seq))
    }
  })

  test('of a run are its own: a second run of the thread begins where the first ended', async () => {
    const chat = agent({ model: scriptedModel(['One.', 'Two.']) })
    await chat.run('first', { thread: 't' })
    const second = await collect(chat.start('second', { thread: 't' }).events())
    expect(second[0]).toMatchObject({ type: 'run.started', run: 'r2' })
  })

  test('are never emitted before they are durable', async () => {
    const viewer = agent({ model: script(), tools: [look] })
    const run = viewer.start('go', { thread: 't' })
    for await (const event of run.events()) {
      if (!isSignal(event)) expect((await viewer.journal.head('t'))?.seq).toBeGreaterThanOrEqual(event.seq)
    }
  })

  test('go on without a viewer that leaves, and leave nothing behind', async () => {
    const viewer = agent({ model: script(), tools: [look] })
    const run = viewer.start('go', { thread: 't' })
    for await (const event of run.events()) if (event.type === 'model.requested') break
    expect((await run.result()).text).toBe('I saw it all.')
  })

  test('begin where asked, and nowhere else', async () => {
    const viewer = agent({ model: script(), tools: [look] })
    const run = viewer.start('go')
    for (const from of [0, -1, 1.5, Number.NaN])
      expect(() => run.events({ from })).toThrowError(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
    await run.result()
  })
})

describe('text', () => {
  test('of all replies comes in order', async () => {
    const pieces: string[] = []
    for await (const piece of agent({ model: script(), tools: [look] })
      .start('go')
      .text())
      pieces.push(piece)
    expect(pieces.join('')).toBe('Let me look.I saw it all.')
  })

  test('comes while the model still streams', async () => {
    const talker = agent({ model: scriptedModel([{ text: 'Half of it', stallAfter: 4 }]), behaviour: { grace: 1 } })
    const run = talker.start('go')
    const { value } = await run.text().next()
    expect('Half of '.startsWith(String(value))).toBe(true)
    await run.stop()
  })

  test('so far is emitted, after the events before it, to a viewer that joins in the middle of a reply', async () => {
    const model = scriptedModel([{ text: 'Half of it', stallAfter: 4 }])
    const talker = agent({ model, behaviour: { grace: 1 } })
    const run = talker.start('go')
    let heard = ''
    for await (const piece of run.text()) {
      heard += piece
      if (heard === 'Half of ') break
    }
    const seen: string[] = []
    for await (const event of run.events()) {
      seen.push(event.type === 'text-delta' ? event.text : event.type)
      if (event.type === 'text-delta') break
    }
    expect(seen).toEqual(['thread.started', 'run.started', 'driver.acquired', 'turn.entered', 'context.assembled', 'model.requested', 'Half of '])
    await run.stop()
    await run.result()
  })

  test('of a viewer that joined in the middle of a reply and is iterated after the run is the same', async () => {
    const run = agent({ model: script(), tools: [look] }).start('go')
    await run.text().next()
    const [late, text] = [run.events(), run.text()]
    await run.result()
    let replies = 0
    for await (const event of late) {
      if (event.type === 'model.replied') replies += 1
      if (event.type === 'text-delta') expect(event.turn).toBe(replies + 1)
    }
    expect((await Array.fromAsync(text)).join('')).toBe('Let me look.I saw it all.')
  })

  test('of a failed attempt is retracted by the next one’s request', async () => {
    const model = scriptedModel([{ text: 'Wrong start', errorAfter: { parts: 3, error: { isRetryable: true, message: 'x' } } }, 'Right.'])
    const seen = await collect(
      agent({ model, ports: { random: () => 0 } })
        .start('go')
        .events(),
    )
    const deltas = seen.flatMap((event) => (event.type === 'text-delta' ? [`${event.attempt}:${event.text}`] : []))
    expect(deltas).toEqual(['1:Wrong ', '2:Right.'])
    expect(seen.findLastIndex(({ type }) => type === 'model.requested')).toBeLessThan(seen.findLastIndex(({ type }) => type === 'text-delta'))
  })
})

describe('text after a failed attempt (STREAM-3)', () => {
  const failing = (text: string, isRetryable = true) => ({ text, errorAfter: { parts: 4, error: { isRetryable, message: 'overloaded' } } })
  const start = (...steps: readonly (string | ReturnType<typeof failing>)[]) =>
    agent({ model: scriptedModel(steps), ports: { random: () => 0 } }).start('go')

  test.each([
    ['goes on where the next attempt says more', 'One two three', 'One two four.', 'One two four.'],
    ['is followed by a reply that says something else, as a new paragraph', 'One two three', 'One too.', 'One two \n\nOne too.'],
    ['is followed by a shorter reply, as a new paragraph', 'One two three', 'One ', 'One two \n\nOne '],
  ])('%s', async (_, first, second, text) => {
    const run = start(failing(first), second)
    expect((await Array.fromAsync(run.text())).join('')).toBe(text)
    expect((await run.result()).text).toBe(second)
  })

  test('is not repeated by the reply (found: "Hel Hello there.")', async () => {
    const cut = { deltas: ['Hel', 'p'], errorAfter: { parts: 3, error: { isRetryable: true, message: 'overloaded' } } }
    const run = agent({ model: scriptedModel([cut, { deltas: ['Hello', ' there.'] }]), ports: { random: () => 0 } }).start('go')
    expect((await Array.fromAsync(run.text())).join('')).toBe('Hello there.')
  })

  test('of a run that fails ends with the error, not as if it were complete (found: it ended quietly)', async () => {
    const run = start(failing('One two three', false))
    let text = ''
    const read = async () => {
      for await (const piece of run.text()) text += piece
    }
    await expect(read()).rejects.toMatchObject({ code: 'LOOM_RUN_FAILED', message: expect.stringContaining('overloaded') })
    expect(text).toBe('One two ')
    expect((await run.result()).status).toBe('failed')
  })
})

describe('a slow viewer', () => {
  test('loses signals and gets a gap, but no event', async () => {
    const turns = 400
    const model = scriptedModel((_, number) =>
      number <= turns ? { deltas: ['a', 'b', 'c'], reasoning: 'r', calls: [{ tool: 'look', input: { number } }] } : 'done',
    )
    const viewer = agent({ model, tools: [look], limits: { turns: turns + 1 } })
    const run = viewer.start('go', { thread: 't' })
    const events = run.events()
    const first = await events.next()
    expect(first.value).toMatchObject({ seq: 1 })
    await run.result()
    const rest = await collect(events)
    const stored = await eventsOf(viewer, 't')
    expect(seqs(rest)).toEqual(stored.slice(1).map(({ seq }) => seq))
    expect(rest.some(({ type }) => type === 'gap')).toBe(true)
  })

  test('gets deltas merged, and every word of them', async () => {
    const words = Array.from({ length: 5_000 }, (_, n) => `w${n} `)
    const model = scriptedModel({ deltas: words })
    const run = agent({ model }).start('go')
    const events = run.events()
    await events.next()
    await run.result()
    const text = (await collect(events)).flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
    expect(text).toBe(words.join(''))
  })
})

test('progress of tools is seen live: by progress() and by what a generator yields', async () => {
  const slow = tool({
    name: 'slow',
    effect: 'read',
    run: async function* (_, ctx) {
      ctx.progress({ at: 0 })
      yield { at: 1 }
      yield { at: 2 }
      return 'arrived'
    },
  })
  const model = scriptedModel([{ calls: [{ tool: 'slow' }] }, 'ok'])
  const seen = await collect(
    agent({ model, tools: [slow] })
      .start('go')
      .events(),
  )
  expect(seen.flatMap((event) => (event.type === 'tool-delta' ? [event.data] : []))).toEqual([{ at: 0 }, { at: 1 }, { at: 2 }])
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain('arrived')
})
