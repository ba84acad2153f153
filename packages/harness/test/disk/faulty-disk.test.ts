/** The simulated disk: what survives, what is lost, and how it fails. */
import type { Disk } from '@loom-agent/journals/file'
import { describe, expect, test } from 'vitest'
import { idle } from '../../../../test/support/event-loop.ts'
import { type DiskOperation, type FaultyDisk, type FaultyDiskOptions, faultyDisk } from '../../src/disk/faulty-disk.ts'

const text = (disk: FaultyDisk, path = 'f/a'): string => Buffer.from(disk.bytes(path)).toString()
const names = async (disk: FaultyDisk): Promise<string> => (await disk.boot().list('f')).map(({ name }) => name).join(' ')

async function fresh(options: FaultyDiskOptions = {}): Promise<{ disk: FaultyDisk; view: Disk }> {
  const disk = faultyDisk(options)
  const view = disk.boot()
  await view.makeFolder('f')
  return { disk, view }
}

/** A file that is durable with its name, and open. */
async function written(view: Disk, content: string, path = 'f/a'): Promise<Awaited<ReturnType<Disk['open']>>> {
  const file = await view.open(path, 'create')
  await file.write(0, Buffer.from(content))
  await file.sync()
  await view.syncFolder('f')
  return file
}

describe('power', () => {
  test('that fails takes what was not synced, and leaves what was', async () => {
    const { disk, view } = await fresh()
    const file = await written(view, 'durable')
    await file.write(7, Buffer.from(' and more'))
    await file.truncate(3)
    expect(text(disk)).toBe('dur')
    disk.crash('forget')
    expect(text(disk)).toBe('durable')
  })

  test('that fails takes names that were made, changed or removed since the folder was synced', async () => {
    const { disk, view } = await fresh()
    await written(view, 'old', 'f/old')
    await written(view, 'kept', 'f/kept')
    const made = await view.open('f/made', 'create')
    await made.write(0, Buffer.from('x'))
    await made.sync()
    await view.rename('f/old', 'f/new')
    await view.remove('f/kept')
    expect(await names(disk)).toBe('made new')
    disk.crash('forget')
    expect(await names(disk)).toBe('old kept')
    const again = disk.boot()
    await again.rename('f/old', 'f/new')
    await again.syncFolder('f')
    disk.crash('forget')
    expect(await names(disk)).toBe('kept new')
  })

  test('that fails may leave any prefix of what was written, and with it any prefix of a write', async () => {
    const ends = new Set<string>()
    for (let seed = 1; seed <= 300; seed += 1) {
      const { disk, view } = await fresh({ seed })
      const file = await written(view, '')
      await file.write(0, Buffer.from('abc'))
      await file.write(3, Buffer.from('def'))
      disk.crash('tear')
      ends.add(text(disk))
    }
    expect([...ends].toSorted()).toEqual(['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef'])
  })

  test('that fails may leave any sectors of what was written', async () => {
    const ends = new Set<string>()
    for (let seed = 1; seed <= 200; seed += 1) {
      const { disk, view } = await fresh({ seed })
      const file = await written(view, '')
      await file.write(256, Buffer.alloc(1024, 1))
      await file.truncate(1100)
      disk.crash('scatter')
      const bytes = disk.bytes('f/a')
      ends.add([bytes.length, bytes[300] ?? '-', bytes[600] ?? '-', bytes[1050] ?? '-'].join(' '))
    }
    // Lengths with and without the truncation; a lost sector before a kept one is zeros.
    expect(ends).toContain('1280 0 1 1')
    expect(ends).toContain('1100 1 0 1')
    expect(ends).toContain('512 1 - -')
    expect(ends.size).toBeGreaterThan(8)
  })

  test('fails the same way for the same seed', async () => {
    const run = async (seed: number): Promise<string> => {
      const { disk, view } = await fresh({ seed })
      const file = await written(view, '')
      for (let index = 0; index < 20; index += 1) await file.write(index * 10, Buffer.from('0123456789'))
      disk.crash('tear')
      return text(disk)
    }
    expect(await run(7)).toBe(await run(7))
    expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(run))).size).toBeGreaterThan(1)
  })
})

describe('a process', () => {
  test('that is killed loses nothing, gets no result of what it has started, and releases its lock', async () => {
    const { disk, view } = await fresh()
    const file = await view.open('f/a', 'create')
    await file.write(0, Buffer.from('visible'))
    const unlock = await view.lock('f')
    await expect(disk.boot().lock('f')).rejects.toThrow('f is locked')
    const started = file.sync()
    disk.kill()
    const dead = Symbol('dead')
    for (const late of [started, file.size(), view.list('f'), view.lock('f')]) {
      expect(await Promise.race([late, idle().then(() => dead)])).toBe(dead)
    }
    expect(text(disk)).toBe('visible')
    const next = await disk.boot().lock('f')
    await unlock()
    await expect(disk.boot().lock('f')).rejects.toThrow('f is locked')
    await next()
    await disk.boot().lock('f')
  })

  test('is stopped in the middle of an operation, before its work, after it or within it', async () => {
    const ends = new Set<string>()
    for (let seed = 1; seed <= 60; seed += 1) {
      const { disk, view } = await fresh({ seed, fault: ({ action }) => (action === 'write' ? 'stop' : undefined) })
      const file = await view.open('f/a', 'create')
      await Promise.race([file.write(0, Buffer.from('abc')), disk.stopped()])
      ends.add(text(disk))
    }
    expect([...ends].toSorted()).toEqual(['', 'a', 'ab'])
    const { disk, view } = await fresh({ fault: ({ action }) => (action === 'remove' ? 'stop' : undefined) })
    await Promise.race([view.remove('f/unknown'), disk.stopped()])
  })
})

describe('faults', () => {
  test('are chosen before every operation, by its number, action and path', async () => {
    const seen: DiskOperation[] = []
    const { disk, view } = await fresh({ fault: (operation) => void seen.push(operation) })
    const file = await written(view, 'x')
    expect(Buffer.from(await file.read(0, 9)).toString()).toBe('x')
    await file.close()
    expect(seen.map(({ number, action, path }) => `${number} ${action} ${path}`)).toEqual([
      '1 makeFolder f',
      '2 open f/a',
      '3 write f/a',
      '4 sync f/a',
      '5 syncFolder f',
      '6 read f/a',
    ])
    expect([disk.count(), disk.count('sync'), disk.count('rename')]).toEqual([6, 1, 0])
  })

  test('of a write leave part of it, and a short write takes some of it and says so', async () => {
    let fault: 'EIO' | 'short' | undefined
    const { disk, view } = await fresh({ fault: ({ action }) => (action === 'write' ? fault : undefined) })
    const file = await view.open('f/a', 'create')
    fault = 'EIO'
    await expect(file.write(0, Buffer.from('abcdef'))).rejects.toMatchObject({ code: 'EIO' })
    expect('abcdef'.startsWith(text(disk))).toBe(true)
    fault = 'short'
    for (let round = 0; round < 20; round += 1) {
      const taken = await file.write(0, Buffer.from('abcdef'))
      expect(taken).toBeGreaterThan(0)
      expect(taken).toBeLessThan(6)
      await file.truncate(0)
    }
  })

  test('of a sync cannot be undone by another sync: only what is written again becomes durable', async () => {
    let fails = false
    const { disk, view } = await fresh({ fault: ({ action }) => (fails && action === 'sync' ? 'EIO' : undefined) })
    const file = await written(view, 'abc')
    await file.write(3, Buffer.from('def'))
    fails = true
    await expect(file.sync()).rejects.toMatchObject({ code: 'EIO' })
    fails = false
    expect(text(disk)).toBe('abcdef')
    await file.sync()
    disk.crash('forget')
    expect(text(disk)).toBe('abc')
  })

  test('of other operations change nothing', async () => {
    let fault: 'EIO' | undefined
    const { disk, view } = await fresh({ fault: () => fault })
    await written(view, 'x')
    fault = 'EIO'
    await expect(view.remove('f/a')).rejects.toMatchObject({ code: 'EIO' })
    await expect(view.rename('f/a', 'f/b')).rejects.toMatchObject({ code: 'EIO' })
    fault = undefined
    expect(await names(disk)).toBe('a')
  })

  test('come from the disk itself when there is no room, no file or no folder', async () => {
    const { disk, view } = await fresh()
    const file = await written(view, 'abc')
    disk.room = 2
    expect(await file.write(3, Buffer.from('def'))).toBe(2)
    await expect(file.write(5, Buffer.from('f'))).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await file.write(0, Buffer.from('ABC'))).toBe(3)
    await file.truncate(1)
    expect(disk.room).toBe(4)
    await view.remove('f/a')
    expect(disk.room).toBe(5)
    await expect(view.open('f/a', 'change')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(view.list('g')).rejects.toMatchObject({ code: 'ENOENT' })
    await written(view, 'x', 'f/b')
  })

  test('a disk that lies reports a sync that it has not done', async () => {
    const { disk, view } = await fresh({ lies: ['sync'] })
    await written(view, 'abc')
    disk.crash('forget')
    expect(text(disk)).toBe('')
    const other = await fresh({ lies: ['syncFolder'] })
    await written(other.view, 'abc')
    other.disk.crash('forget')
    expect(await names(other.disk)).toBe('')
  })

  test('what is replaced from outside is durable at once', async () => {
    const { disk, view } = await fresh()
    await written(view, 'abc')
    disk.replace('f/a', Buffer.from('other'))
    disk.crash('forget')
    expect(text(disk)).toBe('other')
  })
})
