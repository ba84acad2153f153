import { append, at, type Entry, emptyFrame, type Frame, type Message, type Segment } from '@loom-agent/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coverHistory, noEssentials, readEssentials } from './segments.ts'

type Kind = 'input' | 'pinned' | 'steered' | 'note' | 'words' | 'exchange'

const said = (role: 'user' | 'assistant', text: string): Message => ({ role, parts: [{ type: 'text', text }] })

/** A history of whole exchanges: a reply with a call is followed by its results. */
function frameOf(kinds: readonly Kind[]): Frame {
  let frame = emptyFrame('t')
  const add = (entry: Omit<Entry, 'seq' | 'turn'>): void => {
    const { length } = frame.history
    frame = { ...frame, history: append(frame.history, { seq: length + 1, turn: 1, ...entry }) }
  }
  for (const kind of kinds) {
    if (kind === 'exchange') {
      add({ origin: 'reply', message: { role: 'assistant', parts: [{ type: 'call', id: 'c', name: 'look', input: {} }] } })
      add({
        origin: 'results',
        message: { role: 'tool', results: [{ call: '1.0', id: 'c', name: 'look', output: { type: 'text', value: 'seen' } }] },
      })
    } else if (kind === 'words') add({ origin: 'reply', message: said('assistant', 'words') })
    else if (kind === 'note') add({ origin: 'note', message: said('user', 'note') })
    else add({ origin: kind === 'steered' ? 'steered' : 'input', message: said('user', kind), ...(kind === 'pinned' && { pin: true }) })
  }
  return frame
}

function cover(frame: Frame, wanted: readonly Segment[]): readonly Segment[] {
  const essentials = noEssentials()
  readEssentials(essentials, frame)
  return coverHistory(frame, wanted, essentials)
}

/** The indexes that are shown as they are. */
function shownOf(frame: Frame, segments: readonly Segment[]): ReadonlySet<number> {
  const shown = new Set<number>()
  let from = 0
  for (const { as, to } of segments) {
    for (; from < to; from += 1) if (as === 'kept') shown.add(from)
  }
  for (; from < frame.history.length; from += 1) shown.add(from)
  return shown
}

const dropped = (to: number): Segment => ({ to, as: 'dropped', rule: 'old', reason: 'It is old.' })

const anyKinds = fc.array(fc.constantFrom<Kind[]>('input', 'pinned', 'steered', 'note', 'words', 'exchange', 'exchange'), { maxLength: 30 })
const anySegment = fc.oneof(
  fc.nat(40).map(dropped),
  fc.nat(40).map((to): Segment => ({ to, as: 'kept' })),
  fc.nat(40).map((to): Segment => ({ to, as: 'kept', trims: [{ rule: 'long', over: 10, head: 4, tail: 4 }] })),
  fc.nat(40).map((to): Segment => ({ to, as: 'summary', text: 'what was before' })),
  fc.tuple(fc.nat(40), fc.nat(2)).map(([to, summary]): Segment => ({ to, as: 'summary', summary })),
)

describe('whatever segments a strategy asks for', () => {
  const anyPlan = fc.tuple(anyKinds, fc.array(anySegment, { maxLength: 6 }))

  test('they cover the history in order, without a gap and without an end beyond it (SEGMENT-1)', () => {
    fc.assert(
      fc.property(anyPlan, ([kinds, wanted]) => {
        const frame = frameOf(kinds)
        let from = 0
        for (const { to } of cover(frame, wanted)) {
          expect(to).toBeGreaterThanOrEqual(from)
          expect(to).toBeLessThanOrEqual(frame.history.length)
          from = to
        }
      }),
    )
  })

  test('the last input, what was steered after it, pins and the latest results are shown (SEGMENT-2)', () => {
    fc.assert(
      fc.property(anyPlan, ([kinds, wanted]) => {
        const frame = frameOf(kinds)
        const shown = shownOf(frame, cover(frame, wanted))
        const entries = Array.from({ length: frame.history.length }, (_, index) => at(frame.history, index) as Entry)
        const last = entries.findLastIndex(({ origin }) => origin === 'input')
        const steered = entries.findLastIndex(({ origin }) => origin === 'steered')
        const must = entries.flatMap(({ pin, message }, index) => {
          const isLatest = index === entries.length - 1 && message.role === 'tool'
          return pin || index === last || (index === steered && steered > last) || isLatest ? [index] : []
        })
        for (const index of must) expect(shown.has(index)).toBe(true)
      }),
    )
  })

  test('a call and its results are shown together, or not at all (SEGMENT-3)', () => {
    fc.assert(
      fc.property(anyPlan, ([kinds, wanted]) => {
        const frame = frameOf(kinds)
        const shown = shownOf(frame, cover(frame, wanted))
        for (let index = 1; index < frame.history.length; index += 1) {
          if (at(frame.history, index)?.message.role === 'tool') expect(shown.has(index)).toBe(shown.has(index - 1))
        }
      }),
    )
  })

  test('asking for what came of it again changes nothing', () => {
    fc.assert(
      fc.property(anyPlan, ([kinds, wanted]) => {
        const frame = frameOf(kinds)
        const once = cover(frame, wanted)
        expect(cover(frame, once)).toEqual(once)
      }),
    )
  })
})

test('one input and many calls: what lies between the input and the latest results is dropped, and the input stays', () => {
  const frame = frameOf(['input', ...Array<Kind>(20).fill('exchange')])
  expect(cover(frame, [dropped(41)])).toEqual([{ to: 1, as: 'kept' }, dropped(39)])
})

test('the text of a summary is shown once, before what is kept of its range', () => {
  const frame = frameOf(['note', 'pinned', 'note', 'note', 'input'])
  expect(cover(frame, [{ to: 4, as: 'summary', text: 'before' }])).toEqual([
    { to: 1, as: 'summary', text: 'before' },
    { to: 2, as: 'kept' },
    { to: 4, as: 'summary', text: '' },
  ])
})

test('a rebase of ten thousand messages is a few hundred bytes', () => {
  const frame = frameOf(['input', ...Array<Kind>(5000).fill('exchange')])
  const segments = cover(frame, [
    { to: 9000, as: 'summary', summary: 0 },
    { to: 9900, as: 'kept', trims: [{ rule: 'ephemeral', tools: ['look'], over: 0, head: 0, tail: 0 }] },
  ])
  expect(JSON.stringify(segments).length).toBeLessThan(300)
})
