/** What `decide` makes of answers, of there being nobody to give one, and of replies that are not whole. */
import type { Draft, Json, Output } from '@loom-agent/kernel'
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
    given(...alone(), ...[2, 3, 4, 5, 6, 7].map(taken)).thenDecides({ kind: 'ask', about: 'parked' })
  })

  test('a budget that is used up stops the run', () => {
    const limited: Draft = { type: 'limit.raised', data: { limits: { tokens: 0 } } }
    given(...alone(), limited).thenDecides({ kind: 'stop', cause: { kind: 'budget', limit: 'tokens', used: 0, max: 0 } })
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
  after(5).thenDecides({ kind: 'stop', cause: { kind: 'loop', used: 5 } })
  expect(after(5).frame.run?.limits).toEqual({})
})

describe('a last reply that is not whole', () => {
  const replied = (finish: string, output?: { value: Json } | { error: string }): readonly Draft[] => [
    ...started(),
    turn(1),
    assembled(),
    requested(),
    { type: 'model.replied', data: { parts: [{ type: 'text', text: 'Once' }], usage: { input: 1, output: 1 }, finish, ...(output && { output }) } },
  ]

  test.each([
    ['length', 'length'],
    ['content-filter', 'filtered'],
  ] as const)('%s stops the run, as %s', (finish, kind) => {
    given(...replied(finish)).thenDecides({ kind: 'stop', cause: { kind } })
    given(...replied(finish, { error: 'cut' })).thenDecides({ kind: 'stop', cause: { kind } })
  })

  test('that a filter has changed is not whole, also where it fits its form', () => {
    given(...replied('content-filter', { value: 1 })).thenDecides({ kind: 'stop', cause: { kind: 'filtered' } })
  })

  test('that fits its form is whole, and so is one that ended in any other way', () => {
    given(...replied('length', { value: 1 })).thenDecides({ kind: 'record', events: [{ type: 'run.finished', data: { output: 1 } }] })
    for (const finish of ['stop', 'other', 'tool-calls']) {
      given(...replied(finish)).thenDecides({ kind: 'record', events: [{ type: 'run.finished', data: {} }] })
    }
  })

  test('waits for what was steered: the run goes on', () => {
    const steered: Draft = { type: 'message.steered', data: { message: { role: 'user', parts: [{ type: 'text', text: 'and?' }] } } }
    given(...replied('length'), steered).thenDecides({ kind: 'record', events: [{ type: 'turn.entered', data: { turn: 2 } }] })
  })
})
