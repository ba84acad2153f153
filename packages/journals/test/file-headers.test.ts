/** A damaged header, a damaged last line and a damaged feed: nothing that may be needed is lost, and nothing is used twice. */
import type { ForkOf, Journal } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { verify } from '../src/index.ts'
import { allOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, type World, worldOf } from './file-samples.ts'

const cut: ForkOf = { thread: 'parent', incarnation: 'i', seq: 2 }

/** A thread and its forks; of the long one only the header and the end are read when the journal is opened. */
async function withForks(world: World, names: readonly string[] = ['fork', 'long']): Promise<void> {
  const journal = world.open()
  await accepted(journal, 'parent', batchAt(0, [fact('a'), fact('b')]))
  for (const thread of names) {
    const length = thread === 'long' ? 60_000 : 10
    await accepted(journal, thread, batchAt(2, [fact('x'.repeat(length))], { forkOf: cut }))
    await accepted(journal, thread, batchAt(3, [fact('y'.repeat(length))]))
  }
  await journal.close()
}

function flip(world: World, path: string, offset: number): void {
  const bytes = world.disk.bytes(path)
  bytes[offset] = (bytes[offset] ?? 0) ^ 1
  world.disk.replace(path, bytes)
}

const namesIn = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread)

describe.each(['fork', 'long'])('the header of the thread %s with one wrong bit', (thread) => {
  test('at any byte keeps its parent from being removed, and the error names the file', async () => {
    const world = worldOf()
    await withForks(world, [thread])
    const whole = world.disk.bytes(world.path(thread))
    for (let offset = 0; offset <= whole.indexOf(10); offset += 1) {
      flip(world, world.path(thread), offset)
      const journal = world.open()
      await expect(journal.remove('parent'), `byte ${offset}`).rejects.toMatchObject({ code: codes.damaged, context: { file: `${thread}.jsonl` } })
      expect((await journal.head('parent'))?.seq, `byte ${offset}`).toBe(2)
      world.disk.kill()
      world.disk.replace(world.path(thread), whole)
    }
  })

  test('leaves the thread in its place: it is listed and verified as damaged, and its name is not used again', async () => {
    const world = worldOf()
    await withForks(world)
    flip(world, world.path(thread), 40)
    const journal = world.open()
    expect(await namesIn(journal)).toEqual(['fork', 'long', 'parent'])
    expect(await allOf(verify(journal))).toMatchObject([{ thread, seq: 1, problem: expect.stringContaining(`${thread}.jsonl, line 1`) }])
    for (const use of [
      () => journal.head(thread),
      () => journal.read(thread),
      () => journal.append(thread, batchAt(0, [fact('anew')])),
      () => journal.acquire(thread, claimOf('w', 0)),
    ]) {
      expect(await codeOf(use())).toBe(codes.damaged)
    }
    expect(world.damage).toMatchObject([{ kind: 'damaged', file: `${thread}.jsonl`, thread, line: 1 }])
  })

  test('can be removed by its name, and its parent after that', async () => {
    const world = worldOf()
    await withForks(world)
    flip(world, world.path(thread), 40)
    const journal = world.open()
    for (const name of [thread, thread === 'fork' ? 'long' : 'fork', 'parent']) await journal.remove(name)
    expect(await namesIn(journal)).toEqual([])
  })
})

describe('a fork whose first batch is damaged', () => {
  test('still keeps its parent from being removed', async () => {
    const world = worldOf()
    await withForks(world)
    flip(world, world.path('fork'), world.disk.bytes(world.path('fork')).indexOf(10) + 30)
    await expect(world.open().remove('parent')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
  })
})

describe('a last line', () => {
  test('that is complete and does not fit its hash is damage, which is not cut off', async () => {
    const world = worldOf()
    const first = world.open()
    for (let seq = 0; seq < 3; seq += 1) await accepted(first, 't', batchAt(seq, [fact(`value ${seq}`)]))
    await first.close()
    flip(world, world.path('t'), world.disk.bytes(world.path('t')).length - 100)
    const damaged = world.disk.bytes(world.path('t'))
    const journal = world.open()
    expect((await journal.read('t')).length).toBe(2)
    expect(await codeOf(journal.read('t', { from: 3 }))).toBe(codes.damaged)
    expect(await codeOf(journal.append('t', batchAt(2, [fact('again')])))).toBe(codes.damaged)
    expect(world.damage).toMatchObject([{ kind: 'damaged', line: 4, seq: 3 }])
    expect(Buffer.from(world.disk.bytes(world.path('t'))).equals(damaged)).toBe(true)
  })

  test('that the disk has not written everywhere is torn, and cut off', async () => {
    const world = worldOf()
    await accepted(world.open(), 't', batchAt(0, [fact(1)]))
    world.disk.kill()
    // A disk loses whole sectors.
    const bytes = world.disk.bytes(world.path('t'))
    const hole = Buffer.concat([bytes, Buffer.alloc(1024 - bytes.length), Buffer.from('"}\n')])
    world.disk.replace(world.path('t'), hole)
    await accepted(world.open(), 't', batchAt(1, [fact(2)]))
    expect(world.damage).toMatchObject([{ kind: 'torn', copy: 't.torn-1' }])
  })
})

describe('the file of the feed', () => {
  const positionsIn = (world: World): readonly number[] =>
    [
      ...Buffer.from(world.disk.bytes(world.path('t')))
        .toString()
        .matchAll(/"feed":(\d+)/g),
    ].map(([, number]) => Number(number))

  test('with one wrong bit at any byte gives no position twice, and keeps a copy', async () => {
    const world = worldOf()
    const first = world.open()
    await accepted(first, 't', batchAt(0, [fact(0)]))
    await accepted(first, 'gone', batchAt(0, [fact(0)]))
    await first.remove('gone')
    await first.close()
    const anchors = world.disk.bytes('journal/anchors')
    const feed = world.disk.bytes('journal/feed')
    const thread = world.disk.bytes(world.path('t'))
    for (let offset = 0; offset < feed.length; offset += 1) {
      world.disk.replace('journal/anchors', anchors)
      world.disk.replace('journal/feed', feed)
      world.disk.replace(world.path('t'), thread)
      flip(world, 'journal/feed', offset)
      const opened = world.open()
      // The format of the feed is not known any more, or it is damaged.
      if ((await codeOf(opened.head('t'))) === codes.unusable) continue
      await accepted(opened, 't', batchAt(1, [fact(1)]))
      expect(positionsIn(world)[1], `byte ${offset}`).toBeGreaterThan(3)
      world.disk.kill()
    }
    expect(world.damage.every(({ file, copy }) => file === 'feed' && copy !== undefined)).toBe(true)
    expect(world.damage.length).toBeGreaterThan(feed.length - 10)
  })

  test('without hashes, as an earlier version wrote it, is continued with hashes, and keeps its removals', async () => {
    const world = worldOf()
    await accepted(world.open(), 't', batchAt(0, [fact(0)]))
    world.disk.kill()
    const lines = ['{"loom":"feed","format":2}', '{"reserved":1024}', '{"position":7,"removed":"gone","incarnation":"i"}']
    world.disk.replace('journal/feed', Buffer.from(`${lines.join('\n')}\n`))
    await world.forgetAnchors()
    await accepted(world.open(), 't', batchAt(1, [fact(1)]))
    expect(positionsIn(world)).toEqual([1, 1025])
    const upgraded = Buffer.from(world.disk.bytes('journal/feed')).toString().trimEnd().split('\n')
    for (const line of upgraded) expect(JSON.parse(line)).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
    expect(JSON.parse(upgraded[1] ?? '')).toMatchObject({ position: 7, removed: 'gone', incarnation: 'i' })
    expect(world.damage).toEqual([])
  })
})
