/** Files that calls change and that forks put back, as far as the kernel looks at them. */
import { type Draft, eventVersions, isAtRest, summarize, upcast } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const { started, turn, assembled, requested, called } = facts
const files = [{ path: 'a', before: 'h1', after: 'h2', modes: [0o644, 0o755] }] as const
const kept = { files, contents: [{ $blob: 'h1', bytes: 2 }] }
const forked: Draft = { type: 'thread.forked', data: { from: 't@3', incarnation: 'fork' } }
const taken: Draft = { type: 'driver.acquired', data: { epoch: 1, worker: 'w' } }
const restoring: Draft = { type: 'workspace.restore-started', data: { at: 't@3', from: 't@9', ...kept } }
const restored: Draft = { type: 'workspace.restored', data: { files } }

describe('a fork that puts files back', () => {
  const begun = given(...started(), turn(1), forked).when(restoring)

  test('rests until they are back, and then goes on', () => {
    begun.thenDecides({ kind: 'rest' })
    begun.when(taken).thenDecides({ kind: 'rest' }).when(restored).thenDecides({ kind: 'assemble' })
    expect(isAtRest(begun.frame)).toBe(true)
  })

  test('counts as running, also where its run is over: somebody has to finish it', () => {
    const over = given(...started(), turn(1), { type: 'run.finished', data: {} }, forked)
    expect(summarize(over.frame).status).toBe('done')
    expect(summarize(over.when(restoring).frame).status).toBe('running')
    expect(summarize(over.when(restoring, taken, restored).frame).status).toBe('done')
  })

  test('passes none of it on to its own forks', () => {
    begun.when(forked).thenHas({ restoring: false }).thenDecides({ kind: 'assemble' })
  })

  test('is taken for no driver that leaves nothing when it is done', () => {
    begun.when(taken).thenHas({ takeovers: 1 }).when(restored).thenHas({ takeovers: 0 })
  })
})

test('no frame holds the files of a call, of a step or of a found change', () => {
  const calls = given(...started(), turn(1), assembled(), requested(), called({ name: 'a' }))
  const { frame } = calls.when(
    { type: 'tool.started', data: { call: '1.0', effect: 'idempotent', durable: true } },
    { type: 'tool.step-started', data: { call: '1.0', key: 'step:apply:1', effect: 'idempotent', ...kept } },
    { type: 'workspace.changed', data: { by: 'job:1', ...kept, unseen: 'too big' } },
  )
  expect(JSON.stringify(frame)).not.toContain('h1')
  const ended = calls.when({
    type: 'tool.finished',
    data: { call: '1.0', status: 'success', output: { type: 'text', value: 'ok' }, ...kept, unseen: 'too big' },
  })
  expect(JSON.stringify(ended.frame)).not.toMatch(/h1|too big/)
  expect(JSON.stringify(ended.frame)).toContain('"value":"ok"')
})

test.each(['tool.finished', 'tool.step-started'] as const)('%s of an older version is read as one without files', (type) => {
  const data = { call: '1.0' }
  expect(upcast({ type, v: 2, data })).toEqual({ type, v: eventVersions[type], data })
})
