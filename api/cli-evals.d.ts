// eval/eval-answer.d.ts
/** How an agent dealt with a case. */
import type { Json } from '@loom-agent/kernel';
/** How an agent dealt with a case, as scorers are given it. */
export interface EvalAnswer {
    /** The name of the case. */
    readonly name: string;
    /** What was asked. */
    readonly input: string;
    /** What the case expects; absent where it says nothing. */
    readonly expected?: Json;
    /** How the run ended; `replayed` where no model was asked. */
    readonly status: 'done' | 'stopped' | 'failed' | 'replayed';
    /** The answer, or the error. */
    readonly text: string;
    /** The answer as data, where the agent has an `output`. */
    readonly output?: Json;
    /** What a replay found; absent in a live eval. */
    readonly replay?: ReplayFigures;
}
/** What a replay of a case came to. */
export interface ReplayFigures {
    /** Turns that were replayed. */
    readonly turns: number;
    /** Turns whose request would have been another. */
    readonly differing: number;
    /** Tokens of all requests, as they were, estimated. */
    readonly recorded: number;
    /** Tokens of all requests, as they would be, estimated. */
    readonly replayed: number;
    /** Entries of the history that the record showed and the replay would not have, or not whole. */
    readonly lost: number;
}

// eval/eval-report.d.ts
/** The table of an eval: a fold over the events of its thread. */
import type { LoomEvent } from '@loom-agent/kernel';
import type { VerdictRecord } from './verdict.ts';
/** A verdict with what its answer has cost. */
export interface ReportedVerdict extends VerdictRecord {
    /** Tokens of the answer, without those of models that judged it. */
    readonly tokens: number;
    /** Micro-units of the answer; `undefined` where a price is not known. */
    readonly cost: number | undefined;
    /** The thread on which the answer was given; absent in a replay. */
    readonly child?: string;
}
/** A candidate over all its cases. */
export interface CandidateReport {
    /** Its name. */
    readonly candidate: string;
    /** How many cases were judged. */
    readonly judged: number;
    /** How many of them passed. */
    readonly passed: number;
    /** How many scorers failed. */
    readonly errors: number;
    /** The mean of each scorer. */
    readonly scores: Readonly<Record<string, number>>;
    /** Tokens of its answers. */
    readonly tokens: number;
    /** Micro-units of its answers; `undefined` where a price is not known. */
    readonly cost: number | undefined;
}
/** What an eval has come to. */
export interface EvalReport {
    /** The thread of the eval. */
    readonly thread: string;
    /** Each candidate over all its cases. */
    readonly candidates: readonly CandidateReport[];
    /** Every verdict, by case and candidate. */
    readonly verdicts: readonly ReportedVerdict[];
    /** Cases on which the candidates differ: one passes and another does not. */
    readonly differing: readonly string[];
    /** Answers that have no verdict, because the eval has not come to them or its budget did not reach them. */
    readonly missing: number;
    /** Tokens of models that judged. */
    readonly judging: number;
}
/** What is asked for: the names of cases and candidates, in order. */
export interface Asked {
    readonly cases: readonly string[];
    readonly candidates: readonly string[];
}
/** Folds the events of an eval. */
export declare function reportOf(thread: string, { cases, candidates }: Asked, events: AsyncIterable<LoomEvent>): Promise<EvalReport>;
/** The verdict that an event records. */
export declare function verdictIn(event: LoomEvent): VerdictRecord | undefined;
/** Whether each candidate passes the share of its cases that is asked for; a case without a verdict is not passed. */
export declare function isAbove({ candidates, missing }: EvalReport, threshold: number): boolean;

// eval/evaluation.d.ts
/** What an eval is made of: cases, the agents that are compared, and what judges their answers. */
import type { Agent, Ports } from '@loom-agent/agent';
import type { Journal, Json, Limits } from '@loom-agent/kernel';
import type { EvalAnswer } from './eval-answer.ts';
import { type ModelScorer } from './model-scorer.ts';
/** One case: an input, or a thread that is there already. */
export interface EvalCase {
    /** Names the case in tables; default: its thread, or its number. */
    readonly name?: string;
    /** What the agents are asked. */
    readonly input?: string;
    /** A thread of the journal: its first input is asked again, or all of it is replayed. */
    readonly thread?: string;
    /** What a scorer compares the answer with; of a thread by default what its first run answered. */
    readonly expected?: Json;
}
/** What a scorer says: whether the answer is right, how right it is from 0 to 1, or that with a reason. */
export type Score = boolean | number | {
    readonly score: number;
    readonly reason?: string;
};
/** A function of an answer, or a model that judges it. */
export type Scorer = ((answer: EvalAnswer) => Score | Promise<Score>) | ModelScorer;
/** What `evaluation()` takes. */
export interface EvaluationOptions {
    /** Names the eval in its thread. */
    readonly name: string;
    /** The cases, or a function that reads them. */
    readonly cases: readonly EvalCase[] | (() => readonly EvalCase[] | Promise<readonly EvalCase[]>);
    /** The agents that are compared, each under a name of its own: other prompts, models and strategies are other agents. */
    readonly candidates: Readonly<Record<string, Agent<unknown, unknown>>>;
    /** What judges the answers, by name. */
    readonly scorers: Readonly<Record<string, Scorer>>;
    /** `live` asks the models (default); `replay` compares what recorded threads would have been sent, and asks none. */
    readonly mode?: 'live' | 'replay';
    /** Which mean of its scores passes a case; default 1. */
    readonly pass?: number;
    /** Which share of its cases each candidate has to pass; default: none is asked for. */
    readonly threshold?: number;
    /** How many cases are worked on at once; default 4. */
    readonly parallel?: number;
    /** What the whole eval may spend; tokens and cost are shared by all its cases. */
    readonly limits?: Limits;
    /** Prices of models that Loom knows no price of, for a limit of money and the table. */
    readonly price?: Ports['price'];
    /** Where the eval and its cases are kept; default: the journal of the first candidate. */
    readonly journal?: Journal;
}
/** An eval that can be run. */
export interface Evaluation extends EvaluationOptions {
    /** What tells it from other values. */
    readonly kind: 'evaluation';
}
/**
 * Describes an eval; `loom eval` runs the one that a file exports as its default.
 *
 * @example
 * export default evaluation({ name: 'refunds', cases, candidates: { now: support, brief }, scorers: { contains: contains() }, threshold: 0.9 })
 */
export declare function evaluation(options: EvaluationOptions): Evaluation;
/** Whether a value is an eval, such as the default export of a file. */
export declare function isEvaluation(value: unknown): value is Evaluation;

// eval/model-scorer.d.ts
/** A model that judges answers: an agent of its own, whose runs are children of the eval, so that each is paid once. */
import { type Agent, type Model } from '@loom-agent/agent';
import type { EvalAnswer } from './eval-answer.ts';
/** What a model says of an answer. */
export interface ModelVerdict {
    /** How right the answer is, from 0 to 1. */
    readonly score: number;
    /** Why, in a sentence. */
    readonly reason: string;
}
/** A scorer that asks a model. */
export interface ModelScorer {
    /** What tells it from a function. */
    readonly kind: 'model-scorer';
    /** The agent that judges. */
    readonly agent: Agent<unknown, ModelVerdict>;
}
/**
 * A scorer that asks a model whether an answer keeps to a rule.
 *
 * @example
 * const polite = modelScorer({ model: 'anthropic/claude-haiku-4-5', rule: 'The answer is polite, and promises nothing.' })
 */
export declare function modelScorer({ model, rule }: {
    readonly model: Model;
    readonly rule: string;
}): ModelScorer;
/** Whether a scorer asks a model. */
export declare function isModelScorer(value: unknown): value is ModelScorer;
/** What the model is given of an answer. */
export declare function judged({ input, text, expected }: EvalAnswer): string;

// eval/resolve-cases.d.ts
import type { Journal, Json } from '@loom-agent/kernel';
import type { EvalCase } from './evaluation.ts';
/** A case with all that is known of it. */
export type ResolvedCase = {
    readonly name: string;
    readonly input: string;
    readonly expected?: Json;
    readonly thread?: string;
};
/** Reads what cases leave to their threads, and checks that no two have the same name. */
export declare function resolveCases(cases: readonly EvalCase[], journal: Journal): Promise<readonly ResolvedCase[]>;
/** Reads a file with one case a line. */
export declare function casesOf(text: string, file: string): readonly EvalCase[];

// eval/run-evaluation.d.ts
import { type Result } from '@loom-agent/agent';
import type { Journal, Limits, LoomEvent } from '@loom-agent/kernel';
import { type EvalReport } from './eval-report.ts';
import type { Evaluation } from './evaluation.ts';
/** How an eval is run. */
export interface RunEvaluationOptions {
    /** The thread of the eval; the same thread goes on with it. */
    readonly thread: string;
    /** What the whole eval may spend, beside what the evaluation says. */
    readonly limits?: Limits;
    /** Notified of every event of the eval's thread, as it is stored. */
    readonly onEvent?: (event: LoomEvent) => void;
}
/** How an eval ended, and what it has come to. */
export interface EvalResult extends EvalReport {
    /** The result of the eval's run. */
    readonly result: Result;
}
/**
 * Runs an eval on a thread, or goes on with it. Each case is answered once, however often the process was lost; a case that was being answered is gone on with.
 *
 * @example
 * const { candidates } = await runEvaluation(evaluation({ name: 'refunds', cases, candidates: { support }, scorers: { contains: contains() } }), { thread: 'nightly' })
 */
export declare function runEvaluation(evaluation: Evaluation, options: RunEvaluationOptions): Promise<EvalResult>;
/** The journal of an eval: its own, or that of its first candidate. */
export declare function journalOf({ journal, candidates }: Evaluation): Journal;

// eval/scorers.d.ts
import type { Scorer } from './evaluation.ts';
/** Whether the answer contains what the case expects, whatever the case of its letters; of a list, which share of it. */
export declare const contains: () => Scorer;
/** Whether the answer is what the case expects: its data where it has some, else its text without outer blanks. */
export declare const equals: () => Scorer;
/** Whether the run came to its end. */
export declare const ended: () => Scorer;
/** In a replay: the share of turns whose request would be the same. */
export declare const unchanged: () => Scorer;

// eval/verdict.d.ts
/** The verdict on one answer: the child that gives it, the scorers that judge it, and the step that records what they said. */
import type { DurableContext } from '@loom-agent/agent';
import type { EvalAnswer, ReplayFigures } from './eval-answer.ts';
import type { Evaluation } from './evaluation.ts';
import type { ResolvedCase } from './resolve-cases.ts';
/** One case for one candidate. */
export interface EvalTask {
    readonly case: ResolvedCase;
    readonly candidate: string;
}
/** What a scorer said. */
export type ScoreRecord = {
    /** From 0 to 1; 0 where the scorer failed. */
    readonly score: number;
    /** Why, where the scorer says it. */
    readonly reason?: string;
    /** The scorer failed, and says nothing of the answer. */
    readonly error?: string;
};
/** A verdict as it is recorded. */
export type VerdictRecord = {
    /** The name of the case. */
    readonly case: string;
    /** The name of the candidate. */
    readonly candidate: string;
    /** How the run ended. */
    readonly status: EvalAnswer['status'];
    /** The child was stopped by the budget of the eval: nothing is known of the answer. */
    readonly unpaid?: true;
    /** Whether the mean of its scores is enough. */
    readonly isPassed: boolean;
    /** What each scorer said. */
    readonly scores: Readonly<Record<string, ScoreRecord>>;
    /** How the answer begins. */
    readonly text: string;
    /** What a replay found. */
    readonly replay?: ReplayFigures & {
        readonly [key: string]: number;
    };
};
/** Names the child and the verdict of a task. */
export declare const taskName: ({ case: { name }, candidate }: EvalTask) => string;
/** Has a task answered and judged, and records the verdict. */
export declare function verdictOn(ctx: DurableContext, task: EvalTask, evaluation: Evaluation): Promise<void>;

// evals.d.ts
/** Evals, for modules that export one and for programs. An entry of its own: the command line loads it only where it is needed. */
export type { EvalAnswer, ReplayFigures } from './eval/eval-answer.ts';
export type { CandidateReport, EvalReport, ReportedVerdict } from './eval/eval-report.ts';
export { type EvalCase, type Evaluation, type EvaluationOptions, evaluation, type Score, type Scorer, } from './eval/evaluation.ts';
export { type ModelScorer, type ModelVerdict, modelScorer } from './eval/model-scorer.ts';
export { type EvalResult, type RunEvaluationOptions, runEvaluation } from './eval/run-evaluation.ts';
export { contains, ended, equals, unchanged } from './eval/scorers.ts';
export type { ScoreRecord, VerdictRecord } from './eval/verdict.ts';
