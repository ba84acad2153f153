import {
  at,
  callOf,
  type Draft,
  decide,
  decodeBatch,
  emptyFrame,
  encodeBatch,
  evolve,
  type Frame,
  fold,
  isAtRest,
  items,
  type JsonObject,
  type LoomEvent,
  place,
  summarize,
  upcast,
} from '@loom-agent/kernel'
import { deepFreeze, facts, given } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyDraft, anyHistory, draftOf, json, opening, runTypes } from './any-events.ts'

const { started, turn, assembled, requested, replied, called, finished } = facts
const begun = (call: string, more: object = {}): Draft => ({ type: 'tool.started', data: { call, effect: 'unsafe', ...more } })
const calling = (...names: readonly string[]) => given(...started(), turn(1), assembled(), requested(), called(...names.map((name) => ({ name }))))

describe('evolve is pure and total (EVOLVE-1)', () => {
  test('no history of well-typed events makes it, or anything that reads its frame, throw', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        let frame = emptyFrame('t')
        for (const event of events) {
          frame = evolve(frame, event)
          decide(frame)
          isAtRest(frame)
          summarize(frame)
        }
        expect([frame.seq, frame.thread]).toEqual([events.length, 't'])
      }),
      { numRuns: 400 },
    )
  })

  test('frames and events that are frozen stay as they were', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        let frame = deepFreeze(emptyFrame('t'))
        for (const event of events) frame = deepFreeze(evolve(frame, deepFreeze(event)))
        decide(frame)
      }),
      { numRuns: 200 },
    )
  })

  test('the same events give the same frame and the same decision, live or read back from bytes (REPLAY-1)', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        const live = fold('t', events)
        const line = encodeBatch({ id: 'b', incarnation: 't', expected: 0, time: 5, events, summary: { status: 'idle' } })
        const read = fold('t', decodeBatch('t', 1, line))
        expect(read).toEqual(live)
        expect(decide(read)).toEqual(decide(live))
      }),
      { numRuns: 200 },
    )
  })

  test('an event about a run moves the position of a thread without a run, and nothing else', () => {
    fc.assert(
      fc.property(draftOf(...runTypes), (draft) => {
        const [event] = place({ thread: 't', seq: 7, time: 99 }, [draft])
        expect(evolve(emptyFrame('t'), event as LoomEvent)).toEqual({ ...emptyFrame('t'), seq: 7, time: 99 })
      }),
      { numRuns: 300 },
    )
  })

  test.each<Draft>([
    { type: 'run.finished', data: {} },
    { type: 'run.stopped', data: { kind: 'cancelled', reason: 'enough' } },
  ])('an event about a run after $type moves the position and nothing else, unless it lets the run go on', (end) => {
    const ended = given(...started(), turn(1), assembled(), requested(), called({ name: 'a' }), end)
    const { seq: _, time: __, ...unchanged } = ended.frame
    const types = runTypes.filter((type) => type !== 'limit.raised' && type !== 'agent.upgraded')
    fc.assert(
      fc.property(draftOf(...types), (draft) => {
        const { seq: ___, time: ____, ...rest } = ended.when(draft).frame
        expect(rest).toEqual(unchanged)
      }),
      { numRuns: 300 },
    )
  })

  test.each<Draft>([
    { type: 'tool.started', data: { call: '9.9', effect: 'unsafe' } },
    { type: 'tool.finished', data: { call: '1.7', status: 'success', output: { type: 'text', value: 'x' } } },
    { type: 'tool.denied', data: { call: 'x', reason: 'x', errorType: 'x' } },
    { type: 'tool.suspended', data: { call: '1.0' } },
    { type: 'tool.in-doubt', data: { call: '2.0' } },
    { type: 'child.started', data: { call: '', key: 'run:x:1', child: 'c', agent: 'a' } },
    { type: 'question.answered', data: { id: '1.0#9', answer: { kind: 'approve' } } },
    { type: 'question.expired', data: { id: 'nobody asked' } },
    { type: 'memory.recorded', data: { key: 'k', value: 1 } },
  ])('$type about something that is not there moves the position and nothing else', (draft) => {
    const { frame } = calling('a')
    const { seq, time, ...rest } = calling('a').when(draft).frame
    const { seq: before, time: earlier, ...unchanged } = frame
    expect(rest).toEqual(unchanged)
    expect([seq - before, time - earlier]).toEqual([1, 1])
  })

  test.each(['toString', 'constructor', 'valueOf', '__proto__', 'hasOwnProperty'])('a question that was not asked is not there, even as %s', (id) => {
    const { frame } = calling('a')
    for (const draft of [
      { type: 'question.answered', data: { id, answer: { kind: 'reject' } } },
      { type: 'question.expired', data: { id } },
    ] as const satisfies readonly Draft[]) {
      const { seq: _, time: __, ...rest } = calling('a').when(draft).frame
      const { seq: ___, time: ____, ...unchanged } = frame
      expect(rest).toEqual(unchanged)
    }
  })

  test('a patch that no hook could mean does no harm', () => {
    const field = fc.constantFrom('input', 'outcome', 'parts', 'say', 'settings', 'limits', 'system')
    const patches = fc.dictionary(field, json, { minKeys: 1, maxKeys: 3 }) as fc.Arbitrary<JsonObject>
    const points = fc.constantFrom('beforeIterationStart', 'afterContextAssembly', 'beforeModelCall', 'afterModelReply')
    const befores = {
      calling: calling('a'),
      entered: given(...started(), turn(1)),
      answered: given(...started(), turn(1), assembled(), requested(), replied('x')),
    }
    fc.assert(
      fc.property(fc.constantFrom('calling' as const, 'entered' as const, 'answered' as const), points, patches, (before, point, patch) => {
        decide(befores[before].when({ type: 'hook.applied', data: { point, patch } }).frame)
      }),
      { numRuns: 200 },
    )
  })
})

describe('what this version does not know (EVOLVE-2)', () => {
  const odd = (type: string, v = 1): LoomEvent => ({ v, type, thread: 't', seq: 4, time: 9, data: {} }) as never as LoomEvent

  test.each(['run.teleported', 'nonsense', '', 'toString', 'valueOf', 'constructor', '__proto__'])(
    'an event called "%s" makes the thread readable and not drivable',
    (type) => {
      const before = given(...started()).frame
      const after = evolve(before, odd(type))
      expect(after).toEqual({ ...before, seq: 4, time: 9, unknown: { type, v: 1, seq: 4 } })
      expect(decide(after)).toEqual({ kind: 'rest' })
    },
  )

  test('a newer version of a known type does, too, and the first such event is named', () => {
    const after = fold('t', [odd('run.finished', 2), odd('turn.entered', 3)], given(...started()).frame)
    expect(after.unknown).toEqual({ type: 'run.finished', v: 2, seq: 4 })
    expect(after.run?.status).toBe('active')
  })
})

describe('a call', () => {
  test('is settled exactly once, whatever comes afterwards (EVOLVE-3)', () => {
    const later = fc.array(
      anyDraft.filter(({ type }) => !['model.replied', 'turn.entered', 'run.started', 'hook.applied', 'run.finished', 'run.stopped'].includes(type)),
      { maxLength: 15 },
    )
    fc.assert(
      fc.property(later, (drafts) => {
        const before = calling('a', 'b').when(finished('1.0', 'first'))
        const after = before.when(...drafts).frame
        const outcomeOf = (frame: Frame) => frame.run && callOf(frame.run, '1.0')?.outcome
        expect(outcomeOf(after)).toEqual(outcomeOf(before.frame))
      }),
      { numRuns: 200 },
    )
  })

  test('counts down what is unsettled, and never below nothing', () => {
    fc.assert(
      fc.property(fc.array(anyDraft, { maxLength: 30 }), (drafts) => {
        const { run } = fold('t', place({ thread: 't', seq: 1, time: 5 }, [...opening, ...drafts]))
        if (!run) return
        let open = 0
        for (let index = 0; index < run.calls.length; index += 1) if (at(run.calls, index)?.state !== 'settled') open += 1
        expect(run.unsettled).toBe(open)
      }),
      { numRuns: 300 },
    )
  })

  test('that is settled takes its questions with it', () => {
    const asking = calling('a').when({ type: 'question.asked', data: { id: '1.0#1', kind: 'approval', prompt: '?', call: '1.0' } })
    expect(Object.keys(asking.frame.questions)).toEqual(['1.0#1'])
    expect(asking.when(finished('1.0')).frame.questions).toEqual({})
  })

  test('that was never answered has a result all the same when its turn is left', () => {
    const { frame } = calling('a', 'b').when(finished('1.1'), turn(2))
    expect(at(frame.history, frame.history.length - 1)?.message).toMatchObject({
      role: 'tool',
      results: [
        { call: '1.0', output: { type: 'error', value: 'Cancelled: the run failed before this call ended' } },
        { call: '1.1', output: { value: 'ok' } },
      ],
    })
  })

  test('is suspended only while it runs, and woken by what it waits for', () => {
    const parked = calling('a').when(begun('1.0', { durable: true }), {
      type: 'tool.step-started',
      data: { call: '1.0', key: 'sleep::1', effect: 'pure', until: 50 },
    })
    const callOf0 = (frame: Frame) => frame.run && callOf(frame.run, '1.0')
    const suspended = parked.when({ type: 'tool.suspended', data: { call: '1.0' } })
    expect(callOf0(suspended.frame)).toMatchObject({ state: 'suspended', woken: false })
    expect(callOf0(suspended.when({ type: 'tool.step-finished', data: { call: '1.0', key: 'sleep::1' } }).frame)).toMatchObject({
      woken: true,
      open: [],
    })
    expect(callOf0(parked.when({ type: 'tool.step-finished', data: { call: '1.0', key: 'step:x:1', value: 1 } }).frame)).toMatchObject({
      woken: false,
    })
  })
})

describe('the whole text of a result', () => {
  const whole = { text: { $blob: 'name', bytes: 3 }, characters: 3 }
  const cut: Draft = { type: 'tool.finished', data: { call: '1.0', status: 'success', output: { type: 'text', value: 'a' }, whole } }
  const patched = (outcome: JsonObject): unknown => {
    const patch: Draft = { type: 'hook.applied', data: { point: 'afterToolExecution', call: '1.0', patch: { outcome } } }
    const { run } = calling('a').when(cut, patch).frame
    return run && callOf(run, '1.0')?.outcome?.whole
  }

  test('is not that of another output: what a hook took out cannot be read again', () => {
    expect(patched({ output: { type: 'text', value: 'withheld' } })).toBeUndefined()
  })

  test('stays where a hook changes something else', () => {
    expect(patched({ status: 'warning' })).toEqual(whole)
  })
})

describe('a question', () => {
  const asked = (more: object): Draft => ({ type: 'question.asked', data: { id: '1.0#1', kind: 'approval', prompt: '?', call: '1.0', ...more } })
  const answered = (kind: 'approve' | 'reject', by?: string, more: object = {}): Draft => ({
    type: 'question.answered',
    data: { id: '1.0#1', answer: { kind, ...more }, ...(by !== undefined && { by }) },
  })
  const stateOf = (frame: Frame) => frame.run && callOf(frame.run, '1.0')?.state

  test('takes the first answer that settles it, and no other (EVOLVE-4)', () => {
    const asking = calling('a').when(asked({}))
    expect(stateOf(asking.when(answered('approve'), answered('reject')).frame)).toBe('cleared')
    expect(stateOf(asking.when(answered('reject'), answered('approve')).frame)).toBe('rejected')
  })

  test('that needs several approvers counts each once, and is settled by the first rejection', () => {
    const asking = calling('a').when(asked({ approvers: 2 }))
    expect(stateOf(asking.when(answered('approve', 'ann'), answered('approve', 'ann')).frame)).toBe('asking')
    expect(stateOf(asking.when(answered('approve', 'ann'), answered('approve', 'bob')).frame)).toBe('cleared')
    expect(stateOf(asking.when(answered('approve', 'ann'), answered('reject', 'bob')).frame)).toBe('rejected')
  })

  test('approved for the thread leaves a grant, approved once leaves none', () => {
    const asking = calling('a').when(asked({ grant: 'g' }))
    expect(asking.when(answered('approve', 'ann', { scope: 'thread' })).frame.grants).toEqual(['g'])
    expect(asking.when(answered('approve', 'ann')).frame.grants).toEqual([])
    expect(asking.when(answered('reject', 'ann')).frame.grants).toEqual([])
  })

  test('inside a durable body gives the body its answer, a step in doubt its fate', () => {
    const body = calling('a').when(begun('1.0', { durable: true }), {
      type: 'tool.step-started',
      data: { call: '1.0', key: 'step:pay:1', effect: 'unsafe' },
    })
    const doubting = body.when(asked({ kind: 'in-doubt', key: 'step:pay:1' }))
    const recordsOf = (frame: Frame) => {
      const call = frame.run && callOf(frame.run, '1.0')
      return { open: call?.open.map(({ key }) => key), record: call && at(call.done, 0) }
    }
    const respond: Draft = { type: 'question.answered', data: { id: '1.0#1', answer: { kind: 'respond', value: 7 } } }
    expect(recordsOf(doubting.when(respond).frame)).toEqual({ open: [], record: { key: 'step:pay:1', value: 7 } })
    expect(recordsOf(doubting.when(answered('approve')).frame)).toEqual({ open: [], record: undefined })
    expect(recordsOf(doubting.when(answered('reject', 'ann', { reason: 'too much' })).frame).record?.error).toMatchObject({
      code: 'LOOM_STEP_REJECTED',
      message: expect.stringContaining('too much'),
    })
    expect(recordsOf(doubting.when(answered('reject')).frame).record?.error?.message).toContain('a human rejected it')
    const asking = body.when(asked({ kind: 'choice', key: 'ask::1' }))
    expect(recordsOf(asking.when(answered('approve')).frame)).toEqual({
      open: ['step:pay:1'],
      record: { key: 'ask::1', value: { kind: 'approve' }, about: '?' },
    })
  })

  test('about a limit gives as much again, or what the answer says; rejected it stops the run', () => {
    const limited = given(...started('Hi', { tokens: 100 }), {
      type: 'question.asked',
      data: { id: 'run:limit#1', kind: 'limit', prompt: 'Go on?', key: 'tokens' },
    })
    const say = (answer: { kind: 'approve'; limits?: object } | { kind: 'reject'; reason?: string }): Draft => ({
      type: 'question.answered',
      data: { id: 'run:limit#1', answer },
    })
    expect(limited.when(say({ kind: 'approve' })).frame.run?.limits.tokens).toBe(200)
    expect(limited.when(say({ kind: 'approve', limits: { tokens: 120 } })).frame.run?.limits.tokens).toBe(120)
    expect(limited.when(say({ kind: 'reject' })).frame.run?.stop).toEqual({ reason: 'Go on?', kind: 'budget' })
    expect(limited.when(say({ kind: 'reject', reason: 'no' })).frame.run?.stop).toEqual({ reason: 'no', kind: 'budget' })
  })
})

describe('a run', () => {
  test('in the queue keeps what it was asked until it starts, and the run under way is not asked', () => {
    const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
    const queued = given(...started(), { type: 'run.queued', data: { run: 'r2', request } })
    const asked = queued.when(
      { type: 'run.stop-requested', data: { reason: 'enough', run: 'r2' } },
      { type: 'run.pause-requested', data: { run: 'r2' } },
      { type: 'run.stop-requested', data: { reason: 'nobody', run: 'r9' } },
    )
    expect(asked.frame.run).toMatchObject({ id: 'r1', stop: undefined, pause: false })
    const begun = asked.when({ type: 'run.finished', data: {} }, { type: 'run.started', data: { run: 'r2', queued: 4 } })
    expect(begun.frame).toMatchObject({ queue: [], run: { id: 'r2', stop: { reason: 'enough', kind: 'cancelled' }, pause: true } })
    begun.thenDecides({ kind: 'record', events: [{ type: 'run.stopped', data: { kind: 'cancelled', reason: 'enough' } }] })
  })

  test('that is stopped keeps the text of its last attempt in the history when the stop says so, and an older stop does not (version 1)', () => {
    const error = { code: 'LOOM_ABORTED', message: 'x', recoverable: false }
    const aborted = given(...started(), turn(1), assembled(), requested(), { type: 'model.failed', data: { attempt: 1, error, partial: 'Hel' } })
    const asked = aborted.when({ type: 'run.stop-requested', data: { reason: 'enough' } })
    const data = { kind: 'cancelled', reason: 'enough' } as const
    asked.thenDecides({ kind: 'record', events: [{ type: 'run.stopped', data: { ...data, partial: true } }] })
    const entries = (stop: Draft) => [...items(asked.when(stop).frame.history)].map(({ message }) => message)
    const before = [...items(asked.frame.history)].map(({ message }) => message)
    expect(upcast({ type: 'run.stopped', v: 1, data })).toEqual({ type: 'run.stopped', v: 2, data })
    expect(entries({ type: 'run.stopped', data })).toEqual(before)
    const said = { role: 'assistant', parts: [{ type: 'text', text: 'Hel' }] }
    expect(entries({ type: 'run.stopped', data: { ...data, partial: true } })).toEqual([...before, said])
  })

  test('starts from the queue, and an unknown place in the queue starts nothing', () => {
    const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
    const over = given(...started(), { type: 'run.queued', data: { run: 'r2', request } }, { type: 'run.finished', data: {} })
    expect(over.when({ type: 'run.started', data: { run: 'r2', queued: 4 } }).frame).toMatchObject({ queue: [], runs: 2, run: { id: 'r2' } })
    expect(over.when({ type: 'run.started', data: { run: 'r9', queued: 99 } }).frame).toMatchObject({ runs: 2, run: { id: 'r1' } })
  })

  test('that follows a failed one answers the calls which that left open, before its input', () => {
    const error = { code: 'LOOM_HOOK_FAILED', message: 'x', recoverable: true }
    const [, begin] = started('Again')
    const { frame } = calling('a').when({ type: 'run.failed', data: { error } }, begin as Draft)
    expect(Array.from({ length: frame.history.length }, (_, index) => at(frame.history, index)?.message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ])
  })

  test('that follows a failed one without results of its calls, as older versions stored it, says which outcomes are unknown (DECIDE-6)', () => {
    const error = { code: 'LOOM_HOOK_FAILED', message: 'x', recoverable: true }
    const [, begin] = started('Again')
    const { frame } = calling('a', 'b').when(begun('1.0'), { type: 'run.failed', data: { error } }, begin as Draft)
    const unknown = expect.stringMatching(/^The process was lost while a ran: .* The outcome is unknown/)
    expect(at(frame.history, 2)?.message).toMatchObject({
      role: 'tool',
      results: [{ output: { value: unknown } }, { output: { value: 'Cancelled: the run failed before this call ended' } }],
    })
  })

  test('counts time while it is driven and none while it waits', () => {
    const driven = given(...started(), turn(1))
    const waiting = driven.when({ type: 'run.suspended', data: { reason: 'waiting', until: 9_999 } })
    expect(waiting.frame.run).toMatchObject({ status: 'suspended', since: undefined, until: 9_999, driven: 2 })
    const again = waiting.when({ type: 'memory.recorded', data: { key: 'k', value: 1 } }, { type: 'run.resumed', data: { cause: 'asked' } }, turn(2))
    expect(again.when({ type: 'run.finished', data: {} }).frame.run).toMatchObject({ driven: 4, since: undefined })
  })

  test('keeps what a lost attempt had reserved as spent, and what a failed one used', () => {
    const sent = given(...started(), turn(1), assembled(), { type: 'model.requested', data: { attempt: 1, reserved: { tokens: 50, cost: 7 } } })
    const error = { code: 'LOOM_MODEL_LOST', message: '', recoverable: true }
    expect(sent.when({ type: 'model.failed', data: { attempt: 1, error } }).frame.run?.lost).toEqual({ tokens: 50, cost: 7 })
    const known = sent.when({ type: 'model.failed', data: { attempt: 1, error, usage: { input: 3, output: 4 }, cost: 5 } }).frame.run
    expect(known).toMatchObject({ lost: { tokens: 0, cost: 0 }, usage: { input: 3, output: 4 }, cost: 5 })
  })

  test('that stopped at a limit goes on when the limit is raised; one that was cancelled does not', () => {
    const stopped = (kind: 'limit' | 'budget' | 'cancelled') =>
      given(
        ...started('Hi', { turns: 1 }),
        { type: 'run.stopped', data: { kind, reason: 'x' } },
        { type: 'limit.raised', data: { limits: { turns: 9 } } },
      ).frame.run
    expect(stopped('limit')).toMatchObject({ status: 'active', end: undefined, limits: { turns: 9 } })
    expect(stopped('budget')?.status).toBe('active')
    expect(stopped('cancelled')?.status).toBe('stopped')
  })

  test('ends once: an end after the end changes nothing', () => {
    const over = given(...started(), turn(1), { type: 'run.finished', data: { output: 1 } })
    const error = { code: 'x', message: '', recoverable: false }
    const after = over.when({ type: 'run.failed', data: { error } }, { type: 'run.stopped', data: { kind: 'loop', reason: '' } }).frame.run
    expect(after).toMatchObject({ status: 'finished', output: 1, error: undefined, end: undefined })
    expect(over.when({ type: 'run.stop-requested', data: { reason: 'late' } }, { type: 'run.pause-requested', data: {} }).frame.run).toMatchObject({
      stop: undefined,
      pause: false,
    })
  })

  test('is known under the fingerprint of the agent that took it over', () => {
    expect(given(...started(), { type: 'agent.upgraded', data: { from: 'f', to: 'g' } }).frame.run?.request.agent).toEqual({
      name: 'agent',
      fingerprint: 'g',
    })
    expect(given(...started(), { type: 'thread.forked', data: { from: 'u@3' } }).frame.fork?.from).toBe('u@3')
  })

  test('remembers at most twenty calls when it looks for a loop', () => {
    let history = given(...started())
    for (let n = 1; n <= 30; n += 1)
      history = history.when(turn(n), assembled(), requested(), called({ name: 'a' }), finished(`${n}.0`, `result ${n}`))
    expect(history.frame.run?.recent).toHaveLength(20)
    expect(history.frame.run?.repeated).toBeUndefined()
  })

  test('adds what a hook says to the history before the model replies, and to the next turn afterwards', () => {
    const say: Draft = { type: 'hook.applied', data: { point: 'beforeContextAssembly', patch: { say: [{ role: 'user', parts: [] }] } } }
    expect(given(...started(), turn(1), say).frame).toMatchObject({ steering: [], history: { length: 2 } })
    expect(calling('a').when(say).frame).toMatchObject({ history: { length: 2 }, steering: [{ priority: 0 }] })
  })

  test('keeps its history when a hook wants to replace a reply that is not there', () => {
    const replace: Draft = { type: 'hook.applied', data: { point: 'afterModelReply', patch: { parts: [] } } }
    expect(given(...started(), turn(1), replace).frame.history.length).toBe(1)
    expect(given(...started(), turn(1), assembled(), requested(), replied('x'), replace).frame).toMatchObject({
      history: { length: 2 },
      run: { phase: 'answer' },
    })
  })
})

describe('what a new driver finds', () => {
  test('the time of drivers that were lost is driven time, up to their last events', () => {
    const request = { input: [], model: 'm', limits: {}, agent: { name: 'a', fingerprint: 'f' } }
    const at = (time: number, draft: Draft, seq: number): readonly LoomEvent[] => place({ thread: 't', seq, time }, [draft])
    let frame = fold('t', at(0, { type: 'run.started', data: { run: 'r1', request } }, 1))
    for (let driver = 1; driver <= 5; driver += 1) {
      frame = fold('t', at(driver * 1000, { type: 'driver.acquired', data: { epoch: driver, worker: 'w' } }, frame.seq + 1), frame)
      frame = fold('t', at(driver * 1000 + 900, turn(driver), frame.seq + 1), frame)
    }
    frame = fold('t', at(6000, { type: 'run.suspended', data: { reason: 'waiting' } }, frame.seq + 1), frame)
    // The last one drove until the run was suspended.
    expect(frame.run?.driven).toBe(4 * 900 + 1000)
  })

  test('a failed run keeps the questions of its calls, and no others', () => {
    const asked = (id: string, call?: string): Draft => ({
      type: 'question.asked',
      data: { id, kind: 'approval', prompt: '?', ...(call && { call }) },
    })
    const failed: Draft = { type: 'run.failed', data: { error: { code: 'x', message: 'x', recoverable: true } } }
    const { frame } = calling('a', 'b').when(asked('1.0#1', '1.0'), asked('run#2'), failed)
    expect(Object.keys(frame.questions)).toEqual(['1.0#1'])
    const resumed = fold('t', place({ thread: 't', seq: frame.seq + 1, time: 99 }, [{ type: 'run.resumed', data: { cause: 'asked' } }]), frame)
    const answer: Draft = { type: 'question.answered', data: { id: '1.0#1', answer: { kind: 'approve' } } }
    const answered = fold('t', place({ thread: 't', seq: resumed.seq + 1, time: 100 }, [answer]), resumed)
    expect(answered.run && callOf(answered.run, '1.0')?.state).toBe('cleared')
  })

  test('a fork with another model makes another attempt after one that failed for good; one without fails as its parent did', () => {
    const error = { code: 'LOOM_MODEL_FAILED', message: 'no', recoverable: true }
    const failed: Draft = { type: 'model.failed', data: { attempt: 1, error } }
    const forked = (data: { model?: string }): Draft => ({ type: 'thread.forked', data: { from: 'p@7', limits: {}, ...data } })
    const history = given(...started(), turn(1), assembled(), requested(), failed)
    history.when(forked({})).thenDecides({ kind: 'record', events: [{ type: 'run.failed', data: { error } }] })
    history.when(forked({ model: 'other' })).thenDecides({ kind: 'call-model', attempt: 2, notBefore: undefined })
  })

  test('the instructions of a fork of an older version are the patch of a hook, and fold as they did', () => {
    const forked: Draft = { type: 'thread.forked', data: { from: 'p@7', edits: [{ kind: 'instructions', text: 'Be rude.' }] } }
    const patch: Draft = { type: 'hook.applied', data: { point: 'beforeContextAssembly', hook: 'fork', patch: { system: 'Be rude.' } } }
    const { frame } = given(...started(), turn(1), assembled(), forked, patch)
    expect(frame.fork?.instructions).toBeUndefined()
    expect(frame.run).toMatchObject({ phase: 'context', rebase: { system: 'Be rude.' } })
  })

  test('a call that is open at the cut of a fork is decided anew, with the arguments that the model proposed', () => {
    const patch: Draft = { type: 'hook.applied', data: { point: 'beforeToolExecution', call: '1.0', patch: { input: { n: 2 } } } }
    const forked: Draft = { type: 'thread.forked', data: { from: 'p@7' } }
    const { frame } = calling('a').when(patch, forked)
    expect(frame.run && callOf(frame.run, '1.0')).toMatchObject({ state: 'proposed', input: {} })
  })
})
