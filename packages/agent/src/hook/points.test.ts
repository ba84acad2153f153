import { type Draft, decide } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { pointsBefore } from './points.ts'

const { started, turn, assembled, requested, replied, called, finished } = facts
const next = (phase: 'afterToolExecution' | 'afterModelReply') => [phase, 'beforeRecursion', 'afterIterationEnd', 'beforeIterationStart']
const steered: Draft = { type: 'message.steered', data: { message: { role: 'user', parts: [] } } }
const error = { code: 'LOOM_MODEL_FAILED', message: 'overloaded', recoverable: true }
const stop: Draft = { type: 'run.stop-requested', data: { reason: 'enough' } }
const inTurn = [...started(), turn(1)]
const sent = [...inTurn, assembled(), requested()]
const acted = [...sent, called({ name: 'a' }), finished('1.0')]
const raised = (limits: object): Draft => ({ type: 'limit.raised', data: { limits } })

test.each<[string, readonly Draft[], readonly string[]]>([
  ['the first turn', started(), ['beforeIterationStart']],
  ['the context', inTurn, ['beforeContextAssembly']],
  ['the model', [...inTurn, assembled()], ['afterContextAssembly', 'beforeModelCall']],
  ['another attempt', [...sent, { type: 'model.failed', data: { attempt: 1, error, retryAt: 99 } }], []],
  ['a failure', [...sent, { type: 'model.failed', data: { attempt: 1, error } }], []],
  ['the calls', [...sent, called({ name: 'a' }, { name: 'b' })], ['afterModelReply']],
  ['the calls that are left', [...sent, called({ name: 'a' }, { name: 'b' }), finished('1.0')], []],
  ['the turn after calls', acted, next('afterToolExecution')],
  ['the turn after an answer', [...sent, replied('So.'), steered], next('afterModelReply')],
  ['the end', [...sent, replied('So.')], ['afterModelReply', 'afterIterationEnd']],
  ['a stop that was asked for', [...acted, stop], ['afterToolExecution']],
  ['the question of a limit', [...acted, raised({ tokens: 1 })], []],
  ['a limit that stops after calls', [...acted, raised({ turns: 1 })], ['afterToolExecution', 'afterIterationEnd']],
  ['a limit that stops after an answer', [...sent, replied('So.'), steered, raised({ turns: 1 })], ['afterModelReply', 'afterIterationEnd']],
  ['a limit that stops before the model', [...inTurn, assembled(), raised({ tokens: 0, onReached: 'stop' })], []],
])('before %s hooks are called where they always were', (_, events, points) => {
  const { frame } = given(...events)
  if (!frame.run) throw new Error('There is no run.')
  expect(pointsBefore(decide(frame), frame, frame.run)).toEqual(points)
})
