/** Threads are listed without reading them, and the list is never older than the threads. */

import type { DiskOperation } from '@loom-agent/harness/disk'
import type { Journal } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { idle } from '../../../test/support/event-loop.ts'
import { type Disk, file } from '../src/file/index.ts'
import { eventsOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, type World, worldOf } from './file-samples.ts'

/** A disk that records the operations on the files of threads. */
function watched(): World & { readonly operations: string[] } {
  const operations: string[] = []
  const fault = ({ action, path }: DiskOperation): undefined => {
    if (path.endsWith('.jsonl')) operations.push(action)
  }
  return { ...worldOf({ fault }), operations }
}

async function fill(journal: Journal, threads: number, batches: number): Promise<void> {
  for (let number = 0; number < threads; number += 1) {
    const events = [fact('x'.repeat(3000))]
    for (let seq = 0; seq < batches; seq += 1)
      await accepted(journal, `t${number}`, batchAt(seq, events, { summary: { status: 'done', labels: { seq } } }))
  }
}

const listOf = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread, seq }) => `${thread}@${seq}`)
const times = (operations: readonly string[], action: string): number => operations.filter((name) => name === action).length

describe('the thread table', () => {
  test('is built from the ends of the files, and kept from then on', async () => {
    const world = watched()
    await fill(world.open(), 5, 40)
    world.disk.kill()
    world.operations.length = 0
    const journal = world.open()
    expect(await listOf(journal)).toEqual(['t0@40', 't1@40', 't2@40', 't3@40', 't4@40'])
    expect((await journal.threads())[0]?.summary).toEqual({ status: 'done', labels: { seq: 39 } })
    expect(times(world.operations, 'open')).toBe(5)
    // The first line, and an end that grows once: a line is longer than the first reach.
    expect(times(world.operations, 'read')).toBeLessThanOrEqual(5 * 3)
    world.operations.length = 0
    await accepted(journal, 'new', batchAt(0, [fact(0)]))
    await journal.remove('t1')
    world.operations.length = 0
    expect(await listOf(journal)).toEqual(['new@1', 't0@40', 't2@40', 't3@40', 't4@40'])
    expect(world.operations).toEqual([])
  })

  test('shows threads of files that were renamed, and what is there', async () => {
    const world = watched()
    await fill(world.open(), 2, 2)
    world.disk.crash('forget')
    await world.disk.boot().rename('journal/t1.jsonl', 'journal/t9.jsonl')
    expect(await listOf(world.open())).toEqual(['t0@2'])
    expect(world.damage).toMatchObject([{ kind: 'unknown', file: 't9.jsonl', thread: 't1' }])
  })

  test('shows what was acknowledged while a write is under way, and after it has failed', async () => {
    let isFailing = false
    const world = worldOf({ fault: ({ action, path }) => (isFailing && action === 'sync' && path.endsWith('t0.jsonl') ? 'EIO' : undefined) })
    const journal = world.open()
    await fill(journal, 2, 1)
    isFailing = true
    const writing = codeOf(journal.append('t0', batchAt(1, [fact(1)])))
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve()
    expect(await listOf(journal)).toEqual(['t0@1', 't1@1'])
    expect(await writing).toBe(codes.unavailable)
    expect(await listOf(journal)).toEqual(['t0@1', 't1@1'])
  })

  test('is built before the first write: no file is written while it is read', async () => {
    const world = worldOf()
    await fill(world.open(), 1, 1)
    world.disk.kill()
    const gate = Promise.withResolvers<void>()
    const disk = world.disk.boot()
    const opened: string[] = []
    const slow: Disk = {
      ...disk,
      async open(path, how) {
        if (path.endsWith('.jsonl')) opened.push(path)
        const handle = await disk.open(path, how)
        return opened.length === 1 ? { ...handle, sync: () => gate.promise.then(() => handle.sync()) } : handle
      },
    }
    const journal = file('journal', { ports: { disk: slow } })
    const listing = listOf(journal)
    await idle()
    const writing = accepted(journal, 't0', batchAt(1, [fact(1)]))
    await idle()
    expect(opened.length).toBe(1)
    gate.resolve()
    await writing
    expect(await listing).toEqual(['t0@1'])
    expect(await listOf(journal)).toEqual(['t0@2'])
  })

  test('is built again after it could not be built', async () => {
    let isFailing = false
    const world = worldOf({ fault: ({ action }) => (isFailing && action === 'list' ? 'EIO' : undefined) })
    await fill(world.open(), 1, 1)
    world.disk.kill()
    const journal = world.open()
    isFailing = true
    expect(await codeOf(journal.threads())).toBe(codes.unavailable)
    isFailing = false
    expect(await listOf(journal)).toEqual(['t0@1'])
  })
})

describe('removing', () => {
  test('that fails half-way rejects, and continues when it is called again', async () => {
    for (let at = 1; ; at += 1) {
      let seen = 0
      let isOn = false
      const fault = (): 'EIO' | undefined => {
        if (isOn) seen += 1
        return isOn && seen === at ? 'EIO' : undefined
      }
      const world = worldOf({ seed: at, fault })
      const journal = world.open()
      await accepted(journal, 't', batchAt(0, [fact(0)], { blobs: new Map([['blob', Buffer.from('x')]]) }))
      await accepted(journal, 'u', batchAt(0, [fact(0)]))
      await journal.threads()
      isOn = true
      const code = await codeOf(journal.remove('t'))
      isOn = false
      expect(code).toBe(seen >= at ? codes.unavailable : 'none')
      const events = (await eventsOf(journal, 't')).length
      expect(await listOf(journal), `at ${at}`).toEqual(events === 1 ? ['t@1', 'u@1'] : ['u@1'])
      await journal.remove('t')
      expect(await journal.blob('blob')).toBeUndefined()
      world.disk.crash('forget')
      const again = world.open()
      expect(await listOf(again), `at ${at}`).toEqual(['u@1'])
      await accepted(again, 't', batchAt(0, [fact('anew')]))
      expect(await again.blob('blob')).toBeUndefined()
      if (code === 'none') break
    }
  })

  test('waits for earlier operations, and later ones find nothing', async () => {
    const journal = worldOf().open()
    const results = await Promise.all([
      journal.append('t', batchAt(0, [fact('before')])),
      journal.acquire('t', claimOf('w', 0)),
      journal.remove('t'),
      journal.append('t', batchAt(1, [fact('after')])),
      journal.append('t', batchAt(0, [fact('anew')])),
    ])
    expect(results).toMatchObject([{ seq: 1 }, { epoch: 1 }, 'removed', { kind: 'conflict', seq: 0 }, { kind: 'appended', seq: 1 }])
    expect((await journal.head('t'))?.holder).toBeUndefined()
  })

  test('while a page is read lets the reader see the new state', async () => {
    const world = worldOf()
    const gate = Promise.withResolvers<void>()
    let isHeld = false
    const disk = world.disk.boot()
    const slow: Disk = {
      ...disk,
      async open(path, how) {
        const opened = await disk.open(path, how)
        const read: typeof opened.read = async (...range) => {
          if (!isHeld) return opened.read(...range)
          // Only the reader is held, which comes first: a removal reads too.
          isHeld = false
          await gate.promise
          throw new Error('gone')
        }
        return { ...opened, read }
      },
    }
    const journal = file('journal', { onDamage: () => {}, ports: { disk: slow } })
    await accepted(journal, 't', batchAt(0, [fact('before')]))
    await journal.threads()
    isHeld = true
    const reading = journal.read('t')
    await journal.remove('t')
    await accepted(journal, 't', batchAt(0, [fact('anew'), fact('again')]))
    gate.resolve()
    expect((await reading).length).toBe(2)
  })
})
