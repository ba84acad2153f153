/** Old journals fold for ever: what a version once wrote is read by every later one, to the same end. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventType } from '@loom-agent/kernel'
import { assertHistory } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventTypes } from './event-types.ts'
import { eventsByThread, factsOf, type GoldenBatch, readGolden } from './golden-history.ts'

const folder = join(import.meta.dirname, 'histories')
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

describe('golden histories', () => {
  test('are as they were written: none is edited or deleted', () => {
    const hashes = JSON.parse(textOf('hashes.json')) as Record<string, string>
    expect(files.toSorted()).toEqual(Object.keys(hashes).toSorted())
    expect(Object.fromEntries(files.map((file) => [file, createHash('sha256').update(textOf(file)).digest('hex')]))).toEqual(hashes)
  })

  test('hold every type of event', () => {
    const seen = new Set(files.flatMap((file) => [...eventsByThread(readGolden(textOf(file)).batches).values()].flat().map(({ type }) => type)))
    expect(eventTypes.filter((type) => !seen.has(type))).toEqual([])
  })

  test.each(files)('%s comes to what it came to', (file) => {
    const { facts, batches } = readGolden(textOf(file))
    const threads = eventsByThread(batches)
    expect([...threads.keys()].toSorted()).toEqual(Object.keys(facts).toSorted())
    for (const [thread, events] of threads) {
      expect(factsOf(thread, events)).toEqual(facts[thread])
      if (!file.includes('no-scenario')) assertHistory(events)
    }
  })
})

describe('a history that this version cannot read', () => {
  const spoil = (change: (events: [string, unknown, number?][]) => void): readonly GoldenBatch[] => {
    const { batches } = readGolden(textOf('v1-a-plain-answer.jsonl'))
    const [first, ...rest] = batches as [GoldenBatch, ...GoldenBatch[]]
    const record = JSON.parse(first.line) as { events: [EventType, unknown, number?][] }
    change(record.events)
    return [{ ...first, line: JSON.stringify(record) }, ...rest]
  }

  test.each([
    ['an unknown type', (events: [string, unknown, number?][]) => void events.push(['run.teleported', {}])],
    ['a newer version of a known type', (events: [string, unknown, number?][]) => void events[0]?.splice(2, 1, 99)],
  ])('because of %s is readable, and not drivable', (_, change) => {
    const [events] = [...eventsByThread(spoil(change)).values()]
    expect(events?.length).toBeGreaterThan(3)
    expect(factsOf('t', events ?? [])).toMatchObject({ next: 'rest' })
  })
})
