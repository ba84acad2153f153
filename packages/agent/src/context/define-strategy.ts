/** Strategies that judge one entry at a time. */
import { at, type Entry, type Segment, type Trim } from '@loom-agent/kernel'
import { callUserNow } from '../platform/call-user.ts'
import { type Expected, expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { type ContextPlan, type ContextRequest, type ContextStrategy, extend } from './strategy.ts'

/** What becomes of an entry: it is kept, left out for a reason, or kept with its results cut. */
export type EntryDecision =
  | 'keep'
  | {
      /** Why it is left out. */
      readonly drop: string
    }
  | {
      /** Which results are cut, and how far. */
      readonly trim: Omit<Trim, 'rule'>
    }

/** A strategy that judges one entry at a time. */
export interface StrategyDefinition {
  /** Its name in events; the rule by which entries are left out. */
  readonly name: string
  /** Whether the context is to be cut now; otherwise it only grows. Cut rarely: a cut makes what a provider has cached invalid. */
  when(request: ContextRequest): boolean
  /** What becomes of an entry when it is cut. What must stay is kept in any case. */
  judge(entry: Entry, index: number, request: ContextRequest): EntryDecision
}

/**
 * Makes a strategy of two functions: when to cut, and what becomes of each entry.
 *
 * @example
 * const noLogs = defineStrategy({
 *   name: 'no logs',
 *   when: ({ tokens }) => tokens.shown() > 20_000,
 *   judge: (entry) => (entry.origin === 'note' ? { drop: 'Notes are for one turn.' } : 'keep'),
 * })
 */
export function defineStrategy(definition: StrategyDefinition): ContextStrategy {
  checkOptions('defineStrategy()', definition, {
    name: expected.required(expected.name),
    when: expected.required(expected.function),
    judge: expected.required(expected.function),
  })
  return { name: definition.name, assemble: (request) => assembleJudged(request, definition) }
}

function assembleJudged(request: ContextRequest, definition: StrategyDefinition): ContextPlan {
  const { frame, rebase } = request
  const isAsked = frame.compact || rebase === 'overflow'
  if (!isAsked && !callUserNow(() => definition.when(request))) return extend
  return { rebase: { reason: rebase ?? definition.name, segments: judgedSegments(request, definition) } }
}

function judgedSegments(request: ContextRequest, { name, judge }: StrategyDefinition): readonly Segment[] {
  const { history } = request.frame
  const segments: Segment[] = []
  for (let index = 0; index < history.length; index += 1) {
    const entry = at(history, index) as Entry
    const decided = callUserNow(() => judge(entry, index, request))
    const last = segments.at(-1)
    // Cutting results changes nothing about other messages: what lies between them is part of their segment.
    const isAlike = last?.as === 'kept' && decided === 'keep' && entry.message.role !== 'tool'
    const next = isAlike ? { ...last, to: index + 1 } : segmentOf(decided, name, index + 1)
    if (last && JSON.stringify({ ...last, to: 0 }) === JSON.stringify({ ...next, to: 0 })) segments.pop()
    segments.push(next)
  }
  return segments
}

const decision: Expected = {
  words: "'keep', { drop: reason } or { trim: { over, head, tail } }",
  fits: (value) => expected.object.fits(value) && Object.keys(value as object).length === 1 && ('drop' in Object(value) || 'trim' in Object(value)),
}

function segmentOf(decided: EntryDecision, rule: string, to: number): Segment {
  if (decided === 'keep') return { to, as: 'kept' }
  const returned = 'what judge returned'
  checkOptions(`The context strategy "${rule}"`, { [returned]: decided }, { [returned]: expected.required(decision) })
  return 'drop' in decided ? { to, as: 'dropped', rule, reason: decided.drop } : { to, as: 'kept', trims: [{ ...decided.trim, rule }] }
}
