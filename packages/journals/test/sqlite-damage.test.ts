import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { verify } from '@loom-agent/journals'
import { sqlite } from '@loom-agent/journals/sqlite'
import { isLoomError, type Journal } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { allOf, eventsOf, readable, valuesOf } from './events.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const pathOf = freshPaths()

/** A journal with three batches of two facts, and another thread. */
async function sample(): Promise<string> {
  const path = pathOf()
  const journal = sqlite(path)
  for (const [index, value] of ['a', 'b', 'c'].entries()) await journal.append('thread', batchAt(index * 2, facts(value, `${value} too`)))
  await journal.append('other', batchAt(0, facts('other')))
  await journal.close()
  return path
}

describe('damage in a thread', () => {
  test.each(['second', 'first'])('ends with the thread: a new one of the same name, incarnation %s, is written', async (incarnation) => {
    const path = await sample()
    const [journal, other] = [sqlite(path), sqlite(path)]
    meddle(path, (db) => db.exec("update batches set line = replace(line, 'b too', 'B too')"))
    expect((await readable(journal)).error).toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
    await expect(journal.append('thread', batchAt(6, facts('d')))).rejects.toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
    await other.remove('thread')
    await other.append('thread', batchAt(0, facts('new'), { incarnation }))
    expect(await journal.append('thread', batchAt(1, facts('next'), { incarnation }))).toEqual({ kind: 'appended', seq: 2 })
    await Promise.all([journal.close(), other.close()])
  })

  test('every changed byte of a line, a hash or an id is reported, and what is before it can be read', async () => {
    const path = await sample()
    const columns = ['line', 'hash', 'id'] as const
    for (const column of columns) {
      const bytesOf = `select cast(${column} as blob) as bytes from batches where thread = 1 and last = 4`
      let bytes = new Uint8Array()
      meddle(path, (db) => {
        bytes = db.prepare(bytesOf).get()?.['bytes'] as Uint8Array<ArrayBuffer>
      })
      expect(bytes.length).toBeGreaterThan(30)
      for (let index = 0; index < bytes.length; index += 1) {
        const spoiled = bytes.slice()
        spoiled[index] = (spoiled[index] ?? 0) ^ 1
        const put = `update batches set ${column} = cast(? as ${column === 'hash' ? 'blob' : 'text'}) where thread = 1 and last = 4`
        meddle(path, (db) => db.prepare(put).run(spoiled))
        const journal = sqlite(path)
        const { values, error } = await readable(journal)
        expect([column, index, values]).toEqual([column, index, ['a', 'a too']])
        expect(isLoomError(error) && error.context).toMatchObject({ failure: 'damaged', thread: 'thread', seq: 3 })
        await journal.close()
        meddle(path, (db) => db.prepare(put).run(bytes))
      }
    }
    const journal = sqlite(path)
    expect((await readable(journal)).values.length).toBe(6)
    await journal.close()
  })

  test.each([
    ['a batch is missing', 'delete from batches where thread = 1 and last = 4', 3],
    ['the first batch is missing', 'delete from batches where thread = 1 and last = 2', 1],
    ['the last batch is missing', 'delete from batches where thread = 1 and last = 6', 5],
    ['all batches are missing', 'delete from batches where thread = 1', 1],
    ['the last batch is another one', "update threads set hash = x'00' where id = 1", 5],
    [
      'two batches are swapped',
      'update batches set last = case last when 2 then 1004 else 1002 end where last in (2, 4); update batches set last = last - 1000 where last > 1000',
      1,
    ],
    ['a batch is in the wrong place', 'update batches set last = 5 where thread = 1 and last = 6', 5],
    [
      'a line has become bytes',
      'pragma ignore_check_constraints = on; update batches set line = line where 0; delete from batches where thread = 1 and last = 4',
      3,
    ],
  ])('%s: it is reported at its place', async (_what, sql, seq) => {
    const path = await sample()
    meddle(path, (db) => db.exec(sql))
    const journal = sqlite(path)
    const { values, error } = await readable(journal)
    expect(values.length).toBe(seq - 1)
    expect(isLoomError(error) && error.message).toContain(`The thread thread is damaged at seq ${seq}`)
    const [finding, ...others] = await allOf(verify(journal, 'thread'))
    expect(finding).toMatchObject({ thread: 'thread' })
    expect(others).toEqual([])
    await journal.close()
  })

  test('a damaged thread is not written any more, and other threads are', async () => {
    const path = await sample()
    meddle(path, (db) => db.exec("update batches set line = replace(line, 'b too', 'b two')"))
    const journal = sqlite(path)
    expect((await readable(journal)).values).toEqual(['a', 'a too'])
    await expect(journal.append('thread', batchAt(6, facts('d')))).rejects.toThrow('damaged at seq 3')
    expect(await journal.append('thread', batchAt(0, facts('d')))).toEqual({ kind: 'conflict', seq: 6 })
    expect(await journal.append('other', batchAt(1, facts('d')))).toEqual({ kind: 'appended', seq: 2 })
    await journal.remove('thread')
    expect(await journal.append('thread', batchAt(0, facts('new')))).toEqual({ kind: 'appended', seq: 1 })
    expect(await valuesOf(journal, 'thread')).toEqual(['new'])
    await journal.close()
  })

  test('a thread that has lost its end is not written, also before it was read', async () => {
    const path = await sample()
    meddle(path, (db) => db.exec('delete from batches where thread = 1 and last = 6'))
    const journal = sqlite(path)
    await expect(journal.append('thread', batchAt(4, facts('d')))).rejects.toThrow('the events up to 6 are missing')
    await journal.close()
  })

  test('a reader can continue after the damage', async () => {
    const path = await sample()
    meddle(path, (db) => db.exec("update batches set line = replace(line, 'b too', 'b two')"))
    const journal = sqlite(path)
    expect((await journal.read('thread', { from: 5 })).length).toBe(2)
    await journal.close()
  })

  test('labels that are broken are reported', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    await journal.append('thread', batchAt(0, facts('a'), { summary: { status: 'idle', labels: { a: 1 } } }))
    meddle(path, (db) => db.exec("update threads set labels = '{'"))
    await expect(journal.head('thread')).rejects.toThrow('its labels are broken')
    await journal.close()
  })
})

describe('big values', () => {
  const big = 'x'.repeat(200_000)

  test('a big text is stored once for all threads, and removed with the last of them', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    await journal.append('one', batchAt(0, facts(big, { deep: [big] })))
    await journal.append('one', batchAt(2, facts(big)))
    await journal.append('two', batchAt(0, facts(big)))
    const blobs = (): unknown => {
      let row: unknown
      meddle(path, (db) => {
        row = { ...db.prepare('select count(*) as count, sum(length(bytes)) as bytes from blobs').get() }
      })
      return row
    }
    expect(blobs()).toEqual({ count: 1, bytes: big.length })
    expect(await valuesOf(journal, 'one')).toEqual([big, { deep: [big] }, big])
    await journal.remove('one')
    expect(blobs()).toEqual({ count: 1, bytes: big.length })
    expect(await valuesOf(journal, 'two')).toEqual([big])
    await journal.remove('two')
    expect(blobs()).toEqual({ count: 0, bytes: null })
    await journal.close()
  })

  test.each([
    ['missing', 'delete from blobs', 'is missing'],
    ['changed', "update blobs set bytes = cast(replace(cast(bytes as text), 'xxxx', 'xxyx') as blob)", 'is not what was stored'],
    ['another one', "update blobs set bytes = x'00', digest = x'6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'", 'is missing'],
  ])('a big text that is %s is reported', async (_what, sql, message) => {
    const path = pathOf()
    const journal = sqlite(path)
    await journal.append('thread', batchAt(0, facts('a')))
    await journal.append('thread', batchAt(1, facts(big)))
    meddle(path, (db) => db.exec(sql))
    const { values, error } = await readable(journal)
    expect(values).toEqual(['a'])
    expect(isLoomError(error) && error.message).toContain(message)
    await expect(journal.append('thread', batchAt(2, facts('b')))).rejects.toThrow(message)
    await journal.close()
  })

  test('a blob that was changed is reported', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    await journal.append('thread', batchAt(0, facts('a'), { blobs: new Map([['hash', Uint8Array.of(1, 2, 3)]]) }))
    meddle(path, (db) => db.exec("update blobs set bytes = x'010203FF'"))
    await expect(journal.blob('hash')).rejects.toThrow('The blob hash in the journal')
    await journal.close()
  })
})

describe('damage of the file', () => {
  test('when any byte of the file is changed, nothing is read that was not appended', async () => {
    const path = await sample()
    const whole = readFileSync(path)
    const spoiledPath = pathOf()
    const expected = ['a', 'a too', 'b', 'b too', 'c', 'c too']
    let reported = 0
    for (let index = 0; index < whole.length; index += whole[index] === 0 ? 151 : 3) {
      const spoiled = Buffer.from(whole)
      spoiled[index] = (spoiled[index] ?? 0) ^ (1 << (index % 8))
      writeFileSync(spoiledPath, spoiled)
      let journal: Journal | undefined
      try {
        journal = sqlite(spoiledPath)
        const { values, error } = await readable(journal)
        const isGone = values.length === 0 && error === undefined && (await journal.head('thread')) === undefined
        expect([index, values]).toEqual([index, expected.slice(0, values.length)])
        if (error !== undefined && !isLoomError(error)) throw error
        if (error !== undefined || isGone) reported += 1
        else expect([index, values.length]).toEqual([index, 6])
      } catch (error) {
        if (!isLoomError(error)) throw error
        reported += 1
      } finally {
        await journal?.close()
      }
    }
    expect(reported).toBeGreaterThan(300)
  })

  test('a file that was cut off is reported', async () => {
    const path = await sample()
    const cut = pathOf()
    copyFileSync(path, cut)
    writeFileSync(cut, readFileSync(path).subarray(0, 40_000))
    const found = async (): Promise<readonly unknown[]> => {
      const journal = sqlite(cut)
      try {
        return await allOf(verify(journal))
      } finally {
        await journal.close()
      }
    }
    expect((await found().catch((error: unknown) => [error])).length).toBeGreaterThan(0)
  })
})

describe('verifying', () => {
  test('an undamaged journal has no findings', async () => {
    const path = await sample()
    const journal = sqlite(path)
    await journal.append('third', batchAt(0, facts('x'.repeat(100_000)), { blobs: new Map([['hash', Uint8Array.of(1)]]) }))
    expect(await allOf(verify(journal))).toEqual([])
    await expect(allOf(verify(journal, 'unknown'))).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await journal.close()
  })

  test('every damaged thread is found, and everything that belongs to no thread', async () => {
    const path = await sample()
    const journal = sqlite(path)
    await journal.append('third', batchAt(0, facts('x'), { blobs: new Map([['hash', Uint8Array.of(1)]]) }))
    meddle(path, (db) =>
      db.exec("update batches set line = replace(line, 'other', 'OTHER'); update batches set line = replace(line, 'c too', 'c two')"),
    )
    meddle(path, (db) => db.exec("delete from threads where name = 'third'; delete from thread_blobs"))
    const found = await allOf(verify(journal))
    expect(found.map(({ thread, seq }) => [thread, seq])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['other', 1],
      ['thread', 5],
    ])
    expect(found.map(({ problem }) => problem).join('\n')).toMatch(/batch \d+ belongs to no thread[\s\S]*blob hash belongs to no thread/)
    expect((await eventsOf(journal, 'third')).length).toBe(0)
    await journal.close()
  })

  test('a blob that an event names and that is missing is found, and what only looks like one is data', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    const blobs = new Map([['gone', Uint8Array.of(1, 2, 3)]])
    await journal.append('thread', batchAt(0, facts({ $blob: 'gone', bytes: 3 }, { $blob: 'gone', bytes: 3 }, { $blob: 'x', bytes: 1 }), { blobs }))
    meddle(path, (db) => db.exec("delete from blobs where hash = 'gone'"))
    expect(await allOf(verify(journal))).toEqual([{ thread: 'thread', seq: 1, problem: 'the blob gone is missing' }])
    await journal.close()
  })
})
