/** Loom's command line. The command `loom` of the package `loom-agent` calls `runLoom`. */

export { type CoderOptions, coder } from './coder/coder.ts'
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
export { exitCodes } from './platform/exit-codes.ts'
export type { Terminal } from './platform/terminal.ts'
export type { LoomConfig } from './project/config.ts'
export { runLoom } from './run-loom.ts'
