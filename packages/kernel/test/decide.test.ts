import { type Draft, decide, emptyFrame, isAtRest } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const { started, turn, assembled, requested, replied, called, finished } = facts
const taken = (epoch: number): Draft => ({ type: 'driver.acquired', data: { epoch, worker: `w${epoch}` } })
const begun = (call: string, effect: 'read' | 'unsafe' | 'idempotent' | 'reconcilable' = 'unsafe', more: object = {}): Draft => ({
  type: 'tool.started',
  data: { call, effect, ...more },
})
const asked = (id: string, more: object): Draft => ({ type: 'question.asked', data: { id, kind: 'approval', prompt: '?', ...more } })
const inTools = (...calls: readonly { name: string; serial?: true }[]) => given(...started(), turn(1), assembled(), requested(), called(...calls))

describe('without work', () => {
  test('a thread without events, or with a run that is over, rests', () => {
    expect(decide(emptyFrame('t'))).toEqual({ kind: 'rest' })
    given(...started(), turn(1), { type: 'run.finished', data: {} }).thenDecides({ kind: 'rest' })
  })

  test('a thread with an event it does not know rests: readable, not drivable (EVOLVE-2)', () => {
    const odd = { type: 'run.teleported', data: {} } as never as Draft
    given(...started(), odd)
      .thenDecides({ kind: 'rest' })
      .thenHas({ unknown: { type: 'run.teleported' } })
  })

  test('a queued run starts when the one before is over', () => {
    const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
    const busy = given(...started(), { type: 'run.queued', data: { run: 'r2', request } })
    busy.thenDecides({ kind: 'record' })
    busy.when({ type: 'run.finished', data: {} }).thenDecides({ kind: 'record', events: [{ type: 'run.started', data: { run: 'r2', queued: 4 } }] })
  })

  test('a queued run starts after a failed one when every call of that has its result (DECIDE-4)', () => {
    const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
    const error = { code: 'LOOM_HOOK_FAILED', message: 'x', recoverable: true }
    const failed = given(...started(), turn(1), assembled(), requested(), called({ name: 'a' })).when(
      { type: 'run.queued', data: { run: 'r2', request } },
      { type: 'run.failed', data: { error } },
    )
    failed.thenDecides({ kind: 'record', events: [{ type: 'tool.finished', data: { call: '1.0', errorType: 'cancelled' } }] })
    failed.when(finished('1.0')).thenDecides({ kind: 'record', events: [{ type: 'run.started', data: { run: 'r2' } }] })
  })
})

describe('a turn', () => {
  test('is entered, assembled, sent, answered', () => {
    given(...started())
      .thenDecides({ kind: 'record', events: [{ type: 'turn.entered', data: { turn: 1 } }] })
      .when(turn(1))
      .thenDecides({ kind: 'assemble' })
      .when(assembled())
      .thenDecides({ kind: 'call-model', attempt: 1 })
      .when(requested())
      .thenDecides({ kind: 'wait' })
      .when(replied('Hello.'))
      .thenDecides({ kind: 'record', events: [{ type: 'run.finished' }] })
  })

  test('with calls handles them, then enters the next', () => {
    inTools({ name: 'a' }, { name: 'b' })
      .thenDecides({ kind: 'call-tools', authorize: ['1.0', '1.1'], execute: ['1.0', '1.1'] })
      .when(begun('1.0', 'read'), begun('1.1', 'read'))
      .thenDecides({ kind: 'wait' })
      .when(finished('1.1'))
      .thenDecides({ kind: 'wait' })
      .when(finished('1.0'))
      .thenDecides({ kind: 'record', events: [{ data: { turn: 2 } }] })
  })

  test('with serial calls lets one in at a time, in order (DECIDE-5)', () => {
    inTools({ name: 'a', serial: true }, { name: 'b' }, { name: 'c', serial: true })
      .thenDecides({ kind: 'call-tools', execute: ['1.0', '1.1'], authorize: ['1.0', '1.1', '1.2'] })
      .when(begun('1.0'), begun('1.1', 'read'))
      .thenDecides({ kind: 'call-tools', execute: [], authorize: ['1.2'], otherwise: { kind: 'wait' } })
      .when(finished('1.0'))
      .thenDecides({ kind: 'call-tools', execute: ['1.2'] })
  })

  test('with a question about a serial call suspends once all are looked at', () => {
    inTools({ name: 'a', serial: true }, { name: 'b', serial: true })
      .when(asked('1.0#1', { call: '1.0' }))
      .thenDecides({ kind: 'call-tools', authorize: ['1.1'], execute: [], otherwise: { kind: 'suspend', reason: 'question' } })
      .when({ type: 'run.suspended', data: { reason: 'question' } })
      .thenDecides({ kind: 'call-tools', execute: [] })
  })
})

describe('an intent of an older epoch has lost its performer (DECIDE-2)', () => {
  test('a model call is recorded as lost and made again', () => {
    given(...started(), turn(1), assembled(), requested())
      .when(taken(2))
      .thenDecides({ kind: 'record', events: [{ type: 'model.failed', data: { error: { code: 'LOOM_MODEL_LOST' } } }] })
      .when({ type: 'model.failed', data: { attempt: 1, error: { code: 'LOOM_MODEL_LOST', message: '', recoverable: true }, retryAt: 0 } })
      .thenDecides({ kind: 'call-model', attempt: 1 })
  })

  test.each(['read', 'idempotent', 'reconcilable'] as const)('a %s call is seen to again', (effect) => {
    inTools({ name: 'a', serial: true })
      .when(begun('1.0', effect), taken(2))
      .thenDecides({ kind: 'call-tools', execute: ['1.0'] })
  })

  test('an unsafe call becomes a question (DECIDE-6)', () => {
    inTools({ name: 'a', serial: true })
      .when(begun('1.0'), taken(2))
      .thenDecides({ kind: 'record', events: [{ type: 'tool.in-doubt' }, { type: 'question.asked', data: { kind: 'in-doubt', call: '1.0' } }] })
  })

  test('a durable body is entered again, and its unsafe steps become questions', () => {
    const durable = inTools({ name: 'a' }).when(begun('1.0', 'unsafe', { durable: true }))
    durable.when(taken(2)).thenDecides({ kind: 'call-tools', execute: ['1.0'] })
    durable
      .when({ type: 'tool.step-started', data: { call: '1.0', key: 'step:pay:1', effect: 'unsafe' } }, taken(2))
      .thenDecides({ kind: 'record', events: [{ type: 'tool.in-doubt', data: { key: 'step:pay:1' } }, { type: 'question.asked' }] })
  })

  test('a suspended body with a child is looked after by a new driver, and by it once', () => {
    const parked = inTools({ name: 'a' }).when(
      begun('1.0', 'idempotent', { durable: true }),
      { type: 'child.started', data: { call: '1.0', key: 'run:x:1', child: 'c', agent: 'x' } },
      { type: 'tool.suspended', data: { call: '1.0' } },
    )
    parked.thenDecides({ kind: 'suspend', reason: 'waiting' })
    parked.when(taken(2)).thenDecides({ kind: 'call-tools', execute: ['1.0'] })
  })
})

describe('time', () => {
  test('comes in as the nearest moment and the event to record then', () => {
    const bodies = inTools({ name: 'a' }, { name: 'b' }).when(
      begun('1.0', 'read', { durable: true }),
      { type: 'tool.step-started', data: { call: '1.0', key: 'sleep::1', effect: 'pure', until: 500 } },
      { type: 'tool.suspended', data: { call: '1.0' } },
      begun('1.1', 'read', { durable: true }),
      asked('1.1/ask::1#1', { call: '1.1', key: 'ask::1', kind: 'choice', expires: 400 }),
      { type: 'tool.suspended', data: { call: '1.1' } },
    )
    bodies.thenDecides({ kind: 'suspend', until: { at: 400, due: { type: 'question.expired', data: { id: '1.1/ask::1#1' } } } })
    bodies.when({ type: 'question.expired', data: { id: '1.1/ask::1#1' } }).thenDecides({ kind: 'call-tools', execute: ['1.1'] })
  })

  test('of a retry is passed to the performer', () => {
    const error = { code: 'LOOM_MODEL_FAILED', message: '', recoverable: true }
    const failed = given(...started(), turn(1), assembled(), requested())
    failed.when({ type: 'model.failed', data: { attempt: 1, error, retryAt: 99 } }).thenDecides({ kind: 'call-model', attempt: 2, notBefore: 99 })
    failed
      .when({ type: 'model.failed', data: { attempt: 1, error } })
      .thenDecides({ kind: 'record', events: [{ type: 'run.failed', data: { error } }] })
  })
})

describe('a stop request (DECIDE-3)', () => {
  const stop: Draft = { type: 'run.stop-requested', data: { reason: 'enough' } }

  test('ends a run that does nothing', () => {
    given(...started(), stop).thenDecides({ kind: 'record', events: [{ type: 'run.stopped', data: { kind: 'cancelled', reason: 'enough' } }] })
  })

  test('aborts what is performed, then settles the rest, then ends', () => {
    given(...started(), turn(1), assembled(), requested(), stop).thenDecides({ kind: 'abort', reason: 'enough' })
    const calls = inTools({ name: 'a' }, { name: 'b' }, { name: 'c' }).when(begun('1.0'), begun('1.1'), finished('1.1'), stop)
    calls.thenDecides({ kind: 'abort' })
    calls.when(finished('1.0')).thenDecides({ kind: 'record', events: [{ type: 'tool.finished', data: { call: '1.2', errorType: 'cancelled' } }] })
    calls.when(finished('1.0'), finished('1.2')).thenDecides({ kind: 'record', events: [{ type: 'run.stopped' }] })
  })

  test('settles a lost unsafe call as unknown', () => {
    inTools({ name: 'a', serial: true })
      .when(begun('1.0'), taken(2), stop)
      .thenDecides({ kind: 'record', events: [{ type: 'tool.finished', data: { errorType: 'outcome-unknown' } }] })
  })
})

describe('limits', () => {
  test.each([
    ['of turns stop', { turns: 1 }, { kind: 'stop', cause: { kind: 'limit', limit: 'turns', used: 1, max: 1 } }],
    ['of time stop', { time: 3 }, { kind: 'stop', cause: { kind: 'limit', limit: 'time', max: 3 } }],
    ['of tokens ask', { tokens: 1 }, { kind: 'ask', about: { limit: 'tokens', max: 1 } }],
    ['of tokens stop where they are to', { tokens: 1, onReached: 'stop' }, { kind: 'stop', cause: { kind: 'budget', limit: 'tokens', max: 1 } }],
  ] as const)('%s', (_, limits, effect) => {
    const acted = [turn(1), assembled(), requested(), called({ name: 'a' }), begun('1.0', 'read'), finished('1.0')]
    given(...started('Hi', limits), ...acted).thenDecides(effect)
  })

  test('of tokens are asked about by the performer where the run is a child: it knows what the next call needs (GRANT-1)', () => {
    const parent = { thread: 'p', incarnation: 'i', call: '1.0', key: 'k', depth: 1 }
    const child = (limits: object) =>
      given(...started('Hi', limits).map((event) => (event.type === 'thread.started' ? { ...event, data: { ...event.data, parent } } : event)))
    const entered = child({ tokens: 0 }).thenDecides({ kind: 'record', events: [{ type: 'turn.entered' }] })
    entered.when(turn(1), assembled()).thenDecides({ kind: 'call-model' })
    child({ tokens: 0, onReached: 'stop' }).thenDecides({ kind: 'stop', cause: { kind: 'budget' } })
  })

  test('a thread that five drivers left without a fact is parked', () => {
    const parked = given(...started(), taken(2), taken(3), taken(4), taken(5), taken(6))
    parked.thenDecides({ kind: 'ask', about: 'parked' })
    const question = asked('run:parked#1', { kind: 'parked' })
    parked.when(question).thenDecides({ kind: 'suspend' })
    parked
      .when(question, { type: 'question.answered', data: { id: 'run:parked#1', answer: { kind: 'approve' } } })
      .thenDecides({ events: [{ type: 'turn.entered' }] })
    parked
      .when(question, { type: 'question.answered', data: { id: 'run:parked#1', answer: { kind: 'reject' } } })
      .thenDecides({ events: [{ type: 'run.stopped' }] })
  })

  test('a driver that stored nothing counts by its epoch, until one adds a fact', () => {
    given(...started(), taken(6)).thenDecides({ kind: 'ask', about: 'parked' })
    given(...started(), taken(5)).thenDecides({ events: [{ type: 'turn.entered' }] })
    const answered = given(...started(), turn(1), assembled(), taken(5), requested(), called({ name: 'a' }))
    answered.when(taken(9)).thenDecides({ kind: 'call-tools' })
    answered.when(taken(11)).thenDecides({ kind: 'ask', about: 'parked' })
  })
})

describe('the answer', () => {
  const verdict = (output: object): Draft => ({
    type: 'model.replied',
    data: { parts: [], usage: { input: 1, output: 1 }, finish: 'stop', output: output as { error: string } },
  })
  const sent = (more: object) => {
    const [thread, run, driver] = started()
    const request = { ...(run as { data: { request: object } }).data.request, ...more } as never
    return given(thread as Draft, { type: 'run.started', data: { run: 'r1', request } }, driver as Draft, turn(1), assembled(), requested())
  }

  test('that does not fit is sent back as often as allowed, then fails', () => {
    const wrong = sent({ repairs: 1 }).when(verdict({ error: 'x' }))
    wrong.thenDecides({ kind: 'record', events: [{ type: 'turn.entered', data: { notes: [{ kind: 'repair' }] } }] })
    wrong
      .when(
        { type: 'turn.entered', data: { turn: 2, notes: [{ kind: 'repair', text: 'again' }] } },
        assembled(),
        requested(),
        verdict({ error: 'x' }),
      )
      .thenDecides({ events: [{ type: 'run.failed', data: { error: { code: 'LOOM_OUTPUT_INVALID' } } }] })
  })

  test('without the required end is reminded once', () => {
    const ended = sent({ done: 'done' }).when(replied('So.'))
    ended.thenDecides({ events: [{ type: 'turn.entered', data: { notes: [{ kind: 'done' }] } }] })
    ended
      .when({ type: 'turn.entered', data: { turn: 2, notes: [{ kind: 'done', text: '!' }] } }, assembled(), requested(), replied('So.'))
      .thenDecides({
        events: [{ type: 'run.finished' }],
      })
  })

  test('gives way to what was steered meanwhile', () => {
    sent({})
      .when(replied('So.'), { type: 'message.steered', data: { message: { role: 'user', parts: [] } } })
      .thenDecides({ events: [{ type: 'turn.entered' }] })
  })
})

test('a paused run suspends between turns and between calls, not in the middle of one', () => {
  const pause: Draft = { type: 'run.pause-requested', data: {} }
  given(...started(), pause).thenDecides({ kind: 'suspend', reason: 'paused' })
  given(...started(), turn(1), assembled(), requested(), pause).thenDecides({ kind: 'wait' })
  inTools({ name: 'a' }).when(begun('1.0', 'read'), pause).thenDecides({ kind: 'wait' })
  const between = inTools({ name: 'a' }, { name: 'b' }).when(pause)
  between.thenDecides({ kind: 'suspend', reason: 'paused' })
  const paused: Draft = { type: 'run.suspended', data: { reason: 'paused' } }
  expect(isAtRest(between.frame)).toBe(false)
  expect(isAtRest(between.when(paused).frame)).toBe(true)
  between.when(paused, { type: 'run.resumed', data: { cause: 'asked' } }).thenDecides({ kind: 'call-tools' })
})

describe('only a caller ends a pause (PAUSE-1)', () => {
  const pause: Draft = { type: 'run.pause-requested', data: {} }
  const asked = (id: string, call?: string): Draft => ({
    type: 'question.asked',
    data: { id, kind: call === undefined ? 'limit' : 'approval', prompt: '?', expires: 1, ...(call !== undefined && { call }) },
  })
  const suspended: Draft = { type: 'run.suspended', data: { reason: 'question', until: 1 } }
  const held = { kind: 'suspend', reason: 'paused', until: undefined } as const

  test.each([{ kind: 'approve' }, { kind: 'edit', input: {} }, { kind: 'reject' }, { kind: 'respond', value: 1 }] as const)(
    'not an answer: $kind',
    (answer) => {
      const waiting = inTools({ name: 'a' }).when(asked('1.0#1', '1.0'), suspended, pause)
      expect(waiting.frame.run?.until).toBeUndefined()
      waiting.when({ type: 'question.answered', data: { id: '1.0#1', answer } }).thenDecides(held)
    },
  )

  test('not an expiry, of a question about a call or about the run, nor the drivers that look', () => {
    const drivers = Array.from({ length: 9 }, (_, n): Draft => ({ type: 'driver.acquired', data: { epoch: n + 2, worker: 'w' } }))
    for (const about of [asked('1.0#1', '1.0'), asked('run:limit#1')])
      inTools({ name: 'a' })
        .when(about, suspended, pause, ...drivers)
        .thenDecides(held)
    given(...started(), asked('run:limit#1'), suspended, pause).thenDecides(held)
  })

  test('and while a call is performed, nothing new starts', () => {
    inTools({ name: 'a' }, { name: 'b' }).when(begun('1.0', 'read'), pause).thenDecides({ kind: 'wait', until: undefined })
  })
})
