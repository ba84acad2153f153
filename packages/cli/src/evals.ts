/** Evals, for modules that export one and for programs. An entry of its own: the command line loads it only where it is needed. */

export type { EvalAnswer, ReplayFigures } from './eval/eval-answer.ts'
export type { CandidateReport, EvalReport, ReportedVerdict } from './eval/eval-report.ts'
export {
  type EvalCase,
  type Evaluation,
  type EvaluationOptions,
  evaluation,
  type Score,
  type Scorer,
} from './eval/evaluation.ts'
export { type ModelScorer, type ModelVerdict, modelScorer } from './eval/model-scorer.ts'
export { type EvalResult, type RunEvaluationOptions, runEvaluation } from './eval/run-evaluation.ts'
export { contains, ended, equals, unchanged } from './eval/scorers.ts'
export type { ScoreRecord, VerdictRecord } from './eval/verdict.ts'
