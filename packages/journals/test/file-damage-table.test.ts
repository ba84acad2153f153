/**
 * A table of damages, each done to a random place of a random folder that was closed properly.
 *
 * Whatever was done: no acknowledged event is lost without a report, nothing is read that was not appended, nothing damaged is changed, and no
 * position of the feed is given twice (SCAN-2, TORN-1, TORN-3, TORN-4, FILEFEED-3).
 */
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { randomOf } from '@loom-agent/testing/crash'
import { describe, expect, test } from 'vitest'
import { verify } from '../src/index.ts'
import { allOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, tornLine, type World, worldOf } from './file-samples.ts'

const seeds = Number(process.env['LOOM_DAMAGE_SEEDS'] ?? 60)

type Random = () => number
const pick = (random: Random, below: number): number => Math.floor(random() * below)

/** The lines of a file, each with its line break. */
function linesOf(bytes: Uint8Array): readonly Buffer[] {
  const whole = Buffer.from(bytes)
  const lines: Buffer[] = []
  for (let begin = 0; begin < whole.length; begin = whole.indexOf(10, begin) + 1) lines.push(whole.subarray(begin, whole.indexOf(10, begin) + 1))
  return lines
}

/** What is done to the bytes of a file. Undefined removes the file. */
type Damager = (bytes: Buffer, random: Random) => Uint8Array | undefined

const changedAt = (bytes: Buffer, offset: number, length: number, byte: (old: number) => number): Buffer =>
  Buffer.from(bytes.map((old, at) => (at >= offset && at < offset + length ? byte(old) : old)))

const table: Readonly<Record<string, Damager>> = {
  'one wrong bit': (bytes, random) => {
    const bit = 1 << pick(random, 8)
    return changedAt(bytes, pick(random, bytes.length), 1, (old) => old ^ bit)
  },
  'one wrong bit in the last line': (bytes, random) => {
    const length = linesOf(bytes).at(-1)?.length ?? 0
    const bit = 1 << pick(random, 8)
    return changedAt(bytes, bytes.length - 1 - pick(random, length), 1, (old) => old ^ bit)
  },
  'one zero': (bytes, random) => changedAt(bytes, pick(random, bytes.length), 1, () => 0),
  'one zero in the last line': (bytes, random) => {
    const length = linesOf(bytes).at(-1)?.length ?? 0
    return changedAt(bytes, bytes.length - 1 - pick(random, length), 1, () => 0)
  },
  'zeros from somewhere to the end': (bytes, random) => changedAt(bytes, pick(random, bytes.length), bytes.length, () => 0),
  'a sector of zeros': (bytes, random) => changedAt(bytes, 512 * pick(random, Math.ceil(bytes.length / 512)), 512, () => 0),
  'a byte too few': (bytes, random) => {
    const at = pick(random, bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
  },
  'a byte too many': (bytes, random) => {
    const at = pick(random, bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from('x'), bytes.subarray(at)])
  },
  'cut off anywhere': (bytes, random) => bytes.subarray(0, pick(random, bytes.length)),
  'cut off after a line': (bytes, random) => Buffer.concat(linesOf(bytes).slice(0, pick(random, linesOf(bytes).length))),
  'without its last line break': (bytes) => bytes.subarray(0, -1),
  'without a line': (bytes, random) => {
    const lines = linesOf(bytes)
    return Buffer.concat(lines.toSpliced(pick(random, lines.length), 1))
  },
  'with a line twice': (bytes, random) => {
    const lines = linesOf(bytes)
    const at = pick(random, lines.length)
    return Buffer.concat(lines.toSpliced(at, 0, lines[at] ?? Buffer.alloc(0)))
  },
  'with noise after its end': (bytes) => Buffer.concat([bytes, Buffer.from('noise')]),
  'with half a line after its end': (bytes) => Buffer.concat([bytes, Buffer.from(tornLine)]),
  'with zeros after its end': (bytes, random) => Buffer.concat([bytes, Buffer.alloc(1 + pick(random, 600))]),
  gone: () => undefined,
}

interface Sample {
  readonly world: World
  /** The events of each thread, as text. */
  readonly events: ReadonlyMap<string, readonly string[]>
  readonly positions: readonly number[]
}

const textOf = (events: readonly LoomEvent[]): readonly string[] => events.map((event) => JSON.stringify(event))

async function readable(journal: Journal, thread: string): Promise<readonly string[]> {
  const found: LoomEvent[] = []
  const readAll = async (): Promise<void> => {
    for (let page = await journal.read(thread); page.length > 0; page = await journal.read(thread, { from: found.length + 1 })) found.push(...page)
  }
  await codeOf(readAll())
  return textOf(found)
}

function positionsIn(world: World, stem: string): readonly number[] {
  const text = Buffer.from(world.disk.bytes(world.path(stem))).toString()
  return [...text.matchAll(/"feed":(\d+),"(?:changed|summary)"/g)].map(([, position]) => Number(position))
}

const threads = ['a', 'b'] as const

/** A folder with threads of random batches, claims and blobs, and with removals in its feed. */
async function sampleOf(random: Random): Promise<Sample> {
  const world = worldOf()
  const journal = world.open(random() < 0.5 ? 'strict' : 'relaxed')
  for (const thread of threads) {
    for (let seq = 0, left = 2 + pick(random, 6); left > 0; left -= 1) {
      const events = Array.from({ length: 1 + pick(random, 3) }, () => fact('é'.repeat(pick(random, 300))))
      const blobs = random() < 0.3 ? new Map([[`blob ${seq}`, Buffer.from('bytes')]]) : undefined
      await accepted(journal, thread, batchAt(seq, events, { blobs }))
      seq += events.length
      if (random() < 0.3) await journal.acquire(thread, claimOf('w', (await journal.head(thread))?.epoch ?? 0, { force: true }))
    }
    await accepted(journal, `gone-${thread}`, batchAt(0, [fact(1)]))
    await journal.remove(`gone-${thread}`)
  }
  const events = new Map<string, readonly string[]>()
  for (const thread of threads) events.set(thread, await readable(journal, thread))
  await journal.close()
  return { world, events, positions: threads.flatMap((thread) => positionsIn(world, thread)) }
}

async function damage(world: World, path: string, bytes: Uint8Array | undefined): Promise<void> {
  if (bytes) return world.disk.replace(path, bytes)
  const disk = world.disk.boot()
  await disk.remove(path)
  await disk.syncFolder('journal')
}

const bytesOf = (world: World, path: string): string => {
  try {
    return Buffer.from(world.disk.bytes(path)).toString('latin1')
  } catch {
    return 'gone'
  }
}

/** What became of a damaged thread: it is refused and reported, or nothing of it is lost. */
async function judgeThread({ world, events }: Sample, thread: string): Promise<'refused' | 'whole'> {
  const before = events.get(thread) ?? []
  const path = world.path(thread)
  const damaged = bytesOf(world, path)
  const journal = world.open()
  const found = await readable(journal, thread)
  expect(found).toEqual(before.slice(0, found.length))
  const code = await codeOf(journal.append(thread, batchAt(before.length, [fact('after')])))
  if (code === 'none') {
    expect(found).toEqual(before)
    expect(await allOf(verify(journal)).then((findings) => findings.filter(({ repaired }) => !repaired))).toEqual([])
    return 'whole'
  }
  expect(code).toBe(codes.damaged)
  expect(bytesOf(world, path)).toBe(damaged)
  expect(world.damage.filter(({ file }) => file === `${thread}.jsonl`).length).toBe(1)
  const findings = await allOf(verify(journal))
  expect(findings.some(({ problem, repaired }) => problem.includes(`${thread}.jsonl`) && !repaired)).toBe(true)
  await accepted(journal, 'another', batchAt(0, [fact('is not concerned')]))
  return 'refused'
}

describe.each(Object.entries(table))('a file with this damage: %s', (kind, damager) => {
  test('is reported and left as it is, or has lost nothing', async () => {
    const ends = new Map<string, number>()
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = randomOf(seed)
      const sample = await sampleOf(random)
      const path = sample.world.path('a')
      const bytes = Buffer.from(sample.world.disk.bytes(path))
      const broken = damager(bytes, random)
      if (broken && bytes.equals(broken)) continue
      await damage(sample.world, path, broken)
      const end = await judgeThread(sample, 'a').catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
      })
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }
    const isHarmless = ['without its last line break', 'with half a line after its end', 'with zeros after its end'].includes(kind)
    expect(ends.get(isHarmless ? 'refused' : 'whole') ?? 0).toBeLessThanOrEqual(isHarmless ? 0 : (ends.get('refused') ?? 0) / 10)
  })

  test('that is the feed gives no position twice', async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = randomOf(seed)
      const { world, positions } = await sampleOf(random)
      const bytes = Buffer.from(world.disk.bytes('journal/feed'))
      const broken = damager(bytes, random)
      if (broken && bytes.equals(broken)) continue
      await damage(world, 'journal/feed', broken)
      const journal = world.open()
      if ((await codeOf(journal.head('a'))) === codes.unusable) continue
      const { seq = 0 } = (await journal.head('b')) ?? {}
      await accepted(journal, 'b', batchAt(seq, [fact('after')]))
      // Each of the two threads that are gone had a commit and a removal.
      expect(positionsIn(world, 'b').at(-1), `seed ${seed}`).toBeGreaterThan(positions.length + 4)
      expect(world.damage.length, `seed ${seed}`).toBeLessThan(2)
    }
  })

  test('that is the anchors alarms nobody', async () => {
    for (let seed = 1; seed <= seeds / 2; seed += 1) {
      const random = randomOf(seed)
      const { world, events } = await sampleOf(random)
      await damage(world, 'journal/anchors', damager(Buffer.from(world.disk.bytes('journal/anchors')), random))
      const journal = world.open()
      for (const thread of threads) expect(await readable(journal, thread), `seed ${seed}`).toEqual(events.get(thread))
      await accepted(journal, 'a', batchAt(events.get('a')?.length ?? 0, [fact('after')]))
      expect(world.damage, `seed ${seed}`).toEqual([])
    }
  })
})
