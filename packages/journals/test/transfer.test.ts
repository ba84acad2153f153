import { agent, tool } from '@loom-agent/agent'
import { exportThread, importThread } from '@loom-agent/journals'
import { sqlite } from '@loom-agent/journals/sqlite'
import { type Draft, type Journal, type LoomEvent, memoryJournal, place } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createSeal } from '../src/transfer-line.ts'
import { allOf, eventsOf } from './events.ts'
import { batchAt, facts } from './sqlite-batches.ts'

const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
const plain = (events: readonly LoomEvent[]): unknown => JSON.parse(JSON.stringify(events))
const linesOf = (journal: Journal, thread = 'thread'): Promise<string[]> => allOf(exportThread(journal, thread))

/** A thread with a blob, a big text, a summary, and an epoch of its own. */
async function sample(): Promise<Journal> {
  const journal = memoryJournal()
  for (const seen of [0, 1]) await journal.acquire('thread', { worker: 'w', incarnation: 'life', seen, force: true })
  await journal.append(
    'thread',
    batchAt(0, facts('a', { $blob: 'hash', bytes: 3 }), { epoch: 2, blobs: new Map([['hash', Uint8Array.of(1, 2, 3)]]) }),
  )
  await journal.append('thread', batchAt(2, facts('x'.repeat(100_000), { $blob: 'user' }), { epoch: 2 }))
  await journal.append(
    'thread',
    batchAt(4, facts({ $blob: 'hash', bytes: 3 }), { epoch: 2, summary: { status: 'done', agent: 'a', labels: { l: 1 } } }),
  )
  await journal.release('thread', 2)
  return journal
}

describe('a thread that is taken to another journal', () => {
  test('is the same there: events, blobs, summary and epoch', async () => {
    const from = await sample()
    const to = sqlite(':memory:')
    expect(await importThread(to, exportThread(from, 'thread'))).toMatchObject({ thread: 'thread', seq: 5, epoch: 2 })
    expect(plain(await eventsOf(to, 'thread'))).toEqual(plain(await eventsOf(from, 'thread')))
    expect(await to.blob('hash')).toEqual(Uint8Array.of(1, 2, 3))
    expect(JSON.stringify(await to.head('thread'))).toBe(JSON.stringify(await from.head('thread')))
    expect(await to.append('thread', batchAt(5, facts('late'), { epoch: 1 }))).toEqual({ kind: 'fenced', epoch: 2 })
    await to.close()
  })

  test('is the same when it is brought back, line by line', async () => {
    const from = await sample()
    const there = sqlite(':memory:')
    await importThread(there, exportThread(from, 'thread'))
    expect(await linesOf(there)).toEqual(await linesOf(from))
    await there.close()
  })

  test('goes on where it was', async () => {
    const from = memoryJournal()
    const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), run: ({ a, b }) => a + b })
    const model = scriptedModel([{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
    await agent({ name: 'math', tools: { add }, model, journal: from }).run('2+2?', { thread: 'thread' })
    const to = sqlite(':memory:')
    await importThread(to, exportThread(from, 'thread'))
    expect(plain(await eventsOf(to, 'thread'))).toEqual(plain(await eventsOf(from, 'thread')))
    const again = await agent({ name: 'math', tools: { add }, model: scriptedModel(['Still 4.']), journal: to }).run('Sure?', { thread: 'thread' })
    expect([again.status, again.text]).toEqual(['done', 'Still 4.'])
    await to.close()
  })

  test('keeps seq, time, run and turn of every event, however they were appended', async () => {
    const draft = fc.oneof(
      fc.constantFrom<Draft>(
        { type: 'memory.recorded', data: { key: 'k', value: 1 } },
        { type: 'run.started', data: { run: 'r1', request } },
        { type: 'run.started', data: { run: 'r2', request } },
        { type: 'run.queued', data: { run: 'r3', request } },
        { type: 'turn.entered', data: { turn: 1 } },
        { type: 'turn.entered', data: { turn: 2 } },
      ),
    )
    const batches = fc.array(
      fc.record({
        events: fc.array(draft, { minLength: 1, maxLength: 6 }),
        time: fc.integer({ min: 1, max: 3 }),
        run: fc.constantFrom(undefined, 'r1', 'r2'),
        turn: fc.constantFrom(undefined, 0, 1, 2),
      }),
      { minLength: 1, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const [from, to] = [memoryJournal(), memoryJournal()]
        const placed: LoomEvent[] = []
        for (const { events, ...at } of given) {
          await from.append('thread', batchAt(placed.length, events, at))
          placed.push(...place({ thread: 'thread', seq: placed.length + 1, ...at }, events))
        }
        await importThread(to, exportThread(from, 'thread'))
        expect(plain(await eventsOf(to, 'thread'))).toEqual(plain(placed))
      }),
      { numRuns: 200 },
    )
  })

  test('is exported in pages', async () => {
    const [from, to] = [memoryJournal(), memoryJournal()]
    await from.append('thread', batchAt(0, facts(...Array.from({ length: 1300 }, (_, number) => number))))
    await importThread(to, exportThread(from, 'thread'))
    expect((await eventsOf(to, 'thread')).length).toBe(1300)
  })
})

describe('what is refused', () => {
  test('a thread that is not there cannot be exported', async () => {
    const journal = memoryJournal()
    await expect(linesOf(journal)).rejects.toThrow('There is no thread thread')
    await journal.acquire('thread', { worker: 'w', incarnation: 'life', seen: 0 })
    await expect(linesOf(journal)).rejects.toThrow('There is no thread thread')
  })

  test('a thread that is there already is not touched', async () => {
    const from = await sample()
    const to = memoryJournal()
    await to.append('thread', batchAt(0, facts('mine')))
    await expect(importThread(to, exportThread(from, 'thread'))).rejects.toThrow('is in this journal already')
    expect((await eventsOf(to, 'thread')).length).toBe(1)
  })

  test('every change of an exported thread is noticed, and nothing of it is kept', async () => {
    const lines = await linesOf(await sample())
    const spoiled: (readonly string[])[] = []
    for (const [index, line] of lines.entries()) {
      spoiled.push(lines.toSpliced(index, 1), lines.toSpliced(index, 0, line), lines.toSpliced(index, 1, line.slice(0, -1)))
      if (index > 0) spoiled.push(lines.toSpliced(index - 1, 2, line, lines[index - 1] ?? ''))
      for (let at = 0; at < line.length; at += Math.ceil(line.length / 150)) {
        const changed = String.fromCharCode(line.charCodeAt(at) ^ 1)
        spoiled.push(lines.toSpliced(index, 1, line.slice(0, at) + changed + line.slice(at + 1)))
      }
    }
    expect(spoiled.length).toBeGreaterThan(500)
    for (const given of [...spoiled, [], ['junk']]) {
      const to = memoryJournal()
      await expect(importThread(to, given)).rejects.toMatchObject({ context: { failure: 'damaged' } })
      expect([await to.head('thread'), await to.threads()]).toEqual([undefined, []])
    }
    expect((await importThread(memoryJournal(), ['', ...lines, ''])).seq).toBe(5)
  })

  const header = { format: 1, thread: 'thread', seq: 1, epoch: 0, summary: { status: 'idle' } }
  const batch = { time: 1, events: [['memory.recorded', { key: 'k', value: 1 }]] }
  test.each([
    ['another format', [{ header: { ...header, format: 2 } }], 'it has format 2, and this version of Loom knows 1'],
    ['no header', [{ batch }, { end: 1 }], 'does not begin with a header'],
    ['two headers', [{ header }, { header }], 'it has 0 of 1 events'],
    ['an odd header', [{ header: { ...header, seq: 0 } }], 'does not begin with a header'],
    ['an epoch without end', [{ header: { ...header, epoch: 1e9 } }], 'does not begin with a header'],
    ['no status', [{ header: { ...header, summary: null } }], 'does not begin with a header'],
    ['an early end', [{ header: { ...header, seq: 2 } }, { batch }, { end: 1 }], 'it has 1 of 2 events'],
    ['something after the end', [{ header }, { batch }, { end: 1 }, { end: 1 }], 'it goes on after its end'],
    ['an event of a newer version', [{ header }, { batch: { time: 1, events: [['memory.recorded', {}, 9]] } }], 'has version 9 of memory.recorded'],
    ['a batch that is none', [{ header }, { batch: { time: 1 } }], 'a batch is none'],
    ['a blob that was changed', [{ header }, { blob: { name: 'b', digest: '00', base64: 'AA==' } }], 'the blob b is not what it was'],
  ])('%s is refused, though every hash fits', async (_what, lines, message) => {
    const seal = createSeal()
    const to = memoryJournal()
    await expect(
      importThread(
        to,
        lines.map((line) => seal(JSON.stringify(line))),
      ),
    ).rejects.toThrow(message)
    expect(await to.head('thread')).toBeUndefined()
  })

  test('a line that is no JSON is refused, though its hash fits', async () => {
    const seal = createSeal()
    await expect(importThread(memoryJournal(), [seal('{nothing')])).rejects.toThrow('does not begin with a header')
  })

  test('when somebody else writes to the thread meanwhile, what is theirs stays', async () => {
    const lines = await linesOf(await sample())
    const to = memoryJournal()
    async function* slow(): AsyncGenerator<string> {
      for (const line of lines) {
        if (line.includes('"batch"') && !(await to.head('thread'))?.seq) await to.append('thread', batchAt(0, facts('theirs')))
        yield line
      }
    }
    await expect(importThread(to, slow())).rejects.toThrow('is in this journal already')
    expect((await eventsOf(to, 'thread')).length).toBe(1)
  })

  test('when somebody else takes the thread meanwhile, it is theirs', async () => {
    const lines = await linesOf(await sample())
    const memory = memoryJournal()
    const to: Journal = { ...memory, acquire: async (thread) => ({ kind: 'held', epoch: 5, holder: thread }) }
    await expect(importThread(to, lines)).rejects.toThrow('is in this journal already')
  })

  test('an event of a newer version cannot be exported by this one', async () => {
    const memory = memoryJournal()
    await memory.append('thread', batchAt(0, facts('a')))
    const newer: Journal = { ...memory, read: async (...args) => (await memory.read(...args)).map((event) => ({ ...event, v: 7 })) }
    await expect(linesOf(newer)).rejects.toThrow('has version 7 of memory.recorded')
  })

  test('a thread that has lost its end cannot be exported', async () => {
    const memory = memoryJournal()
    await memory.append('thread', batchAt(0, facts('a')))
    const short: Journal = { ...memory, read: async () => [] }
    await expect(linesOf(short)).rejects.toThrow('its end is missing')
  })
})
