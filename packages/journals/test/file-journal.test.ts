/** The file journal beyond the contract: groups, modes, pages, blobs, and folders that were changed by others. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DiskOperation } from '@loom-agent/harness/disk'
import type { LoomEvent } from '@loom-agent/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { type Damage, type Disk, file, inspectFolder } from '../src/file/index.ts'
import { verify } from '../src/index.ts'
import { allOf, eventsOf, valuesOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, passing, tornLine, worldOf } from './file-samples.ts'

const root = mkdtempSync(join(tmpdir(), 'loom-file-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const freshFolder = (): string => mkdtempSync(join(root, 'folder-'))
const linesOf = (bytes: Uint8Array): readonly string[] => Buffer.from(bytes).toString().trimEnd().split('\n')

describe('a file', () => {
  test('is readable lines of JSON', async () => {
    const world = worldOf()
    const journal = world.open()
    await journal.acquire('t', claimOf('w', 0))
    await accepted(journal, 't', batchAt(0, [fact('a'), fact('b')], { id: 'one', epoch: 1, summary: { status: 'done', agent: 'x' } }))
    const lines = linesOf(world.disk.bytes(world.path('t'))).map((line) => JSON.parse(line) as object)
    expect(lines).toMatchObject([
      { loom: 'thread', format: 2, thread: 't', incarnation: 'i', mode: 'strict', time: 5, head: [0, 0] },
      { acquired: { epoch: 1, worker: 'w', time: 5 }, head: [0, 1], joined: true },
      {
        id: 'one',
        v: 2,
        feed: 1,
        epoch: 1,
        events: [
          ['memory.recorded', { key: 'fact', value: 'a' }],
          ['memory.recorded', {}],
        ],
        summary: { agent: 'x' },
        head: [2, 1],
      },
    ])
    for (const line of lines) expect(line).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('has a line where its mode changes', async () => {
    const world = worldOf()
    for (const [seq, mode] of (['strict', 'relaxed', 'relaxed', 'strict'] as const).entries()) {
      const journal = world.open(mode)
      expect(journal.traits).toEqual({ name: 'file', shared: false, durable: true, bytes: true, mode })
      await accepted(journal, 't', batchAt(seq, [fact(seq)], { summary: { status: 'waiting' } }))
      await journal.close()
      expect((await inspectFolder('journal', { disk: world.disk.boot() })).threads).toMatchObject([{ mode, seq: seq + 1 }])
    }
    const modes = linesOf(world.disk.bytes(world.path('t'))).flatMap((line) => ('mode' in JSON.parse(line) ? [JSON.parse(line).mode] : []))
    expect(modes).toEqual(['strict', 'relaxed', 'strict'])
    expect((await world.open().head('t'))?.summary).toEqual({ status: 'waiting' })
  })
})

describe('groups', () => {
  test('operations at the same time are one write and one sync, and every group has its own sync', async () => {
    const done: string[] = []
    const world = worldOf({ fault: ({ action, path }) => void done.push(`${action} ${path}`) })
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(0)]))
    for (let group = 0; group < 5; group += 1) {
      done.length = 0
      await Promise.all(Array.from({ length: 20 }, (_, index) => accepted(journal, 't', batchAt(1 + group * 20 + index, [fact(index)]))))
      // The anchors are written too, and nothing waits for them.
      expect(done.filter((action) => action !== 'write journal/anchors')).toEqual([`write ${world.path('t')}`, `sync ${world.path('t')}`])
    }
  })

  test('operations that come during a sync are the next group', async () => {
    const world = worldOf()
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(0)]))
    const syncs = world.disk.count('sync')
    const all = Array.from({ length: 50 }, async (_, index) => {
      for (let tick = 0; tick < index; tick += 1) await Promise.resolve()
      await accepted(journal, 't', batchAt(1 + index, [fact(index)]))
    })
    await Promise.all(all)
    expect(world.disk.count('sync') - syncs).toBeGreaterThan(1)
    expect(world.disk.count('sync') - syncs).toBeLessThan(25)
    expect((await eventsOf(journal, 't')).length).toBe(51)
  })

  test('a conflict affects only its own batch, and an id that comes twice in a group is stored once', async () => {
    const journal = worldOf().open()
    const twice = batchAt(0, [fact('a'), fact('b')])
    const group = [twice, batchAt(7, [fact('x')]), twice, batchAt(2, [fact('c')], { epoch: 3 }), batchAt(2, [fact('c')])]
    expect(await Promise.all(group.map((batch) => journal.append('t', batch)))).toEqual([
      { kind: 'appended', seq: 2 },
      { kind: 'conflict', seq: 2 },
      { kind: 'appended', seq: 2 },
      { kind: 'fenced', epoch: 0 },
      { kind: 'appended', seq: 3 },
    ])
  })

  test('in relaxed mode what may be lost is acknowledged before it is synced, and what may not be lost after', async () => {
    let isFailing = false
    const world = worldOf({ fault: ({ action }) => (isFailing && action === 'sync' ? 'EIO' : undefined) })
    const journal = world.open('relaxed')
    await accepted(journal, 't', batchAt(0, [fact(0)]))
    isFailing = true
    await accepted(journal, 't', batchAt(1, [passing(1)]))
    expect(await codeOf(journal.append('t', batchAt(2, [fact(2)])))).toBe(codes.unavailable)
    expect(await codeOf(journal.acquire('t', claimOf('w', 0)))).toBe(codes.unavailable)
    world.disk.crash('forget')
    isFailing = false
    expect((await eventsOf(world.open('relaxed'), 't')).length).toBe(1)
  })

  test('in relaxed mode only a limited number of bytes is not flushed', async () => {
    const gate = Promise.withResolvers<void>()
    let isHeld = false
    const disk = worldOf().disk.boot()
    const slow: Disk = {
      ...disk,
      async open(path, how) {
        const opened = await disk.open(path, how)
        return { ...opened, sync: () => (isHeld ? gate.promise.then(() => opened.sync()) : opened.sync()) }
      },
    }
    const journal = file('journal', { mode: 'relaxed', ports: { disk: slow } })
    await accepted(journal, 't', batchAt(0, [fact(0)]))
    isHeld = true
    let acknowledged = 0
    const writing = (async () => {
      for (let seq = 1; seq <= 30; seq += 1) {
        await accepted(journal, 't', batchAt(seq, [passing('x'.repeat(60_000))]))
        acknowledged = seq
      }
    })()
    await until(() => acknowledged === 17)
    await idle(100)
    expect(acknowledged).toBe(17)
    gate.resolve()
    await writing
    await journal.close()
  })
})

describe('a page', () => {
  test('reads the bytes it needs and no others', async () => {
    const reads: DiskOperation[] = []
    const world = worldOf({ fault: (operation) => void (operation.action === 'read' && reads.push(operation)) })
    const journal = world.open()
    for (let seq = 0; seq < 30; seq += 1) await accepted(journal, 't', batchAt(seq, [fact('x'.repeat(60_000))]))
    reads.length = 0
    const page: readonly LoomEvent[] = await journal.read('t', { from: 20, limit: 3 })
    expect(page.map(({ seq }) => seq)).toEqual([20, 21, 22])
    expect(reads.length).toBe(1)
    // A page has a limit in bytes too, and the next one starts where it ended.
    expect((await journal.read('t')).length).toBe(18)
    expect((await eventsOf(journal, 't')).length).toBe(30)
  })

  test.each([
    ['in what is asked for', 3, codes.damaged],
    ['before what is asked for', 1, 'none'],
  ])('that meets damage %s which was not there when the thread was opened is refused, or not affected', async (_where, line, code) => {
    const world = worldOf()
    const journal = world.open()
    for (let seq = 0; seq < 4; seq += 1) await accepted(journal, 't', batchAt(seq, [fact(seq)]))
    const bytes = world.disk.bytes(world.path('t'))
    const offset = linesOf(bytes).slice(0, line).join('\n').length + 10
    bytes[offset] = 0
    world.disk.replace(world.path('t'), bytes)
    expect(await codeOf(journal.read('t', { from: 3, limit: 1 }))).toBe(code)
    if (code === 'none') return
    expect(world.damage).toMatchObject([{ kind: 'damaged', line: 4, seq: 3 }])
    expect((await journal.read('t')).length).toBe(2)
    expect(await codeOf(journal.append('t', batchAt(4, [fact(4)])))).toBe(code)
    expect(world.damage.length).toBe(1)
  })

  test('of a file that sometimes returns other bytes is refused, and the thread is not written any more', async () => {
    const world = worldOf()
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(0)]))
    const bytes = world.disk.bytes(world.path('t'))
    for (const shorter of [bytes.slice(0, -1), bytes.slice(0, 100)]) {
      world.disk.replace(world.path('t'), shorter)
      expect(await codeOf(journal.read('t'))).toBe(codes.damaged)
    }
    expect(world.damage).toMatchObject([{ kind: 'damaged', reason: 'the last line has no line break' }])
  })
})

describe('blobs', () => {
  const bytes = Buffer.from('some bytes')
  const hash = createHash('sha256').update(bytes).digest('hex')
  const blobs = new Map([[hash, bytes]])

  test('come before the line that is the first to name them, in the same write', async () => {
    const done: string[] = []
    const world = worldOf({ fault: ({ action, path }) => void done.push(`${action} ${path}`) })
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(0)]))
    await accepted(journal, 't', batchAt(1, [fact(1)], { blobs }))
    expect(done.filter((action) => action === `write ${world.path('t')}`).length).toBe(2)
    await accepted(journal, 't', batchAt(2, [fact(2)], { blobs }))
    const lines = linesOf(world.disk.bytes(world.path('t'))).map((line) => JSON.parse(line) as object)
    expect(lines.slice(2)).toMatchObject([
      { blob: hash, base64: bytes.toString('base64'), head: [1, 0] },
      { blobs: [[hash]], head: [2, 0] },
      { blobs: [[hash]], head: [3, 0] },
    ])
  })

  test('under a name that is not their hash are stored whenever they are given, and the last counts', async () => {
    const world = worldOf()
    const journal = world.open()
    for (const [seq, text] of ['one', 'two'].entries()) {
      await accepted(journal, 't', batchAt(seq, [fact(seq)], { blobs: new Map([['picture', Buffer.from(text)]]) }))
    }
    expect(Buffer.from((await journal.blob('picture')) ?? []).toString()).toBe('two')
    await journal.close()
    expect(Buffer.from((await world.open().blob('picture')) ?? []).toString()).toBe('two')
  })

  test('big texts are stored as blobs and read back', async () => {
    const world = worldOf()
    const journal = world.open()
    const text = 'long '.repeat(40_000)
    await accepted(journal, 't', batchAt(0, [fact(text), fact({ $blob: 'mine' })]))
    await accepted(journal, 't', batchAt(2, [fact(text)]))
    expect(linesOf(world.disk.bytes(world.path('t'))).filter((line) => line.startsWith('{"blob"')).length).toBe(1)
    world.disk.crash('forget')
    expect(await valuesOf(world.open(), 't')).toEqual([text, { $blob: 'mine' }, text])
    expect((await inspectFolder('journal', { disk: world.disk.boot() })).damage).toEqual([])
  })

  test('that are damaged are reported, and never returned', async () => {
    const world = worldOf()
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(0)], { blobs }))
    const content = world.disk.bytes(world.path('t'))
    const offset = Buffer.from(content).indexOf('"base64":"') + 12
    content[offset] = (content[offset] ?? 0) ^ 1
    world.disk.replace(world.path('t'), content)
    expect(await codeOf(journal.blob(hash))).toBe(codes.damaged)
    expect(world.damage).toMatchObject([{ kind: 'damaged', thread: 't', line: 2 }])
    world.disk.kill()
    expect((await allOf(verify(world.open()))).length).toBeGreaterThan(0)
  })

  test('of threads that are not opened yet are found, and those of removed threads are not', async () => {
    const world = worldOf()
    const first = world.open()
    for (const thread of ['a', 'b']) await accepted(first, thread, batchAt(0, [fact(0)], { blobs: new Map([[thread, bytes]]) }))
    await first.close()
    const journal = world.open()
    expect(Buffer.from((await journal.blob('b')) ?? [])).toEqual(bytes)
    expect(await journal.blob('unknown')).toBeUndefined()
    await journal.remove('b')
    expect([await journal.blob('b'), (await journal.blob('a'))?.length]).toEqual([undefined, bytes.length])
  })
})

/** Where the links of a folder lead; those that are gone by now lead nowhere. */
async function targetsOf(folder: string): Promise<readonly string[]> {
  return Promise.all((await nodeNames(folder)).map((name) => readlink(join(folder, name)).catch(() => '')))
}

async function nodeNames(folder: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises')
  return readdir(folder)
}

describe('a folder that was changed by others', () => {
  const headerOf = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')

  test('files that are empty, of a newer format, of another thread or no journal at all are each reported as what they are', async () => {
    const folder = freshFolder()
    const first = file(folder)
    for (const thread of ['a', 'b']) await accepted(first, thread, batchAt(0, [fact(thread)]))
    await first.close()
    const lines = headerOf(folder, 'a.jsonl')
    writeFileSync(join(folder, 'empty.jsonl'), '')
    writeFileSync(join(folder, 'newer.jsonl'), lines.replace('"format":2', '"format":3'))
    writeFileSync(join(folder, 'copy.jsonl'), lines)
    writeFileSync(join(folder, 'noise.jsonl'), 'noise')
    mkdirSync(join(folder, 'room.jsonl'))
    const damage: Damage[] = []
    const journal = file(folder, { onDamage: (found) => damage.push(found) })
    expect((await journal.threads()).map(({ thread }) => thread)).toEqual(['a', 'b'])
    const reported = (): readonly string[] => damage.splice(0).map(({ kind, file: name, reason }) => `${kind} ${name}: ${reason}`)
    expect(reported().toSorted()).toEqual([
      'damaged noise.jsonl: the line has no end',
      'unknown copy.jsonl: the file has the name of another thread',
      'unknown newer.jsonl: this version does not know the format 3',
    ])
    expect(await journal.head('empty')).toBeUndefined()
    await accepted(journal, 'empty', batchAt(0, [fact('started')]))
    expect(await codeOf(journal.head('newer'))).toBe(codes.damaged)
    expect(await codeOf(journal.append('newer', batchAt(1, [fact('x')])))).toBe(codes.damaged)
    expect(await codeOf(journal.read('copy'))).toBe(codes.damaged)
    expect(await codeOf(journal.append('room', batchAt(0, [fact('x')])))).toBe(codes.unusable)
    expect(reported()).toEqual([])
    expect(await allOf(verify(journal))).toMatchObject([
      { thread: 'a', problem: expect.stringContaining('copy.jsonl') },
      { thread: 'newer', problem: expect.stringContaining('newer.jsonl') },
      { thread: 'noise', problem: expect.stringContaining('noise.jsonl') },
    ])
    await journal.close()
  })

  test('damage without a callback is a warning of the process', async () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 't.jsonl'), '{"loom":')
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    const journal = file(folder)
    await journal.head('t')
    expect((await warned).message).toBe(
      'The journal is torn (t.jsonl, line 1, byte 0, t@1): the line has no end. What was cut off is kept in t.torn-1.',
    )
    await journal.close()
  })

  test('a folder that cannot be opened is refused with what to do', async () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'file'), '')
    await expect(file(join(folder, 'file')).head('t')).rejects.toThrow('There is a file where a folder should be.')
    await expect(file(join(folder, 'file', 'below')).head('t')).rejects.toMatchObject({ code: codes.unusable, retry: 'never' })
    await expect(file(join(folder, 'x'.repeat(300))).head('t')).rejects.toThrow('The path is too long.')
    expect(() => file('')).toThrow('file: path is "". Give the path of a folder.')
    expect(() => file('x', JSON.parse('{"mode":"sloppy"}'))).toThrow('file: mode is "sloppy". Give one of strict, relaxed.')
  })

  test('a torn end that cannot be cut off yet does not prevent reading', async () => {
    let isFull = false
    const world = worldOf({ fault: ({ action }) => (isFull && action === 'write' ? 'ENOSPC' : undefined) })
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(0)]))
    world.disk.kill()
    world.disk.replace(world.path('t'), Buffer.concat([world.disk.bytes(world.path('t')), Buffer.from(tornLine)]))
    isFull = true
    const again = world.open()
    expect((await eventsOf(again, 't')).length).toBe(1)
    expect(world.damage.map(({ kind, copy }) => [kind, copy])).toEqual([['torn', undefined]])
    expect(await codeOf(again.append('t', batchAt(1, [fact(1)])))).toBe(codes.unavailable)
    isFull = false
    await accepted(again, 't', batchAt(1, [fact(1)]))
    expect(world.damage.map(({ copy }) => copy)).toEqual([undefined, 't.torn-1'])
  })
})

describe('closing', () => {
  test('finishes all operations, and refuses later ones', async () => {
    const world = worldOf()
    const journal = world.open()
    const hints: number[] = []
    journal.watch('t', (seq) => hints.push(seq))
    const started = journal.append('t', batchAt(0, [fact(0)]))
    await Promise.all([journal.close(), journal.close()])
    expect(await started).toEqual({ kind: 'appended', seq: 1 })
    expect(await codeOf(journal.append('t', batchAt(1, [fact(1)])))).toBe(codes.closed)
    await expect(journal.head('t')).rejects.toThrow('The thread t could not be read: the journal is closed.')
    expect((await world.open().head('t'))?.seq).toBe(1)
  })

  test('of a journal that was never used does nothing', async () => {
    const folder = join(freshFolder(), 'never')
    await file(folder).close()
    await expect(nodeNames(folder)).rejects.toThrow('ENOENT')
  })
})

describe('many threads', () => {
  test('are not all kept in memory, nor their files open, and a holder is not forgotten', async () => {
    const folder = freshFolder()
    const journal = file(folder, { mode: 'relaxed' })
    const openFiles = async (): Promise<number> => (await targetsOf('/proc/self/fd')).filter((target) => target.startsWith(folder)).length
    await journal.acquire('t0', claimOf('w', 0))
    for (let number = 0; number < 300; number += 1) await accepted(journal, `t${number}`, batchAt(0, [passing(number)]))
    const most = await openFiles()
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(140)
    expect(await journal.head('t0')).toMatchObject({ seq: 1, epoch: 1, holder: 'w' })
    for (let number = 0; number < 300; number += 1) await accepted(journal, `t${number}`, batchAt(1, [passing(number)]))
    expect((await journal.threads()).length).toBe(300)
    await journal.close()
    expect(await openFiles()).toBe(0)
  })
})
