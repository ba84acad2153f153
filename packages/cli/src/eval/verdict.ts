/** The verdict on one answer: the child that gives it, the scorers that judge it, and the step that records what they said. */
import type { AnyAgent, ChildResult, DurableContext } from '@loom-agent/agent'
import type { Json } from '@loom-agent/kernel'
import { isLoomError } from '@loom-agent/kernel'
import type { EvalAnswer, ReplayFigures } from './eval-answer.ts'
import type { Evaluation, Score, Scorer } from './evaluation.ts'
import { isModelScorer, judged, type ModelScorer } from './model-scorer.ts'
import type { ResolvedCase } from './resolve-cases.ts'

/** One case for one candidate. */
export interface EvalTask {
  readonly case: ResolvedCase
  readonly candidate: string
}

/** What a scorer said. */
export type ScoreRecord = {
  /** From 0 to 1; 0 where the scorer failed. */
  readonly score: number
  /** Why, where the scorer says it. */
  readonly reason?: string
  /** The scorer failed, and says nothing of the answer. */
  readonly error?: string
}

/** A verdict as it is recorded. */
export type VerdictRecord = {
  /** The name of the case. */
  readonly case: string
  /** The name of the candidate. */
  readonly candidate: string
  /** How the run ended. */
  readonly status: EvalAnswer['status']
  /** The child was stopped by the budget of the eval: nothing is known of the answer. */
  readonly unpaid?: true
  /** Whether the mean of its scores is enough. */
  readonly isPassed: boolean
  /** What each scorer said. */
  readonly scores: Readonly<Record<string, ScoreRecord>>
  /** How the answer begins. */
  readonly text: string
  /** What a replay found. */
  readonly replay?: ReplayFigures & { readonly [key: string]: number }
}

/** Characters of an answer in its verdict; the whole is on the thread of the child. */
const mostText = 1_000

/** Names the child and the verdict of a task. */
export const taskName = ({ case: { name }, candidate }: EvalTask): string => `${candidate}/${name}`

/** Has a task answered and judged, and records the verdict. */
export async function verdictOn(ctx: DurableContext, task: EvalTask, evaluation: Evaluation): Promise<void> {
  const name = taskName(task)
  if (evaluation.mode === 'replay') {
    await ctx.step(`verdict ${name}`, async () => record(evaluation, { task, answer: await replayed(task, evaluation), judgements: {} }))
    return
  }
  const agent = evaluation.candidates[task.candidate]
  if (!agent) return
  const { isUnpaid, ...answer } = await answered(ctx, { agent, task })
  const judgements: Record<string, ScoreRecord> = {}
  for (const [scorer, by] of Object.entries(evaluation.scorers)) {
    if (isModelScorer(by) && !isUnpaid) judgements[scorer] = await judgement(ctx, { by, answer, name: `judge ${scorer} ${name}` })
  }
  await ctx.step(`verdict ${name}`, () => record(evaluation, { task, answer, judgements, ...(isUnpaid && { isUnpaid }) }))
}

interface Asked {
  readonly agent: AnyAgent<unknown, unknown>
  readonly task: EvalTask
}

type Paid = EvalAnswer & { readonly isUnpaid?: true }

/** Runs the candidate as a child. One that could not be started is an answer too. */
async function answered(ctx: DurableContext, { agent, task }: Asked): Promise<Paid> {
  const { name, input, expected } = task.case
  const about = { name, input, ...(expected !== undefined && { expected }) }
  try {
    const result = await ctx.run(agent, input, { name: taskName(task) })
    return { ...about, ...outcomeOf(result) }
  } catch (error) {
    return { ...about, status: 'failed', text: messageOf(error) }
  }
}

function outcomeOf(result: ChildResult<unknown>): Pick<Paid, 'status' | 'text' | 'output' | 'isUnpaid'> {
  const { status, text } = result
  if (status === 'done') return { status, text, ...(result.output !== text && { output: result.output as Json }) }
  if (status === 'failed') return { status, text: `${result.error.code} ${result.error.message}` }
  return { status, text: text === '' ? result.reason : text, ...(result.kind === 'budget' && { isUnpaid: true }) }
}

async function judgement(
  ctx: DurableContext,
  { by, answer, name }: { readonly by: ModelScorer; readonly answer: EvalAnswer; readonly name: string },
): Promise<ScoreRecord> {
  try {
    const result = await ctx.run(by.agent, judged(answer), { name })
    if (result.status === 'done') return scoreOf(result.output)
    return { score: 0, error: result.status === 'failed' ? result.error.message : result.reason }
  } catch (error) {
    return { score: 0, error: messageOf(error) }
  }
}

async function replayed({ case: { name, input, expected, thread }, candidate }: EvalTask, { candidates }: Evaluation): Promise<EvalAnswer> {
  const about = { name, input, ...(expected !== undefined && { expected }) }
  if (thread === undefined) return { ...about, status: 'failed', text: 'A replay needs a thread, and this case has none.' }
  try {
    const report = await candidates[candidate]?.replay(thread, { report: { turns: 1, messages: 0, total: 0 } })
    if (!report) return { ...about, status: 'failed', text: 'Nothing was replayed.' }
    const { turns, differing, tokens } = report.totals
    const replay = { turns, differing, ...tokens, lost: report.lost.entries }
    return { ...about, status: 'replayed', text: '', replay }
  } catch (error) {
    return { ...about, status: 'failed', text: messageOf(error) }
  }
}

interface Judged {
  readonly task: EvalTask
  readonly answer: EvalAnswer
  readonly judgements: Readonly<Record<string, ScoreRecord>>
  readonly isUnpaid?: true
}

/** The verdict: what functions say now, and what models have said. */
async function record({ scorers, pass = 1 }: Evaluation, { task, answer, judgements, isUnpaid }: Judged): Promise<VerdictRecord> {
  const scores: Record<string, ScoreRecord> = {}
  if (!isUnpaid) for (const [name, by] of Object.entries(scorers)) scores[name] = judgements[name] ?? (await scored(by, answer))
  const all = Object.values(scores)
  const mean = all.reduce((sum, { score }) => sum + score, 0) / Math.max(1, all.length)
  const { status, text, replay } = answer
  return {
    case: task.case.name,
    candidate: task.candidate,
    status,
    ...(isUnpaid && { unpaid: true }),
    isPassed: !isUnpaid && mean >= pass,
    scores,
    text: text.slice(0, mostText).toWellFormed(),
    ...(replay && { replay: { ...replay } }),
  }
}

/** What a function says of an answer. One that throws says nothing, which is no score of the answer. */
async function scored(by: Scorer, answer: EvalAnswer): Promise<ScoreRecord> {
  if (isModelScorer(by)) return { score: 0, error: 'The model was not asked.' }
  try {
    return scoreOf(await by(answer))
  } catch (error) {
    return { score: 0, error: messageOf(error) }
  }
}

function scoreOf(given: Score): ScoreRecord {
  const { score, reason } = typeof given === 'object' && given !== null ? given : { score: Number(given), reason: undefined }
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    return { score: 0, error: `A score is a number from 0 to 1, and not ${String(score)}.` }
  return { score, ...(reason !== undefined && { reason: String(reason).slice(0, mostText).toWellFormed() }) }
}

function messageOf(error: unknown): string {
  if (isLoomError(error)) return `${error.code} ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
