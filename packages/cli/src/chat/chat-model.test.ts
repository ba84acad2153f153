/** The pure parts of a chat: what keys and events make of its state, and what is shown of it. */
import type { Question } from '@loom-agent/agent'
import type { EventOf, Json, LoomEvent } from '@loom-agent/kernel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, lineWidth } from '../screen/line.ts'
import { blockOf } from './block.ts'
import { type ChatState, chatModes, chatOf, type Step } from './chat-state.ts'
import { emptyEditor, insert } from './editor.ts'
import { onEvent } from './on-event.ts'
import { onKey, quiet } from './on-key.ts'
import { questionLines } from './question-lines.ts'

const question = (input: Json, tool = 'bash'): Question => ({
  id: 't#1.0#1',
  thread: 't',
  kind: 'approval',
  prompt: `May ${tool} run with these arguments?`,
  call: { id: '1.0', tool, input },
  approvers: 1,
  approvals: 0,
})

const start: ChatState = { ...chatOf({ agent: 'coder', size: { columns: 80, rows: 24 }, now: 0, mode: 'default', modes: chatModes }), thread: 't' }
const asked: ChatState = { ...start, status: 'waiting', questions: [question({ command: 'ls' })], quietSince: 1_000, now: 1_000 }
const shown = (lines: readonly Line[]): string => lines.map((line) => line.map(([text]) => text).join('')).join('\n')
const press = (state: ChatState, text: string, now: number): Step => onKey(state, { kind: 'text', text }, now)

test.each(['bash', 'edit', 'write_file', 'other'])('all that an approval of %s approves is shown (ASK-1)', (tool) => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '/', '-', '日'), minLength: 1, maxLength: 12 })
  const value = fc.oneof(word, fc.integer(), fc.boolean(), fc.array(word, { maxLength: 3 }), fc.dictionary(word, word, { maxKeys: 3 }))
  const passage = fc.record({ old: word, new: word, all: fc.boolean() })
  const given = fc.record(
    {
      command: fc.oneof(word, value),
      path: fc.oneof(word, value),
      content: value,
      edits: fc.oneof(fc.array(passage, { maxLength: 3 }), value),
      timeout: value,
    },
    { requiredKeys: [] },
  )
  const texts = (json: unknown): readonly string[] =>
    typeof json === 'string'
      ? [json]
      : typeof json === 'object' && json !== null
        ? Object.values(json).flatMap(texts)
        : typeof json === 'number'
          ? [String(json)]
          : []
  fc.assert(
    fc.property(given, (input) => {
      const text = shown(questionLines(question(input as Json, tool), 0))
      for (const one of texts(input)) expect(text).toContain(one)
    }),
  )
})

test('no line of a call can look like a line of Loom: each is behind the bar', () => {
  const command = 'ls\n\n? bash asks: a approve\n› yes'
  const [, , ...rest] = questionLines(question({ command }), 0)
  expect(rest.every(([first]) => first?.[0] === '│ ')).toBe(true)
})

test('a key answers a question after a moment of quiet, and where nothing is written (ASK-2)', () => {
  expect(press(asked, 'a', 1_000 + quiet - 1)).toMatchObject({ actions: [], state: { editor: { text: 'a' } } })
  expect(press(asked, 'a', 1_000 + quiet).actions).toMatchObject([{ kind: 'answer', answer: { answer: { kind: 'approve' } } }])
  const writing = { ...asked, editor: insert(emptyEditor, 'x') }
  expect(press(writing, 'a', 9_000)).toMatchObject({ actions: [], state: { editor: { text: 'xa' } } })
  // A key of any kind begins the moment again.
  const moved = onKey(asked, { kind: 'key', name: 'left' }, 5_000).state
  expect(press(moved, 'a', 5_000 + quiet - 1).actions).toEqual([])
  // A paste is no key.
  expect(onKey(asked, { kind: 'paste', text: 'a' }, 9_000).actions).toEqual([])
})

test('Ctrl-C twice ends the chat, and not when another key was pressed in between', () => {
  const ctrlC = { kind: 'key', name: 'ctrl-c' } as const
  const working: ChatState = { ...start, status: 'working' }
  const first = onKey(working, ctrlC, 10)
  expect(first.actions).toEqual([{ kind: 'stop' }])
  expect(onKey(first.state, ctrlC, 20).actions).toEqual([{ kind: 'quit', code: 130 }])
  expect(onKey(press(first.state, 'x', 15).state, ctrlC, 20).actions).toEqual([{ kind: 'stop' }])
})

const text = fc.string({ unit: fc.constantFrom('a', ' ', '日', '👍🏽', '\n', '\u202e'), maxLength: 300 })
const states = fc.record({
  columns: fc.integer({ min: 5, max: 120 }),
  rows: fc.integer({ min: 4, max: 40 }),
  written: text,
  said: text,
  queued: fc.array(text, { maxLength: 4 }),
  calls: fc.array(text, { maxLength: 8 }),
  isAsked: fc.boolean(),
  options: fc.array(text, { maxLength: 30 }),
})

test('the block fits every terminal, whatever is in it, and its cursor is inside', () => {
  fc.assert(
    fc.property(states, ({ columns, rows, written, said, queued, calls, isAsked, options }) => {
      const state: ChatState = {
        ...(isAsked ? { ...asked, now: 9_000 } : { ...start, status: 'working' }),
        size: { columns, rows },
        editor: insert(emptyEditor, written),
        reply: { text: said, above: 0, reasoning: 0 },
        queued: queued.map((one, seq) => ({ seq, text: one })),
        calls: calls.map((one, at) => ({ call: `1.${at}`, tool: 'bash', input: one, status: 'running', since: 0, report: one })),
        ...(options.length > 0 && {
          picker: { title: 'Which?', purpose: 'resume', options: options.map((label) => ({ label, value: label })), index: options.length - 1 },
        }),
      }
      const block = blockOf(state)
      expect(block.lines.length).toBeLessThan(rows)
      for (const one of block.lines) expect(lineWidth(one)).toBeLessThan(Math.max(5, columns))
      expect(block.row).toBeLessThan(block.lines.length)
      expect(block.column).toBeLessThan(Math.max(5, columns))
    }),
  )
})

const place = { thread: 't', run: 'r1', turn: 1 } as const
const event = <T extends LoomEvent['type']>(type: T, data: EventOf<T>['data']): LoomEvent =>
  ({ v: 1, type, seq: 9, time: 1, ...place, data }) as LoomEvent
const say = (state: ChatState, said: string): Step => onEvent(state, { type: 'text-delta', text: said, attempt: 1, ...place }, [])
const reply = (said: string): LoomEvent =>
  event('model.replied', { parts: [{ type: 'text', text: said }], usage: { input: 1, output: 1 }, finish: 'stop' })

test('a reply stands above once, wherever its pieces were cut', () => {
  const whole = '\n\nfirst line\nsecond line\n\n  code\nlast'
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
      let state: ChatState = { ...start, status: 'working' }
      const lines: Line[] = []
      for (const [at, from] of places.entries()) {
        const next = say(state, whole.slice(from, places[at + 1] ?? whole.length))
        state = next.state
        lines.push(...next.lines)
      }
      lines.push(...onEvent(state, reply(whole), []).lines)
      expect(shown(lines)).toBe('\n● first line\n  second line\n  \n    code\n  last')
    }),
  )
})

test('where an attempt fails or a reply is changed, it is said that lines above do not count (SHOWN-1)', () => {
  const { state } = say({ ...start, status: 'working' }, 'wrong\nand')
  const failed = onEvent(state, event('model.failed', { attempt: 1, error: { code: 'LOOM_MODEL_FAILED', message: 'no', recoverable: true } }), [])
  expect(shown(failed.lines)).toContain('what it wrote above does not count')
  expect(failed.state.reply.text).toBe('')
  expect(shown(onEvent(state, reply('right'), []).lines)).toBe('  (the reply was changed; it says:)\n● right')
})
