/** Anchors notice what a file cannot show by itself, and no crash makes them alarm (ANCHOR-1 to ANCHOR-4, REPAIR-4, FILEFEED-1, FILEFEED-3). */
import type { DiskFault, DiskOperation, PowerFailure } from '@loom-agent/harness/disk'
import type { Journal } from '@loom-agent/kernel'
import { randomOf } from '@loom-agent/testing/crash'
import { describe, expect, test } from 'vitest'
import { inspectFolder } from '../src/file/index.ts'
import { verify } from '../src/index.ts'
import { allOf, eventsOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, type World, worldOf } from './file-samples.ts'

/** Cuts off the last lines of a file. */
function dropLines(world: World, path: string, count: number): void {
  const lines = Buffer.from(world.disk.bytes(path)).toString().trimEnd().split('\n')
  world.disk.replace(path, Buffer.from(`${lines.slice(0, -count).join('\n')}\n`))
}

async function closedWorld(commits = 4): Promise<World> {
  const world = worldOf()
  const journal = world.open()
  for (let seq = 0; seq < commits; seq += 1) await accepted(journal, 't', batchAt(seq, [fact('x'.repeat(100 * seq))]))
  await journal.close()
  return world
}

describe('a thread whose last batches were cut off', () => {
  test('can be read up to there, is listed with the head that it had, and is not written', async () => {
    const world = await closedWorld()
    dropLines(world, world.path('t'), 2)
    expect((await inspectFolder('journal', { disk: world.disk.boot() })).damage).toMatchObject([{ kind: 'damaged', thread: 't', seq: 3, line: 4 }])
    const journal = world.open()
    expect((await journal.read('t')).length).toBe(2)
    expect(await codeOf(journal.read('t', { from: 3 }))).toBe(codes.damaged)
    expect((await journal.threads()).map(({ thread, seq }) => [thread, seq])).toEqual([['t', 4]])
    expect(await codeOf(journal.append('t', batchAt(2, [fact('again')])))).toBe(codes.damaged)
    expect(await codeOf(journal.acquire('t', claimOf('w', 0)))).toBe(codes.damaged)
    expect(await allOf(verify(journal))).toMatchObject([{ thread: 't', seq: 3, problem: expect.stringContaining('is missing') }])
  })

  test('is noticed in a long file too, of which only the start and the end are read', async () => {
    const world = worldOf()
    const first = world.open()
    for (let seq = 0; seq < 6; seq += 1) await accepted(first, 't', batchAt(seq, [fact('x'.repeat(50_000))]))
    await first.close()
    dropLines(world, world.path('t'), 1)
    expect((await world.open().threads()).map(({ seq }) => seq)).toEqual([6])
    expect(world.damage).toMatchObject([{ kind: 'damaged', seq: 6 }])
  })

  test('can be removed, and its name used again', async () => {
    const world = await closedWorld()
    dropLines(world, world.path('t'), 2)
    const journal = world.open()
    await journal.remove('t')
    await accepted(journal, 't', batchAt(0, [fact('anew')]))
    await journal.close()
    expect((await eventsOf(world.open(), 't')).length).toBe(1)
  })

  test('is accepted as it is when the anchors are deleted', async () => {
    const world = await closedWorld()
    dropLines(world, world.path('t'), 2)
    await world.forgetAnchors()
    await accepted(world.open(), 't', batchAt(2, [fact('again')]))
    expect(world.damage).toEqual([])
  })

  test('and whose claim alone was cut off keeps its epoch from being given again', async () => {
    const world = await closedWorld()
    const first = world.open()
    await first.acquire('t', claimOf('w', 0))
    await first.close()
    dropLines(world, world.path('t'), 1)
    const journal = world.open()
    expect(await codeOf(journal.acquire('t', claimOf('v', 0)))).toBe(codes.damaged)
    expect(await journal.head('t')).toMatchObject({ seq: 4, epoch: 1 })
  })
})

describe('a thread whose file is gone', () => {
  test('is refused and verified until it is removed', async () => {
    const world = await closedWorld()
    await accepted(world.open(), 'other', batchAt(0, [fact(1)]))
    world.disk.kill()
    await world.disk.boot().remove(world.path('t'))
    const journal = world.open()
    for (const use of [() => journal.head('t'), () => journal.read('t'), () => journal.append('t', batchAt(0, [fact('anew')]))]) {
      expect(await codeOf(use())).toBe(codes.damaged)
    }
    expect(await allOf(verify(journal))).toMatchObject([{ thread: 't', seq: 1, problem: expect.stringContaining('t.jsonl') }])
    expect(await allOf(verify(journal, 't'))).toMatchObject([{ thread: 't', problem: expect.stringContaining('t.jsonl') }])
    await expect(allOf(verify(journal, 'never there'))).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await journal.remove('t')
    await accepted(journal, 't', batchAt(0, [fact('anew')]))
    expect(await allOf(verify(journal))).toEqual([])
  })

  test('is noticed in another folder only if the anchors were copied with it', async () => {
    const world = await closedWorld()
    const bytes = world.disk.bytes(world.path('t'))
    const elsewhere = worldOf()
    await elsewhere.put('t', bytes)
    expect((await eventsOf(elsewhere.open(), 't')).length).toBe(4)
  })
})

test('a feed that has lost lines over several reservations is reported, and continues beyond them', async () => {
  const world = await closedWorld(1)
  const journal = world.open()
  for (let round = 0; round < 1100; round += 1) await accepted(journal, 'many', batchAt(round, [fact(1)]))
  await journal.close()
  dropLines(world, 'journal/feed', 2)
  expect((await inspectFolder('journal', { disk: world.disk.boot() })).damage).toMatchObject([{ kind: 'damaged', file: 'feed' }])
  const again = world.open()
  await accepted(again, 't', batchAt(1, [fact(2)]))
  const [, position = ''] = /"feed":(\d+),[^\n]*\n$/.exec(Buffer.from(world.disk.bytes(world.path('t'))).toString()) ?? []
  expect(Number(position)).toBeGreaterThan(2 ** 40)
  expect(world.damage).toMatchObject([{ file: 'feed', copy: 'feed.damaged-1' }])
  expect((await allOf(verify(again))).map(({ problem }) => problem)).toEqual([
    'The feed was damaged and has been written anew. What it was is kept in feed.damaged-1.',
  ])
})

describe('a process that ends at any operation while it writes, removes and begins threads again', () => {
  /** Writes, removes and writes again, a few names in turn. */
  async function live(journal: Journal, round: number): Promise<void> {
    for (const [index, thread] of ['a', 'b', 'a', 'a', 'b'].entries()) {
      const head = await journal.head(thread)
      const incarnation = head?.seq ? head.incarnation : `${round}.${index}`
      for (let seq = head?.seq ?? 0, left = 2; left > 0; left -= 1, seq += 1) {
        await accepted(journal, thread, batchAt(seq, [fact('x'.repeat(300))], { incarnation }))
      }
      if (index > 0) await journal.remove(thread)
    }
  }

  test.each(['forget', 'tear', 'scatter', 'killed'] as const)(
    'leaves no damage and uses no position twice (%s)',
    async (how: PowerFailure | 'killed') => {
      const trials = Number(process.env['LOOM_DISK_SCHEDULES'] ?? 1000) / 4
      let reached = 0
      for (let seed = 1; seed <= trials; seed += 1) {
        const random = randomOf(seed)
        let stopAt = Number.POSITIVE_INFINITY
        const fault = ({ number, action }: DiskOperation): DiskFault | undefined =>
          number >= stopAt ? 'stop' : action === 'write' && random() < 0.1 ? 'short' : undefined
        const world = worldOf({ seed, fault })
        let last = 0
        for (let round = 0; round < 3; round += 1) {
          stopAt = world.disk.count() + 1 + Math.floor(random() * 150)
          const over = await Promise.race([live(world.open(), round).then(() => false), world.disk.stopped().then(() => true)])
          reached += Number(over)
          stopAt = Number.POSITIVE_INFINITY
          if (how === 'killed') world.disk.kill()
          else world.disk.crash(how)
          const journal = world.open()
          for (const thread of ['a', 'b']) await journal.remove(thread)
          await accepted(journal, 'c', batchAt(round, [fact(round)]))
          const [, position = ''] = /"feed":(\d+),[^\n]*\n$/.exec(Buffer.from(world.disk.bytes(world.path('c'))).toString()) ?? []
          expect(Number(position), `seed ${seed}`).toBeGreaterThan(last)
          last = Number(position)
          expect(
            world.damage.filter(({ kind }) => kind !== 'torn'),
            `seed ${seed}`,
          ).toEqual([])
          world.disk.kill()
        }
      }
      expect(reached).toBeGreaterThan(trials)
    },
  )
})
