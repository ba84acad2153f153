/** What an eval is made of: cases, the agents that are compared, and what judges their answers. */
import type { Agent, Ports } from '@loom-agent/agent'
import type { Journal, Json, Limits } from '@loom-agent/kernel'
import { LoomError } from '@loom-agent/kernel'
import type { EvalAnswer } from './eval-answer.ts'
import { isModelScorer, type ModelScorer } from './model-scorer.ts'

/** One case: an input, or a thread that is there already. */
export interface EvalCase {
  /** Names the case in tables; default: its thread, or its number. */
  readonly name?: string
  /** What the agents are asked. */
  readonly input?: string
  /** A thread of the journal: its first input is asked again, or all of it is replayed. */
  readonly thread?: string
  /** What a scorer compares the answer with; of a thread by default what its first run answered. */
  readonly expected?: Json
}

/** What a scorer says: whether the answer is right, how right it is from 0 to 1, or that with a reason. */
export type Score = boolean | number | { readonly score: number; readonly reason?: string }

/** A function of an answer, or a model that judges it. */
export type Scorer = ((answer: EvalAnswer) => Score | Promise<Score>) | ModelScorer

/** What `evaluation()` takes. */
export interface EvaluationOptions {
  /** Names the eval in its thread. */
  readonly name: string
  /** The cases, or a function that reads them. */
  readonly cases: readonly EvalCase[] | (() => readonly EvalCase[] | Promise<readonly EvalCase[]>)
  /** The agents that are compared, each under a name of its own: other prompts, models and strategies are other agents. */
  readonly candidates: Readonly<Record<string, Agent<unknown, unknown>>>
  /** What judges the answers, by name. */
  readonly scorers: Readonly<Record<string, Scorer>>
  /** `live` asks the models (default); `replay` compares what recorded threads would have been sent, and asks none. */
  readonly mode?: 'live' | 'replay'
  /** Which mean of its scores passes a case; default 1. */
  readonly pass?: number
  /** Which share of its cases each candidate has to pass; default: none is asked for. */
  readonly threshold?: number
  /** How many cases are worked on at once; default 4. */
  readonly parallel?: number
  /** What the whole eval may spend; tokens and cost are shared by all its cases. */
  readonly limits?: Limits
  /** Prices of models that Loom knows no price of, for a limit of money and the table. */
  readonly price?: Ports['price']
  /** Where the eval and its cases are kept; default: the journal of the first candidate. */
  readonly journal?: Journal
}

/** An eval that can be run. */
export interface Evaluation extends EvaluationOptions {
  /** What tells it from other values. */
  readonly kind: 'evaluation'
}

/** Names are parts of keys and of tables. */
const isName = (name: unknown): boolean => typeof name === 'string' && /^[^\s/:](?:[^/:\p{Cc}]{0,98}[^\s/:])?$/u.test(name)

/**
 * Describes an eval; `loom eval` runs the one that a file exports as its default.
 *
 * @example
 * export default evaluation({ name: 'refunds', cases, candidates: { now: support, brief }, scorers: { contains: contains() }, threshold: 0.9 })
 */
export function evaluation(options: EvaluationOptions): Evaluation {
  const { name, candidates, scorers, mode, pass, threshold, parallel } = options
  for (const one of [name, ...Object.keys(candidates ?? {}), ...Object.keys(scorers ?? {})]) {
    if (!isName(one)) throw wrong('names', one, 'Names of evals, candidates and scorers have 1 to 100 characters, without / and :.')
  }
  if (Object.keys(candidates ?? {}).length === 0) throw wrong('candidates', 'none', 'Give at least one agent under a name: { now: support }.')
  if (Object.keys(scorers ?? {}).length === 0) throw wrong('scorers', 'none', 'Give at least one: { contains: contains() }.')
  const share = (value: number | undefined): boolean => value === undefined || (value >= 0 && value <= 1)
  if (!share(pass)) throw wrong('pass', pass, 'It is a number from 0 to 1.')
  if (!share(threshold)) throw wrong('threshold', threshold, 'It is a number from 0 to 1.')
  if (parallel !== undefined && !(Number.isInteger(parallel) && parallel >= 1)) throw wrong('parallel', parallel, 'It is a whole number from 1 on.')
  if (mode === 'replay' && Object.values(scorers).some(isModelScorer)) throw wrong('scorers', 'a model', 'A replay asks no model. Give functions.')
  return { ...options, kind: 'evaluation' }
}

/** Whether a value is an eval, such as the default export of a file. */
export function isEvaluation(value: unknown): value is Evaluation {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'evaluation'
}

function wrong(what: string, given: unknown, advice: string): LoomError {
  const shown = typeof given === 'string' ? given : String(given)
  return new LoomError('LOOM_OPTION_INVALID', `evaluation: ${what} has ${JSON.stringify(shown)}. ${advice}`, {
    context: { option: what, given: shown },
  })
}
