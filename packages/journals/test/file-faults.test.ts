/** The disk fails: the append fails, nothing acknowledged is lost, and the journal works again when the disk does. */

import type { DiskFault, DiskOperation } from '@loom-agent/harness/disk'
import { isLoomError, type Journal } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { idle } from '../../../test/support/event-loop.ts'
import type { FileMode } from '../src/file/index.ts'
import { eventsOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, passing, type World, worldOf } from './file-samples.ts'

/** What was acknowledged, in its order, by thread. */
type Acknowledged = Map<string, string[]>
const big = 'long '.repeat(14_000)

/** One operation of every kind that writes, on two threads at a time; after a failure it sends the same batch again, as a writer does. */
async function scenario(journal: Journal, acknowledged: Acknowledged, isRetried: boolean): Promise<number> {
  let failures = 0
  const append = async (thread: string, value: string, more: object = {}, past: readonly string[] = []): Promise<void> => {
    const batch = batchAt(0, value.startsWith('passing') ? [passing(value)] : [fact(value)], more)
    for (let tries = 0; tries < (isRetried ? 8 : 1); tries += 1) {
      try {
        const stored = acknowledged.get(thread) ?? past
        const result = await journal.append(thread, { ...batch, expected: stored.length })
        if (result.kind === 'appended') acknowledged.set(thread, [...stored, value])
        return
      } catch (error) {
        if (!isLoomError(error)) throw error
        failures += 1
      }
    }
  }
  const quiet = (promise: Promise<unknown>): Promise<unknown> =>
    promise.catch((error: unknown) => {
      if (!isLoomError(error)) throw error
      failures += 1
    })
  const one = async (thread: string): Promise<void> => {
    await append(thread, `${thread}1`)
    await quiet(journal.acquire(thread, claimOf('w', 0)))
    await append(thread, `passing ${thread}2`)
    await append(thread, `passing ${thread}3`)
    await append(thread, `${thread}4`, { blobs: new Map([['blob', Buffer.from('bytes')]]) })
    await quiet(journal.read(thread))
    await append(thread, `${thread}${big}`)
    await append(thread, `passing ${thread}5`)
    await quiet(journal.threads())
  }
  await Promise.all([one('a'), one('b')])
  const past = acknowledged.get('a')?.slice(0, 1) ?? []
  await append('fork', 'forked', { forkOf: { thread: 'a', incarnation: 'i', seq: 1 } }, past)
  if (acknowledged.has('fork')) await expect(journal.remove('a')).rejects.toMatchObject({ code: expect.stringMatching(/BUSY|UNAVAILABLE/) as string })
  await append('gone', 'x')
  await quiet(journal.remove('gone'))
  acknowledged.delete('gone')
  return failures
}

const known = async (journal: Journal, thread: string): Promise<readonly string[]> =>
  (await eventsOf(journal, thread)).map(({ type, data }) =>
    String(type === 'memory.recorded' ? data.value : type === 'hook.applied' ? data.patch['value'] : ''),
  )

/** Everything acknowledged is there, in its order, and at most one batch of an append that failed is at the end. */
async function checkAll(journal: Journal, acknowledged: Acknowledged, tag: string): Promise<void> {
  for (const [thread, values] of acknowledged) {
    const found = await known(journal, thread)
    expect(found.slice(0, values.length), `${tag}, ${thread}`).toEqual(values)
    await accepted(journal, thread, batchAt(found.length, [fact('afterwards')]))
    acknowledged.set(thread, [...found, 'afterwards'])
  }
}

interface Trial {
  readonly mode: FileMode
  readonly fault: Exclude<DiskFault, 'stop'>
  /** How many operations in a row fail. */
  readonly run: number
}

/** The scenario with a fault at one operation after the other, until it is not reached any more. Returns how often that was. */
async function tryAll({ mode, fault, run }: Trial): Promise<{ trials: number; failures: number }> {
  let failures = 0
  for (let at = 1; ; at += 1) {
    let isOn = true
    const world: World = worldOf({ seed: at, fault: ({ number }: DiskOperation) => (isOn && number >= at && number < at + run ? fault : undefined) })
    const acknowledged: Acknowledged = new Map()
    const journal = world.open(mode)
    failures += await scenario(journal, acknowledged, true)
    const isReached = world.disk.count() >= at
    isOn = false
    const tag = `${mode}, ${run} x ${fault} at ${at}`
    await checkAll(journal, acknowledged, tag)
    expect(world.damage, tag).toEqual([])
    await journal.close()
    // What was flushed is there after a power failure, and closing has flushed everything.
    world.disk.crash('forget')
    await checkAll(world.open(mode), acknowledged, `${tag}, reopened`)
    if (!isReached) return { trials: at, failures }
  }
}

describe.each(['strict', 'relaxed'] as const)('in %s mode', (mode) => {
  test.each([
    ['EIO', 1],
    ['EIO', 3],
    ['ENOSPC', 1],
    ['ENOSPC', 12],
  ] as const)('%s at any operation, %d in a row, loses nothing that was acknowledged', async (fault, run) => {
    const { trials, failures } = await tryAll({ mode, fault, run })
    expect(trials).toBeGreaterThan(60)
    expect(failures).toBeGreaterThan(trials / 2)
  })

  test('a disk that takes a few bytes at a time is written correctly', async () => {
    const world = worldOf({ fault: ({ action }) => (action === 'write' ? 'short' : undefined) })
    const acknowledged: Acknowledged = new Map()
    const journal = world.open(mode)
    expect(await scenario(journal, acknowledged, false)).toBe(0)
    await checkAll(journal, acknowledged, 'short writes')
  })

  test('a full disk fails the append, keeps what it has, and is used again when there is room', async () => {
    const world = worldOf()
    const journal = world.open(mode)
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    for (let room = 0; room < 600; room += 37) {
      world.disk.room = room
      const head = (await journal.head('t'))?.seq ?? 0
      await expect(journal.append('t', batchAt(head, [fact('x'.repeat(800))]))).rejects.toMatchObject({
        code: codes.unavailable,
        retry: 'later',
      })
      await expect(journal.append('u', batchAt(0, [fact('x'.repeat(800))]))).rejects.toThrow('The disk is full. Make room, then try again.')
      world.disk.room = Number.POSITIVE_INFINITY
      await accepted(journal, 't', batchAt(head, [fact(room)]))
    }
    expect((await eventsOf(journal, 't')).length).toBe(18)
    expect(await journal.head('u')).toBeUndefined()
  })
})

describe('a sync that fails', () => {
  test('is not trusted when it succeeds the next time: its bytes are written again', async () => {
    let failing = 0
    const world = worldOf({ fault: ({ action }) => (action === 'sync' && failing-- > 0 ? 'EIO' : undefined) })
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    const batch = batchAt(1, [fact(2)])
    failing = 1
    expect(await codeOf(journal.append('t', batch))).toBe(codes.unavailable)
    await accepted(journal, 't', batch)
    world.disk.crash('forget')
    expect((await eventsOf(world.open(), 't')).length).toBe(2)
  })

  test('fails every operation of its group, and none of the next', async () => {
    let failing = 0
    const world = worldOf({ fault: ({ action }) => (action === 'sync' && failing-- > 0 ? 'EIO' : undefined) })
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    failing = 1
    const group = [journal.append('t', batchAt(1, [fact(2)])), journal.append('t', batchAt(2, [fact(3)])), journal.append('t', batchAt(1, [fact(4)]))]
    expect(await Promise.all(group.map(codeOf))).toEqual(Array(3).fill(codes.unavailable))
    await accepted(journal, 't', batchAt(1, [fact('next')]))
  })

  test('after a relaxed append is repaired without another call', async () => {
    let failing = 0
    const world = worldOf({ fault: ({ action }) => (action === 'sync' && failing-- > 0 ? 'EIO' : undefined) })
    const journal = world.open('relaxed')
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    failing = 1
    await accepted(journal, 't', batchAt(1, [passing(2)]))
    await idle()
    world.disk.crash('forget')
    expect((await eventsOf(world.open('relaxed'), 't')).length).toBe(2)
  })

  test('when the journal is closed fails the call, and the folder is unlocked', async () => {
    let isFailing = false
    const world = worldOf({ fault: ({ action }) => (action === 'sync' && isFailing ? 'EIO' : undefined) })
    const journal = world.open('relaxed')
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    isFailing = true
    await accepted(journal, 't', batchAt(1, [passing(2)]))
    await expect(journal.close()).rejects.toThrow('The journal could not be closed properly')
    isFailing = false
    await accepted(world.open(), 't', batchAt(2, [fact(3)]))
  })

  test('and loses durable lines makes the thread damaged', async () => {
    let failing = 0
    const world = worldOf({ fault: ({ action }) => (action === 'sync' && failing-- > 0 ? 'EIO' : undefined) })
    const journal = world.open()
    await accepted(journal, 't', batchAt(0, [fact(1)]))
    world.disk.replace(world.path('t'), world.disk.bytes(world.path('t')).slice(0, -10))
    failing = 1
    expect(await codeOf(journal.append('t', batchAt(1, [fact(2)])))).toBe(codes.unavailable)
    expect(world.damage).toMatchObject([{ kind: 'damaged', reason: 'what was durable before the disk failed is not there any more' }])
    expect(await codeOf(journal.append('t', batchAt(1, [fact(2)])))).toBe(codes.damaged)
  })
})
