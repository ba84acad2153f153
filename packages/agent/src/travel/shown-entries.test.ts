/** What two contexts show: planted losses of what must stay, which no strategy can make. */
import { emptyFrame, type Frame, fold, place, type Segment } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { createShownEntries } from './shown-entries.ts'

const said = (text: string) => ({ role: 'user' as const, parts: [{ type: 'text' as const, text }] })
const request = { model: 'test/model', limits: {}, agent: { name: 'a', fingerprint: 'f' } }

/** A pinned input, another one, and the last. */
function frameWith(segments: readonly Segment[]): Frame {
  const runs = ['pinned', 'other', 'last'].map((text, index) => ({
    type: 'run.started' as const,
    data: { run: `r${index}`, request: { ...request, input: [said(text)], ...(index === 0 && { pin: true as const }) } },
  }))
  const frame = fold('t', place({ thread: 't', seq: 1, time: 1 }, runs), emptyFrame('t'))
  return { ...frame, turn: 3, context: { ...frame.context, rebases: 1, segments, covered: frame.history.length } }
}

const dropped = (to: number): Segment => ({ to, as: 'dropped', rule: 'bad', reason: 'It is bad.' })

describe('what must stay', () => {
  test.each([
    ['a pinned entry', [dropped(1)], [['pin', 'pinned']]],
    ['the last question', [{ to: 2, as: 'kept' } as const, dropped(3)], [['question', 'last']]],
    [
      'both',
      [dropped(3)],
      [
        ['pin', 'pinned'],
        ['question', 'last'],
      ],
    ],
    ['neither', [{ to: 1, as: 'kept' } as const, dropped(2)], []],
  ] as const)('%s is found where a context does not show it', (_, segments, wanted) => {
    const shown = createShownEntries()
    shown.update(frameWith([]), frameWith(segments))
    const { essentials, lost } = shown.found()
    expect(essentials.map(({ kind, text }) => [kind, text])).toEqual(wanted)
    expect(lost.entries).toBe(segments.filter(({ as }) => as === 'dropped').length === 0 ? 0 : lost.listed.length)
    expect(essentials.every(({ rule, as, turn }) => rule === 'bad' && as === 'dropped' && turn === 3)).toBe(true)
  })

  test('is said also where the record did not show it either', () => {
    const shown = createShownEntries()
    shown.update(frameWith([dropped(3)]), frameWith([dropped(3)]))
    expect(shown.found()).toMatchObject({ lost: { entries: 0 }, essentials: [{ kind: 'pin' }, { kind: 'question' }] })
  })
})

test('an entry that comes back is lost for the turns in between', () => {
  const shown = createShownEntries()
  const at = (turn: number, segments: readonly Segment[]): Frame => ({ ...frameWith(segments), turn })
  shown.update(at(1, []), at(1, []))
  shown.update(at(2, []), at(2, [{ to: 1, as: 'kept' }, dropped(2)]))
  shown.update(at(4, []), at(4, []))
  shown.update(at(6, []), at(6, [{ to: 1, as: 'kept' }, dropped(2)]))
  shown.update(at(7, []), at(7, [{ to: 1, as: 'kept' }, dropped(2)]))
  expect(shown.found().lost.listed).toMatchObject([{ text: 'other', turn: 2, turns: 4 }])
})
