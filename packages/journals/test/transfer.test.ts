import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { exportThread, importThread, migrate, verify } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import { type Draft, type Journal, type LoomEvent, place } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { batchAt, facts } from './batches.ts'
import { allOf, eventsOf, quarantined, withoutTimes } from './events.ts'
import { sealFormat1, sealFormat2 } from './transfer-seals.ts'

const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
const plain = (events: readonly LoomEvent[]): unknown => JSON.parse(JSON.stringify(events))
const linesOf = (journal: Journal, thread = 'thread'): Promise<string[]> => allOf(exportThread(journal, thread))

const blobHash = createHash('sha256')
  .update(Uint8Array.of(1, 2, 3))
  .digest('hex')

/** A thread with a blob, a big text, a summary, and its own epoch. */
async function sample(): Promise<Journal> {
  const journal = memoryJournal()
  for (const seen of [0, 1]) await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen, force: true })
  await journal.append(
    'thread',
    batchAt(0, facts('a', { $blob: blobHash, bytes: 3 }), { epoch: 2, blobs: new Map([[blobHash, Uint8Array.of(1, 2, 3)]]) }),
  )
  await journal.append('thread', batchAt(2, facts('x'.repeat(100_000), { $blob: 'user' }), { epoch: 2 }))
  await journal.append(
    'thread',
    batchAt(4, facts({ $blob: blobHash, bytes: 3 }), { epoch: 2, summary: { status: 'done', agent: 'a', labels: { l: 1 } } }),
  )
  await journal.release('thread', { epoch: 2, incarnation: 'first' })
  return journal
}

describe('a thread that is taken to another journal', () => {
  test('is the same there: events, blobs, summary and epoch', async () => {
    const from = await sample()
    const to = sqlite(':memory:')
    expect(await importThread(to, exportThread(from, 'thread'))).toMatchObject({ thread: 'thread', seq: 5, epoch: 2 })
    expect(plain(await eventsOf(to, 'thread'))).toEqual(plain(await eventsOf(from, 'thread')))
    expect(await to.blob(blobHash)).toEqual(Uint8Array.of(1, 2, 3))
    expect(withoutTimes(await to.head('thread'))).toBe(withoutTimes(quarantined(await from.head('thread'))))
    await expect(to.append('thread', batchAt(5, facts('late'), { epoch: 1 }))).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
    const late = batchAt(5, facts('late'), { epoch: 1, isCopy: true })
    expect(await to.append('thread', late)).toEqual({ kind: 'fenced', epoch: 2 })
    await to.close()
  })

  test('is the same when it is exported and imported again, line by line', async () => {
    const from = await sample()
    const there = sqlite(':memory:')
    await importThread(there, exportThread(from, 'thread'))
    expect(await linesOf(there)).toEqual(await linesOf(from))
    await there.close()
  })

  test('continues where it was', async () => {
    const from = memoryJournal()
    const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), run: ({ a, b }) => a + b })
    const model = scriptedModel([{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
    await agent({ name: 'math', tools: { add }, model, journal: from }).run('2+2?', { thread: 'thread' })
    const to = sqlite(':memory:')
    await importThread(to, exportThread(from, 'thread'))
    expect(plain(await eventsOf(to, 'thread'))).toEqual(plain(await eventsOf(from, 'thread')))
    const again = await agent({ name: 'math', tools: { add }, model: scriptedModel(['Still 4.']), journal: to }).run('Sure?', {
      thread: 'thread',
      adopt: true,
    })
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
        await migrate(from, to)
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
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    await expect(linesOf(journal)).rejects.toThrow('There is no thread thread')
  })

  test('a thread that exists already is not changed, whether it is the same or another one of that name', async () => {
    const from = await sample()
    const to = memoryJournal()
    await importThread(to, exportThread(from, 'thread'))
    await expect(importThread(to, exportThread(from, 'thread'))).rejects.toThrow(
      'with all that these lines have, to thread@5. There is nothing to import.',
    )
    expect((await eventsOf(to, 'thread')).length).toBe(5)
    const [anew, other] = [memoryJournal(), memoryJournal()]
    await anew.append('thread', batchAt(0, facts('a'), { incarnation: 'another' }))
    await expect(importThread(anew, exportThread(from, 'thread'))).rejects.toThrow('it has another incarnation')
    await other.append('thread', batchAt(0, facts('mine')))
    await expect(importThread(other, exportThread(from, 'thread'))).rejects.toThrow('they differ at thread@1')
    for (const journal of [anew, other]) expect((await eventsOf(journal, 'thread')).length).toBe(1)
  })

  test('an import works after an interrupted one', async () => {
    const from = await sample()
    const to = memoryJournal()
    let appends = 0
    const dying: Journal = {
      ...to,
      append: (...args) => (appends++ < 2 ? to.append(...args) : Promise.reject(new Error('killed'))),
      remove: () => Promise.reject(new Error('killed')),
    }
    await expect(importThread(dying, exportThread(from, 'thread'))).rejects.toThrow('killed')
    expect(await to.head('thread')).toMatchObject({ seq: 4, summary: { status: 'partial' } })
    await importThread(to, exportThread(from, 'thread'))
    expect(withoutTimes(await to.head('thread'))).toBe(withoutTimes(quarantined(await from.head('thread'))))
    expect(plain(await eventsOf(to, 'thread'))).toEqual(plain(await eventsOf(from, 'thread')))
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

  const header = { loom: 'thread', format: 2, thread: 'thread', incarnation: 'first', exported: 'thread' }
  const batch = { id: 'b', v: 2, time: 1, events: [['memory.recorded', { key: 'k', value: 1 }]], summary: { status: 'idle' } }
  const end = { end: [], summary: { status: 'idle' } }
  type Sealed = readonly [line: object, seq: number, epoch?: number]
  test.each<readonly [string, readonly Sealed[], string]>([
    ['another format', [[{ ...header, format: 3 }, 0]], 'it has format 3, and this version of Loom knows 2'],
    [
      'no header',
      [
        [batch, 1],
        [end, 1],
      ],
      'does not start with a header',
    ],
    ['an odd header', [[{ ...header, incarnation: 7 }, 0]], 'does not start with a header'],
    ['an odd fork', [[{ ...header, forkOf: { thread: 't', incarnation: 't', seq: 0 } }, 0]], 'does not start with a header'],
    ['an epoch without end', [[header, 0, 1e9]], 'it cannot have the epoch 1000000000'],
    [
      'no event',
      [
        [header, 0],
        [end, 0],
      ],
      'there is no event of thread',
    ],
    [
      'no status',
      [
        [header, 0],
        [batch, 1],
        [{ end: [], summary: {} }, 1],
      ],
      'thread@1 has no status',
    ],
    [
      'fewer events than it says',
      [
        [header, 0],
        [batch, 1],
        [end, 2],
      ],
      'it has 1 of 2 events',
    ],
    [
      'no end',
      [
        [header, 0],
        [batch, 1],
      ],
      'its end is missing',
    ],
    [
      'something after the end',
      [
        [header, 0],
        [batch, 1],
        [end, 1],
        [end, 1],
      ],
      'it continues after its end',
    ],
    [
      'the end of something else',
      [
        [header, 0],
        [batch, 1],
        [{ ...end, end: ['00'] }, 1],
      ],
      'what comes before its last thread is not whole',
    ],
    [
      'a newer event',
      [
        [header, 0],
        [{ ...batch, events: [['memory.recorded', {}, 9]] }, 1],
      ],
      'has version 9 of memory.recorded',
    ],
    [
      'a blob under the digest of other bytes',
      [
        [header, 0],
        [{ blob: '0'.repeat(64), base64: 'AQID' }, 0],
        [batch, 1],
      ],
      `the blob ${'0'.repeat(64)} has other bytes than its name says`,
    ],
    [
      'a line that is no batch',
      [
        [header, 0],
        [{ ...batch, events: 1 }, 1],
      ],
      'a line is no batch',
    ],
  ])('%s is refused, though every hash fits', async (_what, lines, message) => {
    const seal = sealFormat2('thread')
    const to = memoryJournal()
    const sealed = lines.map(([line, seq, epoch = 0]) => seal(JSON.stringify(line), [seq, epoch]))
    await expect(importThread(to, sealed)).rejects.toThrow(message)
    expect(await to.head('thread')).toBeUndefined()
  })

  test('when another writer appends to the thread meanwhile, its events stay', async () => {
    const lines = await linesOf(await sample())
    const to = memoryJournal()
    const raced: Journal = {
      ...to,
      async append(thread, batch) {
        await to.append(thread, batchAt(0, facts('theirs')))
        return to.append(thread, batch)
      },
    }
    await expect(importThread(raced, lines)).rejects.toThrow('another writer has changed it during the import. Import again')
    expect((await eventsOf(to, 'thread')).length).toBe(1)
  })

  test('when another driver acquires the thread meanwhile, the driver keeps it', async () => {
    const lines = await linesOf(await sample())
    const memory = memoryJournal()
    const to: Journal = { ...memory, acquire: async (thread) => ({ kind: 'held', epoch: 5, holder: thread }) }
    await expect(importThread(to, lines)).rejects.toThrow('is in this journal already')
  })

  test('lines that are older than the thread leave it as it is, and no refusal advises to remove it (IMPORT-7)', async () => {
    const from = await sample()
    const [older, to, held] = [await linesOf(from), memoryJournal(), memoryJournal()]
    await migrate(from, held)
    await from.append('thread', batchAt(5, facts('newer'), { epoch: 2 }))
    const newer = await linesOf(from)
    await importThread(to, newer)
    const ends = 'and has gone on to thread@6; these lines end at thread@5. Keep it: it has what is newer.'
    await expect(importThread(to, older)).rejects.toThrow(ends)
    await expect(importThread(held, newer)).rejects.toThrow('is trusted here: it is not quarantined. Lines from outside add nothing to it.')
    await held.acquire('thread', { worker: 'w', incarnation: 'first', seen: 2 })
    await expect(importThread(held, newer)).rejects.toThrow('is held by w, which may add to it. Import when it is released')
    expect([(await eventsOf(to, 'thread')).length, (await eventsOf(held, 'thread')).length]).toEqual([6, 5])
  })

  test.each([[[]], [['', '']]])('lines of nothing are no export: %j', async (lines) => {
    await expect(importThread(memoryJournal(), lines)).rejects.toThrow(/^There are no lines of an exported thread\. Nothing of it was kept/)
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

describe('an export of format 1', () => {
  const header = { format: 1, thread: 'thread', seq: 1, epoch: 0, summary: { status: 'idle' } }
  const batch = { time: 1, events: [['memory.recorded', { key: 'k', value: 1 }]] }
  const digest = createHash('sha256').update('x').digest('hex')
  const blob = { name: digest, digest, base64: 'eA==' }
  const sealed = (lines: readonly object[]): readonly string[] => {
    const seal = sealFormat1()
    return lines.map((line) => seal(JSON.stringify(line)))
  }

  test('is stored: its incarnation is its name, and a fork starts after its cut', async () => {
    const to = memoryJournal()
    const past = { header: { ...header, seq: 2, epoch: 3, past: { of: 'fork', events: 1 } } }
    const fork = { header: { ...header, thread: 'fork', epoch: 1, summary: { status: 'done', labels: { $fork: 'thread@1', team: 'a' } } } }
    await importThread(to, sealed([past, { blob }, { batch }, { batch }, { end: 2 }, fork, { batch }, { end: 1 }]))
    expect(await to.head('thread')).toMatchObject({ incarnation: 'thread', seq: 2, epoch: 3 })
    const forkOf = { thread: 'thread', incarnation: 'thread', seq: 1 }
    expect(await to.head('fork')).toMatchObject({ incarnation: 'fork', seq: 2, forkOf, summary: { status: 'done', labels: { team: 'a' } } })
    expect((await eventsOf(to, 'fork')).map(({ seq, thread }) => [seq, thread])).toEqual([
      [1, 'fork'],
      [2, 'fork'],
    ])
    expect(Buffer.from((await to.blob(digest)) ?? []).toString()).toBe('x')
  })

  test.each([
    ['another format', [{ header: { ...header, format: 2 } }], 'it has format 2'],
    ['no header', [{ batch }, { end: 1 }], 'does not start with a header'],
    ['two headers', [{ header }, { header }], 'it has 0 of 1 events'],
    ['an odd header', [{ header: { ...header, seq: 0 } }], 'does not start with a header'],
    ['an odd past', [{ header: { ...header, past: { of: 'f', events: 2 } } }], 'does not start with a header'],
    ['no status', [{ header: { ...header, summary: null } }], 'does not start with a header'],
    ['an early end', [{ header: { ...header, seq: 2 } }, { batch }, { end: 1 }], 'it has 1 of 2 events'],
    ['no end', [{ header }, { batch }], 'its end is missing'],
    ['something after the end', [{ header }, { batch }, { end: 1 }, { end: 1 }], 'it continues after its end'],
    ['a blob that was changed', [{ header }, { blob: { ...blob, digest: '00' } }], `the blob ${digest} is not what it was`],
  ])('with %s is refused, though every hash fits', async (_what, lines, message) => {
    const to = memoryJournal()
    await expect(importThread(to, sealed(lines))).rejects.toThrow(message)
    expect(await to.head('thread')).toBeUndefined()
  })

  test('with a hash that does not fit, or with a line that is no JSON, is refused', async () => {
    const lines = sealed([{ header }, { batch }, { end: 1 }])
    await expect(importThread(memoryJournal(), lines.toSpliced(1, 1))).rejects.toThrow('it does not fit its hash')
    await expect(importThread(memoryJournal(), [sealFormat1()('{nothing')])).rejects.toThrow('it is not JSON')
  })
})

describe('a file of the file journal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-transfer-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is imported as it is, with its mode lines, claims and blobs', async () => {
    const from = await sample()
    const stored = file(join(folder, 'a'))
    await migrate(from, stored)
    await stored.close()
    const lines = readFileSync(join(folder, 'a', 'thread.jsonl'), 'utf8').split('\n')
    const to = sqlite(':memory:')
    expect(await importThread(to, lines)).toMatchObject({ seq: 5, epoch: 2, summary: { status: 'done' } })
    expect(plain(await eventsOf(to, 'thread'))).toEqual(plain(await eventsOf(from, 'thread')))
    expect(await linesOf(to)).toEqual(await linesOf(from))
    await to.close()
    await expect(importThread(memoryJournal(), [...lines.slice(0, -2), lines.at(-2)?.replace(/."\}$/, '"}') ?? ''])).rejects.toThrow(
      'does not fit its hash',
    )
  })

  test('can be an export, which a journal then continues', async () => {
    mkdirSync(join(folder, 'b'))
    writeFileSync(join(folder, 'b', 'thread.jsonl'), (await linesOf(await sample())).map((line) => `${line}\n`).join(''))
    const journal = file(join(folder, 'b'))
    expect(await journal.threads()).toMatchObject([{ thread: 'thread', seq: 5, epoch: 2, summary: { status: 'done', agent: 'a' } }])
    await journal.append('thread', batchAt(5, facts('more')))
    expect((await eventsOf(journal, 'thread')).length).toBe(6)
    expect(await allOf(verify(journal))).toEqual([])
    await journal.close()
  })
})
