/**
 * Every byte that is missing or changed is noticed, reported with its place, and never read.
 *
 * `LOOM_DAMAGE=all` tries every byte; without it the header, the ends of lines and every 7th byte are tried.
 */
import type { LoomEvent } from '@loom-agent/kernel'
import { beforeAll, describe, expect, test } from 'vitest'
import { inspectFolder } from '../src/file/index.ts'
import { eventsOf } from './events.ts'
import { accepted, batchAt, claimOf, codeOf, codes, fact, tornLine, type World, worldOf } from './file-samples.ts'

const every = process.env['LOOM_DAMAGE'] === 'all' ? 1 : 7

/** The start of each line of a file; the end of the file is the last of them. */
function startsOf(bytes: Uint8Array): readonly number[] {
  const starts = [0]
  for (const [index, byte] of bytes.entries()) if (byte === 10) starts.push(index + 1)
  return starts
}

const startOf = (starts: readonly number[], offset: number): number => starts.findLast((start) => start <= offset) ?? 0
const text = (length: number): string => 'line\n "quoted" é🧵 '.repeat(length).slice(0, length)

interface Sample {
  readonly bytes: Uint8Array
  readonly starts: readonly number[]
  /** How many events are in the lines before each start, and these events as text. */
  readonly counts: readonly number[]
  readonly prefixes: readonly string[]
}

async function sampleOf(batches: number, perBatch: number, length: number): Promise<Sample> {
  const world = worldOf()
  const journal = world.open()
  await journal.acquire('t', claimOf('w', 0))
  for (let batch = 0; batch < batches; batch += 1) {
    const events = Array.from({ length: perBatch }, (_, index) => fact({ n: batch * perBatch + index, text: text(length) }))
    await accepted(journal, 't', batchAt(batch * perBatch, events, { epoch: 1 }))
  }
  const events = await eventsOf(journal, 't')
  const bytes = world.disk.bytes(world.path('t'))
  const starts = startsOf(bytes)
  // The first two lines are the header and the acquisition.
  const counts = starts.map((_start, line) => Math.max(0, line - 2) * perBatch)
  return { bytes, starts, counts, prefixes: counts.map((count) => JSON.stringify(events.slice(0, count))) }
}

/** What a new journal reads from a file with these bytes. */
async function meet(bytes: Uint8Array, world: World = worldOf()): Promise<{ world: World; read: readonly LoomEvent[]; failure: string }> {
  await world.put('t', bytes)
  const journal = world.open()
  const read: LoomEvent[] = []
  const readAll = async (): Promise<void> => {
    for (;;) {
      const page = await journal.read('t', { from: read.length + 1, limit: 50 })
      if (page.length === 0) return
      read.push(...page)
    }
  }
  const failure = await codeOf(readAll())
  world.disk.kill()
  return { world, read, failure }
}

/** Expects that a file with one wrong bit is reported at the line of that bit, and read up to it at most. */
async function flipAt(sample: Sample, offset: number, bit: number): Promise<string> {
  const { bytes, starts, counts, prefixes } = sample
  const flipped = Uint8Array.from(bytes)
  flipped[offset] = (flipped[offset] ?? 0) ^ (1 << bit)
  const { world, read, failure } = await meet(flipped)
  const line = startOf(starts, offset)
  const number = starts.indexOf(line)
  const good = counts[number] ?? 0
  const [damage, ...more] = world.damage
  expect(more, `byte ${offset}, bit ${bit}`).toEqual([])
  expect([damage?.offset, damage?.line, damage?.seq], `byte ${offset}, bit ${bit}`).toEqual([line, number + 1, good + 1])
  expect(JSON.stringify(read) === prefixes[number], `byte ${offset}, bit ${bit} was read wrongly`).toBe(true)
  // A damaged thread is refused, so that no caller takes the good part for the whole.
  expect(failure, `byte ${offset}, bit ${bit}`).toBe(codes.damaged)
  return damage?.kind ?? 'none'
}

describe('a bit flip', { timeout: 240_000 }, () => {
  let long: Sample
  let short: Sample
  beforeAll(async () => {
    long = await sampleOf(55, 1, 120)
    short = await sampleOf(4, 2, 10)
  })

  test('in any byte of a file of 20 KiB is reported with its place, and never read', async () => {
    expect(long.bytes.length).toBeGreaterThan(20_000)
    const kinds = new Map<string, number>()
    const [, header = 0] = long.starts
    const offsets = Array.from(long.bytes.keys()).filter((offset) => offset < header || offset % every === 0)
    for (const offset of offsets) {
      const kind = await flipAt(long, offset, offset % 8)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    expect([...kinds.keys()].toSorted()).toEqual(['damaged', 'unknown'])
  })

  test('in any bit of a short file is reported with its place, and never read', async () => {
    for (let offset = 0; offset < short.bytes.length; offset += 1) for (let bit = 0; bit < 8; bit += 1) await flipAt(short, offset, bit)
  })

  test('in the middle leaves the thread readable up to it, listed, and not writable', async () => {
    const { bytes, starts } = short
    const flipped = Uint8Array.from(bytes)
    const offset = (starts[3] ?? 0) + 20
    flipped[offset] = 0
    const world = worldOf()
    await meet(flipped, world)
    const journal = world.open()
    await accepted(journal, 'other', batchAt(0, [fact('is not concerned')]))
    expect((await journal.threads()).map(({ thread, seq, epoch }) => [thread, seq, epoch])).toContainEqual(['t', 8, 1])
    expect(await journal.head('t')).toMatchObject({ seq: 8, epoch: 1 })
    expect((await journal.read('t')).length).toBe(2)
    const failing = journal.append('t', batchAt(8, [fact('more')]))
    await expect(failing).rejects.toThrow(/t\.jsonl, line 4, byte \d+, t@3/)
    expect(await codeOf(journal.acquire('t', claimOf('w', 1)))).toBe(codes.damaged)
    await journal.remove('t')
    await accepted(journal, 't', batchAt(0, [fact('anew')]))
    await journal.close()
  })
})

describe('a file that is cut off', { timeout: 240_000 }, () => {
  test('at any byte loses only what is cut, is reported, leaves a copy, and can be written', async () => {
    const { bytes, starts, counts, prefixes } = await sampleOf(20, 10, 5)
    expect(counts.at(-1)).toBe(200)
    const breaks = starts.flatMap((start) => [start - 1, start])
    const sizes = Array.from(bytes.keys()).filter((size) => size % every === 0 || breaks.includes(size))
    for (const size of sizes) {
      const { world, read, failure } = await meet(bytes.slice(0, size))
      // A line that lacks only its line break is whole.
      const isUnended = bytes[size] === 10
      const line = startOf(starts, isUnended ? size + 1 : size)
      const good = counts[starts.indexOf(line)] ?? 0
      expect(failure).toBe('none')
      expect(JSON.stringify(read) === prefixes[starts.indexOf(line)], `cut at ${size}, read wrongly`).toBe(true)
      if (line === size) {
        expect(world.damage, `cut at ${size}`).toEqual([])
        continue
      }
      if (isUnended) {
        expect(world.damage, `cut at ${size}`).toMatchObject([{ kind: 'torn', offset: size, seq: good + 1, copy: undefined }])
        expect(Buffer.from(world.disk.bytes(world.path('t'))).equals(bytes.slice(0, size + 1))).toBe(true)
        continue
      }
      expect(world.damage, `cut at ${size}`).toMatchObject([{ kind: 'torn', offset: line, seq: good + 1, copy: 't.torn-1' }])
      expect(Buffer.from(world.disk.bytes('journal/t.torn-1')).equals(bytes.slice(line, size))).toBe(true)
      if (size % 5 !== 0) continue
      const journal = world.open()
      await accepted(journal, 't', batchAt(good, [fact('after')]))
      expect((await eventsOf(journal, 't')).length).toBe(good + 1)
      expect(world.damage.length).toBe(1)
      world.disk.kill()
    }
  })

  test('has its copy before anything is cut off, also when the power fails right after', async () => {
    const world = worldOf()
    await accepted(world.open(), 't', batchAt(0, [fact(1)]))
    world.disk.kill()
    const whole = world.disk.bytes(world.path('t'))
    world.disk.replace(world.path('t'), Buffer.concat([whole, Buffer.from(tornLine)]))
    expect((await eventsOf(world.open(), 't')).length).toBe(1)
    world.disk.crash('forget')
    expect(Buffer.from(world.disk.bytes('journal/t.torn-1')).toString()).toBe(tornLine)
    expect(Buffer.from(world.disk.bytes(world.path('t'))).equals(whole)).toBe(true)
  })

  test('twice keeps two copies, and an inspection finds both', async () => {
    const world = worldOf()
    for (const round of [0, 1]) {
      const journal = world.open()
      await accepted(journal, 't', batchAt(round, [fact(round)]))
      world.disk.kill()
      world.disk.replace(world.path('t'), Buffer.concat([world.disk.bytes(world.path('t')), Buffer.from(tornLine)]))
      expect((await inspectFolder('journal', { disk: world.disk.boot() })).damage).toMatchObject([{ kind: 'torn', thread: 't', seq: round + 2 }])
    }
    const journal = world.open()
    expect((await eventsOf(journal, 't')).length).toBe(2)
    expect(world.damage.map(({ copy }) => copy)).toEqual(['t.torn-1', 't.torn-2'])
    const report = await inspectFolder('journal', { disk: world.disk.boot() })
    expect(report).toMatchObject({ damage: [], cut: ['t.torn-1', 't.torn-2'], threads: [{ thread: 't', seq: 2, mode: 'strict' }] })
    await journal.remove('t')
    expect((await inspectFolder('journal', { disk: world.disk.boot() })).cut).toEqual([])
  })
})
