/** What the fold makes of a patch that replaces messages for the run. */
import type { Message } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import { expect, test } from 'vitest'

const { started, turn } = facts
const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

test('a message that waits is replaced by its seq, keeps its priority, and others stay', () => {
  const waiting = given(...started(), turn(1)).when(
    { type: 'message.steered', data: { message: said('a'), priority: 2 } },
    { type: 'message.steered', data: { message: said('b') } },
  )
  const [first, second] = waiting.frame.steering
  const patch = {
    steering: [
      { seq: first?.seq ?? 0, message: said('A') },
      { seq: 999, message: said('C') },
    ],
  }
  const patched = waiting.when({ type: 'hook.applied', data: { point: 'beforeIterationStart', hook: 'guards', patch } })
  expect(patched.frame.steering).toEqual([{ ...first, message: said('A') }, second])
})
