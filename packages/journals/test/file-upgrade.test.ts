/** A folder of format 1 is upgraded when it is opened, also after interruptions. An earlier version has written the folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultyDiskOptions } from '@loom-agent/harness/disk'
import type { Journal } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './events.ts'
import { accepted, batchAt, codeOf, codes, fact, type World, worldOf } from './file-samples.ts'

const fixture = join(import.meta.dirname, '../../../test/golden-databases/fixtures/file')
const stored = new Map(
  ['', 'blobs/'].flatMap((folder) =>
    readdirSync(join(fixture, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [`${folder}${name}`, readFileSync(join(fixture, folder, name))] as const),
  ),
)

/** A disk that holds the folder of format 1. */
async function oldWorld(options: FaultyDiskOptions = {}): Promise<World> {
  const world = worldOf(options)
  const disk = world.disk.boot()
  for (const folder of ['journal', 'journal/blobs']) await disk.makeFolder(folder)
  for (const [name, bytes] of stored) {
    await disk.open(`journal/${name}`, 'create')
    world.disk.replace(`journal/${name}`, bytes)
  }
  for (const folder of ['journal', 'journal/blobs']) await disk.syncFolder(folder)
  return world
}

/** All threads of a journal, and the blob that a batch brought. */
async function contentsOf(journal: Journal): Promise<string> {
  const heads = await journal.threads()
  const events = await Promise.all(heads.map(({ thread }) => eventsOf(journal, thread)))
  const blobs = await Promise.all([...stored.keys()].flatMap((name) => (name.startsWith('blobs/') ? [journal.blob(name.slice(6, 70))] : [])))
  return JSON.stringify({ heads, events, blobs: blobs.map((bytes) => Buffer.from(bytes ?? []).toString('base64')) })
}

const namesIn = async (world: World, folder: string): Promise<readonly string[]> =>
  (await world.disk.boot().list(folder)).map(({ name }) => name).toSorted()
const linesOf = (world: World, stem: string): readonly string[] =>
  Buffer.from(world.disk.bytes(world.path(stem)))
    .toString()
    .trimEnd()
    .split('\n')

describe('a folder of format 1', () => {
  test('has files of format 2 afterwards, blobs inline, forks after their cut, and no file that is not needed', async () => {
    const world = await oldWorld()
    const journal = world.open()
    expect(await journal.head('fork')).toMatchObject({ incarnation: 'fork', forkOf: { thread: 'finished', incarnation: 'finished' } })
    const { forkOf, seq = 0, summary } = (await journal.head('fork')) ?? {}
    expect(seq).toBeGreaterThan(forkOf?.seq ?? 0)
    expect(summary?.labels?.['$fork']).toBeUndefined()
    const threads = [...stored.keys()].filter((name) => name.endsWith('.jsonl')).toSorted()
    expect(await namesIn(world, 'journal')).toEqual(['anchors', 'feed', ...threads].toSorted())
    expect(await namesIn(world, 'journal/blobs')).toEqual([])
    for (const name of threads) {
      const lines = linesOf(world, name.slice(0, -6))
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ loom: 'thread', format: 2 })
      expect(lines.join('\n')).not.toContain('$fork')
    }
    expect(linesOf(world, 'big').filter((line) => line.startsWith('{"blob":')).length).toBe(1)
    expect(world.damage).toEqual([])
  })

  test('is written once, and continues with lines of version 2', async () => {
    const world = await oldWorld()
    const first = world.open()
    const { seq = 0 } = (await first.head('finished')) ?? {}
    await first.close()
    const before = linesOf(world, 'finished')
    const again = world.open()
    await accepted(again, 'finished', batchAt(seq, [fact('new')], { incarnation: 'finished' }))
    expect(linesOf(world, 'finished').slice(0, -1)).toEqual(before)
    expect(linesOf(world, 'finished').at(-1)).toContain('"v":2')
  })

  test('is the same after a power failure at any operation of its upgrade', async () => {
    const expected = await contentsOf((await oldWorld()).open())
    let stops = 0
    for (let stop = 1; ; stop += 1) {
      let first = 0
      const world = await oldWorld({ seed: stop, fault: ({ number }) => (first > 0 && number >= first + stop ? 'stop' : undefined) })
      first = world.disk.count()
      const opening = world
        .open()
        .head('finished')
        .then(() => 'opened')
      const outcome = await Promise.race([opening, world.disk.stopped().then(() => 'stopped')])
      first = 0
      world.disk.crash((['forget', 'tear', 'scatter'] as const)[stop % 3] ?? 'forget')
      expect(await contentsOf(world.open()), `stopped at ${stop}`).toBe(expected)
      expect(world.damage).toEqual([])
      if (outcome === 'opened') break
      stops += 1
    }
    expect(stops).toBeGreaterThan(60)
  })

  test('is the same when the disk fails once at any operation of its upgrade, and it is opened again', async () => {
    const expected = await contentsOf((await oldWorld()).open())
    for (let at = 1, isReached = true; isReached; at += 1) {
      let first = 0
      const world = await oldWorld({ seed: at, fault: ({ number }) => (first > 0 && number === first + at ? 'ENOSPC' : undefined) })
      first = world.disk.count()
      const journal = world.open()
      const code = await codeOf(journal.head('finished'))
      first = 0
      isReached = code !== 'none'
      expect(await contentsOf(journal), `failed at ${at}`).toBe(expected)
    }
  })

  test('keeps what is torn or damaged: a torn end is cut off, a damaged thread is read up to the damage', async () => {
    const world = await oldWorld()
    const torn = world.disk.bytes(world.path('finished'))
    world.disk.replace(world.path('finished'), Buffer.concat([torn, Buffer.from('{"id":"torn')]))
    const damaged = world.disk.bytes(world.path('parent'))
    const third = Buffer.from(damaged).toString().split('\n').slice(0, 3).join('\n').length
    damaged[third + 20] = 0
    world.disk.replace(world.path('parent'), damaged)
    const journal = world.open()
    expect((await eventsOf(journal, 'finished')).length).toBe((await journal.head('finished'))?.seq)
    const readable = await journal.read('parent')
    expect(readable.length).toBeGreaterThan(0)
    expect(await codeOf(journal.read('parent', { from: readable.length + 1 }))).toBe(codes.damaged)
    expect(world.damage.map(({ kind, thread }) => [kind, thread]).toSorted()).toEqual([
      ['damaged', 'parent'],
      ['torn', 'finished'],
    ])
    // They may be needed to restore what is damaged.
    expect((await namesIn(world, 'journal/blobs')).length).toBe(2)
  })

  test('with a blob that is missing or damaged is upgraded, and that is reported', async () => {
    const world = await oldWorld()
    const [blob = ''] = await namesIn(world, 'journal/blobs')
    world.disk.replace(`journal/blobs/${blob}`, Buffer.from('other bytes'))
    const journal = world.open()
    expect((await journal.threads()).length).toBe([...stored.keys()].filter((name) => name.endsWith('.jsonl')).length)
    expect(world.damage).toMatchObject([{ kind: 'blob', reason: expect.stringContaining('are not those that were written') as string }])
    expect(await journal.blob(blob.slice(0, 64))).toBeUndefined()
    expect((await namesIn(world, 'journal/blobs')).length).toBe(2)
  })
})
