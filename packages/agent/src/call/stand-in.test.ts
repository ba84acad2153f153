import { type Call, emptyFrame, emptyList, type Frame, type ToolOutcome } from '@loom-agent/kernel'
import { expect, test } from 'vitest'
import { putBack, type RecordedOutcomes, standIn } from './stand-in.ts'

const outcome = (seq: number): ToolOutcome => ({ status: 'success', output: { type: 'text', value: `value ${seq}` }, meta: { recorded: `t@${seq}` } })
const fork = { from: 't@1', effects: 'recorded' } as const

const call: Call = {
  id: '1.0',
  part: { type: 'call', id: 'c', name: 'read', input: {} },
  input: {},
  state: 'proposed',
  epoch: 0,
  start: undefined,
  answer: undefined,
  open: [],
  done: emptyList(),
  woken: false,
  unread: [],
  outcome: undefined,
}

test('a call takes its outcome without looking at the other calls of its reply (STANDIN-2)', () => {
  const frame: Frame = {
    ...emptyFrame('f'),
    fork,
    get run(): never {
      throw new Error('The calls of the reply were looked at.')
    },
  }
  const recorded: RecordedOutcomes = new Map([['read {}', [outcome(4), outcome(7)]]])
  const taken = Array.from({ length: 3 }, () => standIn(frame, recorded, { call, effect: 'read' }))
  expect(taken).toEqual([outcome(4), outcome(7), undefined])
})

test('outcomes that were put back are given again in the order of the record (STANDIN-1)', () => {
  const frame: Frame = { ...emptyFrame('f'), fork }
  const recorded: RecordedOutcomes = new Map([['read {}', [outcome(4), outcome(7), outcome(11)]]])
  const take = (): ToolOutcome | undefined => standIn(frame, recorded, { call, effect: 'read' })
  const dropped = [take(), take()] as ToolOutcome[]
  for (const one of dropped) putBack(recorded, call, one)
  expect([take(), take(), take(), take()]).toEqual([outcome(4), outcome(7), outcome(11), undefined])
})
