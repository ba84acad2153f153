/** Given, when, then: tests of `decide` and `evolve` that read like sentences. */
import { deepStrictEqual } from 'node:assert/strict'
import { type Draft, decide, type Effect, emptyFrame, type Frame, fold, nextPlace, place } from '@loom-agent/kernel'

/** A thread on which something has happened. */
export interface Given {
  /** What the facts so far fold to. */
  readonly frame: Frame
  /** The thread after more has happened. */
  when(...drafts: readonly Draft[]): Given
  /** Checks what `decide` returns for it: only the expected fields are compared. */
  thenDecides(expected: Expected<Effect>): Given
  /** Checks what it folds to: only the expected fields are compared. */
  thenHas(expected: Expected<Frame>): Given
}

/** A part of a value, at any depth. */
export type Expected<T> = T extends readonly unknown[]
  ? readonly Expected<T[number]>[]
  : T extends object
    ? { readonly [K in keyof T]?: Expected<T[K]> }
    : T

/**
 * A thread on which the given has happened, in order, one millisecond apart.
 *
 * @example
 * given(started('Hi')).when(turn(1)).thenDecides({ kind: 'assemble' })
 */
export function given(...drafts: readonly Draft[]): Given {
  return at(happen(emptyFrame('t'), drafts))
}

function at(frame: Frame): Given {
  return {
    frame,
    when: (...drafts) => at(happen(frame, drafts)),
    thenDecides(expected) {
      const effect = decide(frame)
      deepStrictEqual(project(effect, expected), expected)
      return this
    },
    thenHas(expected) {
      deepStrictEqual(project(frame, expected), expected)
      return this
    },
  }
}

/** Folds drafts one by one, so that each has the place it would have live. */
function happen(start: Frame, drafts: readonly Draft[]): Frame {
  return drafts.reduce((frame, draft) => fold(frame.thread, place(nextPlace(frame, frame.time + 1), [draft]), frame), start)
}

/** The part of a value that an expectation names. */
function project(actual: unknown, expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) return actual
  if (Array.isArray(expected)) return Array.isArray(actual) ? actual.map((item, index) => project(item, expected[index])) : actual
  const fields = actual as Record<string, unknown>
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, project(fields[key], value)]))
}

/** Drafts for the facts that most tests begin with. */
export const facts = {
  started: (text = 'Hi', limits: object = {}): readonly Draft[] => [
    { type: 'thread.started', data: { agent: 'agent' } },
    {
      type: 'run.started',
      data: {
        run: 'r1',
        request: { input: [{ role: 'user', parts: [{ type: 'text', text }] }], agent: { name: 'agent', fingerprint: 'f' }, model: 'm', limits },
      },
    },
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w' } },
  ],
  turn: (turn: number): Draft => ({ type: 'turn.entered', data: { turn } }),
  assembled: (): Draft => ({ type: 'context.assembled', data: { rebase: { reason: 'start', system: '', tools: [] } } }),
  requested: (attempt = 1): Draft => ({ type: 'model.requested', data: { attempt } }),
  replied: (text: string): Draft => ({
    type: 'model.replied',
    data: { parts: [{ type: 'text', text }], usage: { input: 1, output: 1 }, finish: 'stop' },
  }),
  called: (...calls: readonly { name: string; serial?: true }[]): Draft => ({
    type: 'model.replied',
    data: {
      parts: calls.map(({ name, serial }, index) => ({ type: 'call', id: `c${index}`, name, input: {}, ...(serial && { serial }) })),
      usage: { input: 1, output: 1 },
      finish: 'tool-calls',
    },
  }),
  finished: (call: string, value = 'ok'): Draft => ({ type: 'tool.finished', data: { call, status: 'success', output: { type: 'text', value } } }),
} as const
