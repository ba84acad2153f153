/** Runs an eval, or goes on with it: the same call in any process, after any crash. */
import { createHash } from 'node:crypto'
import { type Result, readEvents } from '@loom-agent/agent'
import type { Journal, Limits, LoomEvent } from '@loom-agent/kernel'
import { evalAgent, evalAgentName, type PlannedEval } from './eval-agent.ts'
import { type EvalReport, reportOf } from './eval-report.ts'
import type { Evaluation } from './evaluation.ts'
import { resolveCases } from './resolve-cases.ts'

/** How an eval is run. */
export interface RunEvaluationOptions {
  /** The thread of the eval; the same thread goes on with it. */
  readonly thread: string
  /** What the whole eval may spend, beside what the evaluation says. */
  readonly limits?: Limits
  /** Notified of every event of the eval's thread, as it is stored. */
  readonly onEvent?: (event: LoomEvent) => void
}

/** How an eval ended, and what it has come to. */
export interface EvalResult extends EvalReport {
  /** The result of the eval's run. */
  readonly result: Result
}

/**
 * Runs an eval on a thread, or goes on with it. Each case is answered once, however often the process was lost; a case that was being answered is gone on with.
 *
 * @example
 * const { candidates } = await runEvaluation(evaluation({ name: 'refunds', cases, candidates: { support }, scorers: { contains: contains() } }), { thread: 'nightly' })
 */
export async function runEvaluation(evaluation: Evaluation, options: RunEvaluationOptions): Promise<EvalResult> {
  const { thread, onEvent } = options
  const plan = await planEval(evaluation)
  const limits = { ...evaluation.limits, ...options.limits }
  const judge = evalAgent({ ...plan, evaluation: { ...evaluation, limits } })
  const handle = judge.start(inputOf(plan), { thread, id: evalAgentName })
  if (onEvent) for await (const event of handle.events()) if ('seq' in event) onEvent(event)
  const result = await handle.result()
  return { ...(await reportOf(thread, asked(plan), readEvents(plan.journal, thread))), result }
}

/** Reads the cases of an evaluation. */
async function planEval(evaluation: Evaluation): Promise<PlannedEval> {
  const journal = journalOf(evaluation)
  const given = typeof evaluation.cases === 'function' ? await evaluation.cases() : evaluation.cases
  return { evaluation, journal, cases: await resolveCases(given, journal) }
}

/** The journal of an eval: its own, or that of its first candidate. */
export function journalOf({ journal, candidates }: Evaluation): Journal {
  const [first] = Object.values(candidates)
  return journal ?? (first?.journal as Journal)
}

const asked = ({ cases, evaluation }: PlannedEval) => ({ cases: cases.map(({ name }) => name), candidates: Object.keys(evaluation.candidates) })

/** The input of an eval. It says all that must not change between two starts of it (EVAL-2), so that another one under its thread is refused. */
function inputOf({ evaluation, cases }: PlannedEval): string {
  const { name, candidates, scorers, mode = 'live', pass = 1 } = evaluation
  const about = { cases, candidates: Object.keys(candidates), scorers: Object.keys(scorers), mode, pass }
  return `Evaluate ${name}: ${cases.length} cases with ${about.candidates.join(', ')}, by ${about.scorers.join(', ')} (${mode}, ${digestOf(about)}).`
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
