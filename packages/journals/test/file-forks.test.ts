/** Forks, incarnations and positions of the feed in a folder. */
import type { Batch, ForkOf, Journal } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { valuesOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, passing, type World, worldOf } from './file-samples.ts'

const at = (thread: string, seq: number, incarnation = 'i'): ForkOf => ({ thread, incarnation, seq })
const forkAt = (forkOf: ForkOf, more: Partial<Batch> = {}): Batch =>
  batchAt(forkOf.seq, [fact(`fork of ${forkOf.thread}@${forkOf.seq}`)], { forkOf, ...more })
const namesIn = async (journal: Journal): Promise<readonly string[]> => (await journal.threads()).map(({ thread }) => thread)

async function withParent(world: World = worldOf()): Promise<Journal> {
  const journal = world.open()
  await accepted(journal, 't', batchAt(0, [fact('a'), fact('b'), fact('c')]))
  return journal
}

describe('a fork', () => {
  test('has its own file that starts after the cut, and reads with its past, also when it is opened again', async () => {
    const world = worldOf()
    const journal = await withParent(world)
    await accepted(journal, 'f', forkAt(at('t', 2)))
    await accepted(journal, 'g', forkAt(at('f', 3)))
    await accepted(journal, 'g', batchAt(4, [fact('end')]))
    const [header, ...lines] = Buffer.from(world.disk.bytes(world.path('f')))
      .toString()
      .trimEnd()
      .split('\n')
    expect(JSON.parse(header ?? '')).toMatchObject({ thread: 'f', incarnation: 'i', forkOf: at('t', 2), head: [0, 0] })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ head: [3, 0] }])
    const values = ['a', 'b', 'fork of t@2', 'fork of f@3', 'end']
    expect(await valuesOf(journal, 'g')).toEqual(values)
    world.disk.crash('forget')
    const again = world.open()
    expect(await again.threads()).toMatchObject([
      { thread: 'f', seq: 3, forkOf: at('t', 2) },
      { thread: 'g', seq: 5, forkOf: at('f', 3) },
      { thread: 't', seq: 3 },
    ])
    expect(await valuesOf(again, 'g')).toEqual(values)
    await accepted(again, 'g', batchAt(5, [fact('more')]))
  })

  test('that was acquired before its first batch has its cut in a second header, which counts', async () => {
    const world = worldOf()
    const journal = await withParent(world)
    for (let seen = 0; seen < 40; seen += 1) await journal.acquire('f', { worker: 'w', incarnation: 'before', seen, force: true })
    await accepted(journal, 'f', forkAt(at('t', 3)))
    expect(await journal.head('f')).toMatchObject({ incarnation: 'i', seq: 4, epoch: 40, forkOf: at('t', 3) })
    world.disk.kill()
    const again = world.open()
    expect(await again.threads()).toMatchObject([{ thread: 'f', incarnation: 'i', seq: 4, epoch: 40, forkOf: at('t', 3) }, { thread: 't' }])
    expect(await valuesOf(again, 'f')).toEqual(['a', 'b', 'c', 'fork of t@3'])
    expect(world.damage).toEqual([])
  })

  test.each([
    ['is not there', at('unknown', 1)],
    ['is too short', at('t', 4)],
    ['has another incarnation', at('t', 1, 'earlier')],
  ])('does not start when its parent %s, and other appends at the same time are not affected', async (_what, forkOf) => {
    const journal = await withParent()
    const results = await Promise.allSettled([journal.append('f', forkAt(forkOf)), journal.append('f', batchAt(0, [fact('own')]))])
    expect(results).toMatchObject([{ status: 'rejected', reason: { code: 'LOOM_THREAD_NOT_FOUND' } }, { value: { kind: 'appended', seq: 1 } }])
    expect(await valuesOf(journal, 'f')).toEqual(['own'])
  })

  test('conflicts with an existing thread, and is stored once', async () => {
    const journal = await withParent()
    const batch = forkAt(at('t', 2))
    await accepted(journal, 'f', batch)
    expect(await journal.append('f', batch)).toEqual({ kind: 'appended', seq: 3 })
    expect(await journal.append('f', forkAt(at('t', 3)))).toEqual({ kind: 'conflict', seq: 3 })
    expect(await journal.append('f', forkAt(at('t', 3), { incarnation: 'other' }))).toEqual({ kind: 'conflict', seq: 3 })
  })

  test('of which a power failure has left only the header does not exist', async () => {
    const world = worldOf()
    const journal = await withParent(world)
    await accepted(journal, 'f', forkAt(at('t', 2)))
    await journal.close()
    const bytes = world.disk.bytes(world.path('f'))
    world.disk.replace(world.path('f'), bytes.slice(0, bytes.indexOf(10) + 1))
    await world.forgetAnchors()
    const again = world.open()
    expect([await namesIn(again), await again.head('f'), await again.read('f')]).toEqual([['t'], undefined, []])
    await again.remove('t')
    await accepted(again, 'f', batchAt(0, [fact('anew')], { incarnation: 'j' }))
    expect(await again.head('f')).toMatchObject({ incarnation: 'j', seq: 1 })
    world.disk.kill()
    expect(await world.open().threads()).toMatchObject([{ thread: 'f', incarnation: 'j', seq: 1 }])
  })

  test('in relaxed mode makes what it shares durable before it starts', async () => {
    const world = worldOf()
    const journal = world.open('relaxed')
    await accepted(journal, 't', batchAt(0, [fact('a')]))
    await accepted(journal, 't', batchAt(1, [passing('b')]))
    await accepted(journal, 'f', forkAt(at('t', 2)))
    world.disk.crash('forget')
    expect((await valuesOf(world.open(), 'f')).length).toBe(3)
  })
})

describe('a removal', () => {
  test('is refused while a fork reads the thread, also by a journal that was opened later', async () => {
    const world = worldOf()
    const journal = await withParent(world)
    await accepted(journal, 'f', forkAt(at('t', 2)))
    await expect(journal.remove('t')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY', context: { fork: 'f' } })
    world.disk.kill()
    const again = world.open()
    expect(await codeOf(again.remove('t'))).toBe('LOOM_THREAD_BUSY')
    await again.remove('f')
    await again.remove('t')
    expect(await namesIn(again)).toEqual([])
  })

  test('and a fork that starts have one winner, in every interleaving', async () => {
    const outcomes = new Set<string>()
    for (let moment = -120; moment <= 120; moment += 1) {
      const journal = await withParent()
      await journal.threads()
      const later = async (ticks: number, work: () => Promise<unknown>): Promise<string> => {
        for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve()
        return codeOf(work())
      }
      const [removed, forked] = await Promise.all([
        later(moment, () => journal.remove('t')),
        later(-moment, () => journal.append('f', forkAt(at('t', 2)))),
      ])
      const outcome = `${removed}, ${forked}`
      expect(await namesIn(journal)).toEqual(removed === 'none' ? [] : ['f', 't'])
      outcomes.add(outcome)
    }
    expect([...outcomes].toSorted()).toEqual(['LOOM_THREAD_BUSY, none', 'none, LOOM_THREAD_NOT_FOUND'])
  })
})

describe('an incarnation', () => {
  test('that is not the current one is fenced, and one that starts a thread conflicts', async () => {
    const journal = await withParent()
    await journal.remove('t')
    await accepted(journal, 't', batchAt(0, [fact('anew')], { incarnation: 'j' }))
    expect(await journal.append('t', batchAt(1, [fact('late')]))).toEqual({ kind: 'fenced', epoch: 0 })
    expect(await journal.append('t', batchAt(0, [fact('late')]))).toEqual({ kind: 'conflict', seq: 1 })
    expect(await journal.acquire('t', claimOf('w', 0))).toEqual({ kind: 'fenced', epoch: 0 })
    const acquired = await journal.acquire('t', { worker: 'w', incarnation: 'j', seen: 0 })
    expect(acquired).toMatchObject({ kind: 'acquired', epoch: 1, head: { thread: 't', incarnation: 'j', seq: 1, epoch: 1, holder: 'w' } })
    expect(await journal.release('t', { epoch: 1, incarnation: 'j' })).toMatchObject({ seq: 1, epoch: 1, holder: undefined })
    expect(await journal.release('unknown', { epoch: 1, incarnation: 'j' })).toBeUndefined()
  })
})

describe('the positions of the feed', () => {
  const positionsIn = (world: World, stems: readonly string[]): readonly number[] =>
    stems.flatMap((stem) =>
      [
        ...Buffer.from(world.disk.bytes(world.path(stem)))
          .toString()
          .matchAll(/"feed":(\d+)/g),
      ].map(([, number]) => Number(number)),
    )
  const linesOf = (world: World): readonly { position?: number; removed?: string }[] =>
    Buffer.from(world.disk.bytes('journal/feed'))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)

  test('rise over all threads and removals, and none is used twice after a crash', async () => {
    const world = worldOf()
    for (let round = 0; round < 4; round += 1) {
      const journal = world.open()
      for (const thread of ['a', 'b']) await accepted(journal, thread, batchAt(round, [fact(round)]))
      await accepted(journal, 'gone', batchAt(0, [fact(round)]))
      await journal.remove('gone')
      if (round % 2 === 0) await journal.close()
      else world.disk.crash('forget')
    }
    const removals = linesOf(world).flatMap(({ position, removed }) => (position === undefined ? [] : [{ position, removed }]))
    expect(removals.map(({ removed }) => removed)).toEqual(Array(4).fill('gone'))
    const all = [...positionsIn(world, ['a', 'b']), ...removals.map(({ position }) => position)]
    expect(new Set(all).size).toBe(12)
    expect(positionsIn(world, ['a'])).toEqual(positionsIn(world, ['a']).toSorted((a, b) => a - b))
  })

  test('continue far beyond the known ones when their file is damaged, which is reported', async () => {
    const world = worldOf()
    const journal = world.open()
    for (let seq = 0; seq < 3; seq += 1) await accepted(journal, 't', batchAt(seq, [fact(seq)]))
    await journal.close()
    world.disk.replace('journal/feed', Buffer.from('noise'))
    await accepted(world.open(), 't', batchAt(3, [fact(3)]))
    const positions = positionsIn(world, ['t'])
    expect(positions.slice(0, 3)).toEqual([1, 2, 3])
    expect(positions[3]).toBeGreaterThan(2 ** 40)
    expect(world.damage).toMatchObject([{ kind: 'damaged', file: 'feed', copy: 'feed.damaged-1' }])
    expect(Buffer.from(world.disk.bytes('journal/feed.damaged-1')).toString()).toBe('noise')
  })

  test('of a newer format are not written', async () => {
    const world = worldOf()
    await (await withParent(world)).close()
    world.disk.replace('journal/feed', Buffer.from('{"loom":"feed","format":3}\n'))
    expect(await codeOf(world.open().head('t'))).toBe(codes.unusable)
  })
})
