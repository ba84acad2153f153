/** What `decide` makes of answers, and of there being nobody to give one. */
import type { Draft, Output } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const { started, turn, assembled, requested, called, finished } = facts
const taken = (epoch: number): Draft => ({ type: 'driver.acquired', data: { epoch, worker: `w${epoch}` } })

/** A run that nobody attends. */
const alone = (): readonly Draft[] =>
  started().map((draft) =>
    draft.type === 'run.started' && 'request' in draft.data
      ? { type: draft.type, data: { ...draft.data, request: { ...draft.data.request, unattended: 'deny' } } }
      : draft,
  )

describe('where questions are denied', () => {
  test('a thread that no driver gets further is parked all the same, not stopped', () => {
    given(...alone(), ...[2, 3, 4, 5, 6, 7].map(taken)).thenDecides({
      kind: 'record',
      events: [{ type: 'question.asked', data: { kind: 'parked' } }],
    })
  })

  test('an unsafe step whose performer was lost is an error that the body can catch, and is never run again', () => {
    const begun: readonly Draft[] = [
      { type: 'tool.started', data: { call: '1.0', effect: 'unsafe', durable: true } },
      { type: 'tool.step-started', data: { call: '1.0', key: 'step:pay:1', effect: 'unsafe' } },
    ]
    const lost = given(...alone(), turn(1), assembled(), requested(), called({ name: 'errand' }), ...begun, taken(2))
    lost.thenDecides({
      kind: 'record',
      events: [
        { type: 'tool.in-doubt', data: { call: '1.0', key: 'step:pay:1' } },
        { type: 'tool.step-finished', data: { call: '1.0', key: 'step:pay:1', error: { code: 'LOOM_STEP_REJECTED' } } },
      ],
    })
    const error = { code: 'LOOM_STEP_REJECTED', message: '', recoverable: false }
    lost
      .when({ type: 'tool.in-doubt', data: { call: '1.0', key: 'step:pay:1' } })
      .when({ type: 'tool.step-finished', data: { call: '1.0', key: 'step:pay:1', error } })
      .thenDecides({ kind: 'call-tools', execute: ['1.0'] })
  })
})

describe('a result that a human gave instead of a call', () => {
  test.each<[string, Output & { type: 'text' | 'json' }]>([
    ['a text', { type: 'text', value: 'done by hand' }],
    ['an object', { type: 'json', value: { by: 'hand', at: [1, 2] } }],
    ['a number', { type: 'json', value: 7 }],
    ['nothing', { type: 'json', value: null }],
  ])('is what the model reads: %s', (_, output) => {
    const asked: Draft = { type: 'question.asked', data: { id: '1.0#1', kind: 'approval', call: '1.0', prompt: '?' } }
    given(...started(), turn(1), assembled(), requested(), called({ name: 'pay' }), asked)
      .when({ type: 'question.answered', data: { id: '1.0#1', answer: { kind: 'respond', value: output.value } } })
      .thenDecides({ kind: 'record', events: [{ type: 'tool.finished', data: { call: '1.0', status: 'success', output } }] as never })
  })
})

test('a run that says nothing of loops is warned of them, nudged and stopped all the same', () => {
  const round = (number: number): readonly Draft[] => [turn(number), assembled(), requested(), called({ name: 'look' }), finished(`${number}.0`)]
  const after = (rounds: number) => given(...started(), ...Array.from({ length: rounds }, (_, index) => round(index + 1)).flat())
  after(2).thenDecides({ kind: 'record', events: [{ type: 'turn.entered', data: { turn: 3, loop: undefined } }] as never })
  after(3).thenDecides({ kind: 'record', events: [{ type: 'turn.entered', data: { loop: { level: 'warn', count: 3 } } }] as never })
  after(4).thenDecides({ kind: 'record', events: [{ type: 'turn.entered', data: { loop: { level: 'nudge', count: 4 } } }] as never })
  after(5).thenDecides({ kind: 'record', events: [{ type: 'run.stopped', data: { kind: 'loop' } }] })
  expect(after(5).frame.run?.limits).toEqual({})
})
