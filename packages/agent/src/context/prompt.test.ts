import { append, type Entry, emptyFrame } from '@loom-agent/kernel'
import { expect, test } from 'vitest'
import { createPrompt } from './prompt.ts'

test('a message is weighed once, however many follow it (PROMPT-2), and again after a rebase', () => {
  const prompt = createPrompt()
  let weighed = 0
  const scale = (): number => {
    weighed += 1
    return 1
  }
  const entry: Entry = { seq: 1, turn: 1, origin: 'input', message: { role: 'user', parts: [{ type: 'text', text: 'Go.' }] } }
  let frame = emptyFrame('t')
  for (let turn = 1; turn <= 50; turn += 1) {
    frame = { ...frame, history: append(frame.history, entry), context: { ...frame.context, covered: turn } }
    prompt.update(frame, 'v4')
    expect(prompt.weight(scale)).toBe(turn)
  }
  expect(weighed).toBe(50)
  prompt.update(
    {
      ...frame,
      context: { ...frame.context, rebases: frame.context.rebases + 1, segments: [{ to: 40, as: 'dropped', rule: 'old', reason: 'It is old.' }] },
    },
    'v4',
  )
  expect(prompt.weight(scale)).toBe(10)
  expect(weighed).toBe(60)
})
