import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Signal } from '@loom-agent/agent'
import { AgentEventType } from '@loom-agent/agent/compat'
import { describe, expect, test } from 'vitest'
import { eventTypes } from '../../../test/golden/event-types.ts'
import { streamTypes } from '../src/compat/events/stream-response.ts'

const path = fileURLToPath(new URL('../../../docs/reference/events.md', import.meta.url))
const page = readFileSync(path, 'utf8')

/** The names in the first column of the table of a section. */
const rowsOf = (section: string): string[] => {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name = '']) => name)
}

// The compiler ensures that no type is missing here.
const signals: { readonly [T in Signal['type']]: true } = {
  'text-start': true,
  'text-delta': true,
  'text-end': true,
  'reasoning-start': true,
  'reasoning-delta': true,
  'reasoning-end': true,
  'input-start': true,
  'input-delta': true,
  'input-end': true,
  'tool-start': true,
  'tool-delta': true,
  'tool-end': true,
  gap: true,
}

describe('the page of events', () => {
  test('has a row for every event and signal, and for nothing else', () => {
    expect(rowsOf('Events').sort()).toEqual(eventTypes.toSorted())
    expect(rowsOf('Signals').sort()).toEqual(Object.keys(signals).sort())
  })

  test('has a row for each of the 29 events of the original Python project and the seven stream types', () => {
    expect(rowsOf('Events of the original Python project').sort()).toEqual(Object.keys(AgentEventType).sort())
    expect(rowsOf('The seven stream types').sort()).toEqual([...streamTypes].sort())
  })

  test('names only events and signals that exist where it says what comes from what', () => {
    const known = new Set([...eventTypes, ...Object.keys(signals), ...Object.keys(AgentEventType)])
    const sources = [...page.matchAll(/^\| `[^`]+` +\| ([^|]*`[^|]+) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([a-zA-Z_.-]+)`/g)])
    const named = sources.map(([, name = '']) => name).filter((name) => /^[A-Z_]+$|^[a-z]+\.[a-z-]+$|-(start|delta|end)$/.test(name))
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((name) => !known.has(name) && name !== 'ctx.progress')).toEqual([])
  })

  test('has a place for every event: an event of the original project, or the list of those without', () => {
    const section = page.split('\n## Events of the original Python project\n')[1]?.split('\n## ')[0] ?? ''
    expect(eventTypes.filter((type) => !section.includes(`\`${type}\``))).toEqual([])
  })
})
