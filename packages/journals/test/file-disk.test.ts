/** Disks that read and write little at a time, fail in odd ways, or are real. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Disk, type DiskFile, file, inspectFolder, nodeDisk } from '../src/file/index.ts'
import { verify } from '../src/index.ts'
import { allOf, eventsOf, valuesOf } from './events.ts'
import { accepted, batchAt, codeOf, codes, fact, worldOf } from './file-samples.ts'

const root = mkdtempSync(join(tmpdir(), 'loom-file-disk-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A disk with some operations of its files replaced. */
function bent(disk: Disk, bend: (opened: DiskFile) => Partial<DiskFile>): Disk {
  return {
    ...disk,
    async open(path, how) {
      const opened = await disk.open(path, how)
      return { ...opened, ...bend(opened) }
    },
  }
}

describe('a disk', () => {
  test('that returns a few bytes at a time is read correctly', async () => {
    const world = worldOf()
    const text = 'é'.repeat(60_000)
    const first = world.open()
    for (let seq = 0; seq < 12; seq += 1) await accepted(first, 't', batchAt(seq, [fact(`${seq} ${text}`)]))
    await first.close()
    const disk = bent(world.disk.boot(), (opened) => ({ read: (offset, length) => opened.read(offset, Math.min(length, 5000)) }))
    const journal = file('journal', { ports: { disk } })
    expect((await journal.threads()).map(({ seq }) => seq)).toEqual([12])
    expect((await valuesOf(journal, 't')).map((value) => String(value).length)).toEqual(
      Array.from({ length: 12 }, (_, seq) => `${seq} ${text}`.length),
    )
    expect((await inspectFolder('journal', { disk })).damage).toEqual([])
  })

  test('whose file becomes shorter while it is read returns what is left', async () => {
    const world = worldOf()
    await accepted(world.open(), 't', batchAt(0, [fact(1)]))
    world.disk.kill()
    const disk = bent(world.disk.boot(), (opened) => ({ size: async () => (await opened.size()) + 1000 }))
    expect((await inspectFolder('journal', { disk })).threads).toMatchObject([{ seq: 1 }])
  })

  test('that takes no bytes without an error counts as full', async () => {
    const journal = file('journal', { ports: { disk: bent(worldOf().disk.boot(), () => ({ write: async () => 0 })) } })
    await expect(journal.append('t', batchAt(0, [fact(1)]))).rejects.toThrow('the disk takes no more bytes. The disk is full.')
  })

  test('that cannot close a file has written it nevertheless', async () => {
    const disk = bent(worldOf().disk.boot(), () => ({ close: () => Promise.reject(new Error('no')) }))
    const journal = file('journal', { ports: { disk } })
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    await journal.close()
  })

  test('that throws an error that is no disk error passes it on unchanged', async () => {
    const disk: Disk = { ...worldOf().disk.boot(), open: () => Promise.reject(new TypeError('a mistake')) }
    await expect(file('journal', { ports: { disk } }).head('t')).rejects.toThrow(new TypeError('a mistake'))
  })

  test('that cannot sync its folder is not opened', async () => {
    let isFailing = true
    const world = worldOf({ fault: ({ action }) => (isFailing && action === 'syncFolder' ? 'EIO' : undefined) })
    const journal = world.open()
    await expect(journal.head('t')).rejects.toThrow('The thread t could not be read: EIO')
    isFailing = false
    await accepted(journal, 't', batchAt(0, [fact(1)]))
  })

  test('that fails while a thread is opened is read again the next time', async () => {
    let isFailing = false
    const world = worldOf({ fault: ({ action }) => (isFailing && action === 'read' ? 'EIO' : undefined) })
    await accepted(world.open(), 't', batchAt(0, [fact(1)]))
    world.disk.kill()
    isFailing = true
    const journal = world.open()
    expect(await codeOf(journal.head('t'))).toBe(codes.unavailable)
    expect(await codeOf(journal.threads())).toBe(codes.unavailable)
    // Whether a fork reads the thread cannot be known either.
    expect(await codeOf(journal.remove('t'))).toBe(codes.unavailable)
    isFailing = false
    expect((await journal.head('t'))?.seq).toBe(1)
  })
})

describe('a long line', () => {
  test('at the end of a file does not prevent listing its thread', async () => {
    const world = worldOf()
    const first = world.open()
    const long = Array.from({ length: 25 }, (_, index) => fact(String(index).repeat(30_000)))
    await accepted(first, 't', batchAt(0, [fact('short')]))
    await accepted(first, 't', batchAt(1, long))
    expect(world.disk.bytes(world.path('t')).length).toBeGreaterThan(1_048_576)
    world.disk.kill()
    const journal = world.open()
    expect((await journal.threads()).map(({ seq }) => seq)).toEqual([26])
    expect((await eventsOf(journal, 't')).length).toBe(26)
  })
})

describe('an inspection', () => {
  test('reports torn ends that were cut off, and no thread in use', async () => {
    const world = worldOf()
    const first = world.open()
    for (const thread of ['cut', 'torn', 'used']) await accepted(first, thread, batchAt(0, [fact(1)]))
    world.disk.kill()
    const tear = (stem: string): void => world.disk.replace(world.path(stem), Buffer.concat([world.disk.bytes(world.path(stem)), Buffer.from('{')]))
    tear('cut')
    tear('torn')
    const journal = world.open()
    await journal.head('cut')
    await journal.head('used')
    tear('used')
    expect(await journal.inspect()).toEqual([
      { problem: 'The end of a file was torn and has been cut off. It is kept in cut.torn-1.', repaired: true },
      { problem: 'The end of a file was torn and has been cut off. It is kept in torn.torn-1.', repaired: true },
    ])
    expect((await allOf(verify(journal))).map(({ problem }) => problem)).toContain(
      'The end of a file was torn and has been cut off. It is kept in cut.torn-1.',
    )
  })
})

describe('the disk of this machine', () => {
  test('makes folders at any path, also a relative one, and lists files only', async () => {
    const folder = join(relative(process.cwd(), root), 'a', 'b', 'c')
    const journal = file(folder)
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    await journal.close()
    expect(existsSync(join(root, 'a', 'b', 'c', 't.jsonl'))).toBe(true)
    mkdirSync(join(root, 'a', 'b', 'c', 'folder'))
    const disk = nodeDisk()
    expect((await disk.list(folder)).map(({ name }) => name).toSorted()).toEqual(['anchors', 'feed', 't.jsonl'])
    await disk.rename(join(folder, 'feed'), join(folder, 'v'))
    await disk.remove(join(folder, 'v'))
    await expect(disk.rename(join(folder, 'unknown'), join(folder, 'x'))).rejects.toMatchObject({ code: 'ENOENT' })
    const opened = await disk.open(join(folder, 't.jsonl'), 'read')
    const size = await opened.size()
    expect((await opened.read(size - 2, 10)).length).toBe(2)
    await opened.close()
    await expect(disk.open(join(folder, 'x'), 'change')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
