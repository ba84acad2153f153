// chat/chat-item.d.ts
/** What a chat shows of a thread. */
import type { Answer, ArgumentKinds } from '@loom-agent/kernel';
/** A text as a chat shows it: long ones in part, and how many characters are left out. The event has the whole. */
export interface ShownText {
    /** The beginning of the text, or all of it. */
    readonly text: string;
    /** How many characters follow. */
    readonly more?: number;
}
/** How a call stands. */
export type CallStatus = 'proposed' | 'asked' | 'running' | 'waiting' | 'in-doubt' | 'success' | 'warning' | 'error' | 'denied';
/** A call, in the message that proposed it. */
export interface ChatCall {
    /** Loom's id of the call: `turn.index`. */
    readonly call: string;
    /** The name of the tool. */
    readonly tool: string;
    /** The arguments, as JSON text. */
    readonly input: ShownText;
    /** Which of the arguments are paths, commands, addresses or hosts, as far as its tool says so; known once it is asked about or begins. */
    readonly kinds?: ArgumentKinds;
    /** How it stands. */
    readonly status: CallStatus;
    /** What the model reads of its end. */
    readonly output?: ShownText;
    /** Why it failed, in one word. */
    readonly errorType?: string;
    /** How long it took, in milliseconds. */
    readonly ms?: number;
    /** The seq of the event of its result. */
    readonly endedAt?: number;
    /** The threads of the children that it started. */
    readonly children?: readonly string[];
}
/** A file or an image of a message; its bytes are in the event. */
export interface ChatFile {
    /** Its media type. */
    readonly mediaType: string;
    /** Its name, where it has one. */
    readonly name?: string;
}
/** One thing that a chat shows. `seq` is the event that brought it. */
export type ChatItem = {
    readonly seq: number;
    readonly time: number;
} & ({
    readonly kind: 'user' | 'steered' | 'note' | 'item';
    readonly run: string;
    readonly text: ShownText;
    readonly files?: readonly ChatFile[];
    readonly by?: string;
} | {
    readonly kind: 'assistant';
    readonly run: string;
    readonly text: ShownText;
    readonly reasoning?: ShownText;
    readonly files?: readonly ChatFile[];
    readonly calls: readonly ChatCall[];
    readonly finish: string;
} | {
    readonly kind: 'question';
    readonly run: string;
    readonly id: string;
    readonly of: string;
    readonly prompt: ShownText;
    readonly call?: string;
    readonly answers: readonly {
        readonly answer: Answer['kind'];
        readonly by?: string;
        readonly seq: number;
    }[];
    readonly isOpen: boolean;
} | {
    readonly kind: 'compressed';
    readonly run: string;
    readonly from: number;
    readonly to: number;
    readonly text: ShownText;
} | {
    readonly kind: 'failed' | 'stopped' | 'retried';
    readonly run: string;
    readonly text: ShownText;
    readonly code?: string;
} | {
    readonly kind: 'forked';
    readonly from: string;
});
/** A text, cut where a chat would show too much of it. */
export declare function shown(text: string, length?: number): ShownText;

// chat/chat.d.ts
/** The chat of a thread: what people and the model said, calls with their results, and questions where they were asked. */
import type { Message } from '@loom-agent/kernel';
import type { Projection } from '../view/projection.ts';
import { type ChatItem } from './chat-item.ts';
interface ChatState {
    readonly items: ChatItem[];
    run: string;
    /** Inputs of queued runs, by the seq of their event. */
    queued: {
        [seq: string]: readonly Message[];
    };
    /** The place of the last reply. */
    reply: number;
    /** The places of open questions. */
    asked: {
        [id: string]: {
            place: number;
            approvals: number;
        };
    };
}
/**
 * What a chat shows of a thread, in order. Long texts are cut; the events have the whole.
 *
 * @example
 * const { view } = await createProjector(journal).view(chat, 'user-123')
 * for (const item of view) console.log(item.kind)
 */
export declare const chat: Projection<ChatState, readonly ChatItem[]>;
export {};

// chat/tool-chain.d.ts
/** The calls of a thread, one after another: what was called, why it was allowed, what came of it, and what it caused. */
import type { ChatCall, ChatItem } from './chat-item.ts';
/** A call, with the reply that proposed it and the questions that were asked about it. */
export interface ChainedCall extends ChatCall {
    /** The run. */
    readonly run: string;
    /** The seq of the reply that proposed it. */
    readonly proposedAt: number;
    /** The call before it whose result the model had read when it proposed this one; absent for the first. */
    readonly after?: string;
    /** The questions about it, with who answered them how. */
    readonly questions: readonly {
        readonly id: string;
        readonly of: string;
        readonly answers: readonly {
            readonly answer: string;
            readonly by?: string;
        }[];
    }[];
}
/** The calls of a chat, in the order in which they were proposed. */
export declare function toolChainOf(items: readonly ChatItem[]): readonly ChainedCall[];

// compare/compare-steps.d.ts
import type { Step } from './step.ts';
/** One line of a comparison: the same step, the same step done otherwise, or one that only the first or only the second has. */
export interface ComparedStep {
    /** Which of these it is, in this order: `=`, `~`, `-`, `+`. */
    readonly op: '=' | '~' | '-' | '+';
    /** The step of the first. */
    readonly a?: Step;
    /** The step of the second. */
    readonly b?: Step;
}
/** What two threads have in common, and where they differ. */
export interface StepComparison {
    /** With how many equal steps both begin; they are no rows. */
    readonly common: number;
    /** The last of them. */
    readonly last?: {
        readonly a: Step;
        readonly b: Step;
    };
    /** What comes after them, aligned. */
    readonly rows: readonly ComparedStep[];
    /** How many rows there are of each kind. */
    readonly counts: {
        readonly same: number;
        readonly changed: number;
        readonly removed: number;
        readonly added: number;
    };
    /** The sums of each side behind what they have in common. A cost is absent where a price is unknown. */
    readonly totals: {
        readonly a: StepTotals;
        readonly b: StepTotals;
    };
    /** Whether the alignment is the best one: of threads that differ in thousands of places it is not looked for. */
    readonly isBest: boolean;
}
/** What some steps took. */
export interface StepTotals {
    /** How many there are. */
    readonly steps: number;
    /** Tokens of their replies, both ways. */
    readonly tokens: number;
    /** Integer micro-units. */
    readonly cost?: number;
    /** Milliseconds from the first to the last. */
    readonly ms: number;
}
/** Compares the steps of two threads: what they begin with, and then by kind and name. */
export declare function compareSteps(a: readonly Step[], b: readonly Step[]): StepComparison;

// compare/step.d.ts
/** The steps of a thread: what was said, called, asked and ended, each in one line with a digest of its content. Two threads are compared by them. */
import { type Json, type Message } from '@loom-agent/kernel';
import type { Projection } from '../view/projection.ts';
/** What a step is. */
export type StepKind = 'input' | 'steered' | 'reply' | 'failure' | 'tool' | 'question' | 'context' | 'end';
/** Something that has happened on a thread, as it is compared with what has happened on another. */
export interface Step {
    /** The event by which it is known: of a call the one with its result. */
    readonly seq: number;
    /** When that was stored, in milliseconds since 1970. */
    readonly time: number;
    /** The run. */
    readonly run: string;
    /** The turn; 0 before the first. */
    readonly turn: number;
    /** What it is. */
    readonly kind: StepKind;
    /** Its name among those of its kind: of a tool, a model, an end. Steps of one kind and name are the same step, done otherwise. */
    readonly name: string;
    /** Changes with its content, and with nothing else: times, seqs, tokens and the ids of threads are no part of it. */
    readonly digest: string;
    /** What it says, in one line. */
    readonly label: string;
    /** Tokens of a reply, both ways. */
    readonly tokens?: number;
    /** What it cost in integer micro-units, where that is known. */
    readonly cost?: number;
    /** How long it took, in milliseconds, where that was stored. */
    readonly ms?: number;
}
interface StepState {
    readonly steps: Step[];
    run: string;
    turn: number;
    model: string;
    /** The calls of the last reply, and their arguments as they were changed. */
    called: {
        name: string;
        input: Json;
    }[];
    /** Inputs of queued runs, by the seq of their event. */
    queued: {
        [seq: string]: readonly Message[];
    };
    /** Prompts of open questions. */
    asked: {
        [id: string]: string;
    };
}
/**
 * The steps of a thread, in order.
 *
 * @example
 * const comparison = compareSteps(viewOf(steps, before), viewOf(steps, after))
 */
export declare const steps: Projection<StepState, readonly Step[]>;
export {};

// context/context-matrix.d.ts
/**
 * The context matrix: which entries of the history each request showed, and how.
 *
 * What a request shows of an entry changes only at a rebase, which says it for ranges of entries. So the state has the entries, the requests and the
 * ranges, and a cell is looked up when somebody looks at it: a thread of ten thousand turns is no table of a hundred million cells.
 */
import type { ContextBudget, Segment } from '@loom-agent/kernel';
import type { Projection } from '../view/projection.ts';
/** An entry of the history: one message, or an item that was added. */
export interface MatrixEntry {
    /** The seq of the event that brought it. */
    readonly seq: number;
    /** How it came into the history. */
    readonly origin: 'input' | 'reply' | 'results' | 'steered' | 'note' | 'retrieved' | 'hook' | 'item';
    /** Its first words. */
    readonly label: string;
}
/** A rebase: what the model was shown of the entries before `to` of each segment from then on. */
export interface MatrixRebase {
    /** The seq of its event. */
    readonly seq: number;
    /** Why earlier parts of the context changed. */
    readonly reason: string;
    /** What became of the history, without a gap. */
    readonly segments: readonly Segment[];
    /** The tokens before and after, and what was allowed. */
    readonly budget?: ContextBudget;
}
/** A request to the model. */
export interface MatrixRequest {
    /** The seq of its event. */
    readonly seq: number;
    /** The turn. */
    readonly turn: number;
    /** How many entries there were. */
    readonly entries: number;
    /** The place of the rebase in force; -1 before the first. */
    readonly rebase: number;
    /** Tokens that the provider counted; absent until it has replied. */
    readonly input?: number;
}
/** Everything that the cells follow from. */
export interface ContextMatrix {
    /** The rows. */
    readonly entries: readonly MatrixEntry[];
    /** The columns: one for each request. */
    readonly requests: readonly MatrixRequest[];
    /** What was shown how, from when on. */
    readonly rebases: readonly MatrixRebase[];
}
/** How a request shows an entry: not there yet, whole, cut, inside of a summary, or dropped. */
export type Presence = 'absent' | 'whole' | 'cut' | 'summary' | 'dropped';
/** A cell, with the segment that decided it. */
export interface MatrixCell {
    /** How the request shows the entry. */
    readonly presence: Presence;
    /** The segment of the rebase in force; absent where the entry came after it. */
    readonly segment?: Segment;
}
type Writable<T> = {
    -readonly [K in keyof T]: T[K];
};
interface MatrixState {
    readonly entries: MatrixEntry[];
    readonly requests: Writable<MatrixRequest>[];
    readonly rebases: MatrixRebase[];
    turn: number;
    /** Whether the last reply proposed calls, whose results become one entry. */
    calls: number;
    /** Messages that wait for the next turn. */
    steered: {
        label: string;
        priority: number;
        seq: number;
    }[];
    /** Messages of hooks are added at once while a context is made, and wait for the next turn after a reply. */
    isBeforeReply: boolean;
    /** Text of an attempt that was cut off. */
    partial: string;
    queued: {
        [seq: string]: string[];
    };
}
/** The context of every request of a thread, entry by entry. */
export declare const contextMatrix: Projection<MatrixState, ContextMatrix>;
/** How a request showed an entry, by their places in the matrix. */
export declare function cellOf({ requests, rebases }: ContextMatrix, entry: number, request: number): MatrixCell;
export {};

// export/chrome-trace.d.ts
/** Trace events, which Perfetto and the browser's own tools draw. */
import type { Columns } from '../span/columns.ts';
/** A file of trace events. */
export interface ChromeTrace {
    readonly displayTimeUnit: 'ms';
    readonly otherData: {
        readonly [name: string]: string;
    };
    readonly traceEvents: readonly TraceEvent[];
}
/** A slice (`X`), a counter (`C`) or the name of a track (`M`). Times are microseconds. */
export interface TraceEvent {
    readonly ph: 'X' | 'C' | 'M';
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    readonly ts?: number;
    readonly dur?: number;
    readonly cat?: string;
    readonly args: {
        readonly [name: string]: string | number;
    };
}
/** The spans of threads as trace events: each thread is a process, each of its tracks a thread of it. */
export declare function chromeTraceOf(threads: readonly {
    readonly name: string;
    readonly columns: Columns;
}[]): ChromeTrace;

// export/markdown.d.ts
/** A chat as Markdown, for an issue or a mail. What people and models wrote is quoted, so that none of it acts as Markdown of the page. */
import type { ChatItem } from '../chat/chat-item.ts';
/** The chat of a thread as Markdown. */
export declare function markdownOf(items: readonly ChatItem[], title: string): string;

// export/otlp.d.ts
import { type Columns } from '../span/columns.ts';
/** A request to `/v1/traces` of an OTLP receiver. */
export interface OtlpTraces {
    readonly resourceSpans: readonly {
        readonly resource: {
            readonly attributes: readonly OtlpAttribute[];
        };
        readonly scopeSpans: readonly {
            readonly scope: {
                readonly name: string;
                readonly version?: string;
            };
            readonly spans: readonly OtlpSpan[];
        }[];
    }[];
}
/** An attribute; 64-bit integers are decimal strings. */
export interface OtlpAttribute {
    readonly key: string;
    readonly value: {
        readonly stringValue: string;
    } | {
        readonly intValue: string;
    } | {
        readonly doubleValue: number;
    };
}
/** A span as receivers read it. */
export interface OtlpSpan {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly name: string;
    readonly kind: 1 | 3;
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
    readonly attributes: readonly OtlpAttribute[];
    readonly status: {
        readonly code: 0 | 1 | 2;
    };
}
/** A thread to export. */
export interface OtlpThread {
    /** Its id. */
    readonly thread: string;
    /** Which thread of that name it is. */
    readonly incarnation: string;
    /** The agent it belongs to. */
    readonly agent: string;
    /** Its spans. */
    readonly columns: Columns;
    /** Of a child: the thread at the root of its tree, and the span of the call that started it. */
    readonly under?: {
        readonly trace: string;
        readonly span: string;
    } | undefined;
}
/** The id of the trace of a thread at the root of its tree. */
export declare const traceIdOf: (incarnation: string) => string;
/** The id of the span of a thread that an event opened. */
export declare const spanIdOf: (incarnation: string, from: number) => string;
/** The spans of a thread for a receiver of OTLP. What is open is left out: a span is sent when it has ended. Contents are never sent. */
export declare function otlpOf({ thread, incarnation, agent, columns, under }: OtlpThread, version?: string): OtlpTraces;

// export/speedscope.d.ts
/** Flame graphs for speedscope: of time, of tokens and of money. */
import type { Columns } from '../span/columns.ts';
/** A file that speedscope opens. */
export interface SpeedscopeFile {
    readonly $schema: 'https://www.speedscope.app/file-format-schema.json';
    readonly name: string;
    readonly exporter: string;
    readonly activeProfileIndex: number;
    readonly shared: {
        readonly frames: readonly {
            readonly name: string;
        }[];
    };
    readonly profiles: readonly SpeedscopeProfile[];
}
/** One flame graph: opens and closes of frames, which balance like brackets. */
export interface SpeedscopeProfile {
    readonly type: 'evented';
    readonly name: string;
    readonly unit: 'microseconds' | 'none';
    readonly startValue: number;
    readonly endValue: number;
    readonly events: readonly {
        readonly type: 'O' | 'C';
        readonly frame: number;
        readonly at: number;
    }[];
}
/** The spans of a thread for speedscope: a flame graph of time for each track, and one each of tokens and of cost. */
export declare function speedscopeOf(columns: Columns, given: {
    readonly name: string;
    readonly version?: string;
}): SpeedscopeFile;

// files/file-changes.d.ts
/**
 * What became of the files of workspaces, turn by turn: a fold over the events of one thread.
 *
 * A change counts from the event after which it was made: the end of its step, or of its call where no step has it. Of a step that has begun and not ended
 * it is not known.
 */
import { type FileChange, type FileConflict } from '@loom-agent/kernel';
import type { Projection } from '../view/projection.ts';
/** A change of one file. */
export interface ChangedFile extends FileChange {
    /** The event after which it was made. */
    readonly seq: number;
    /** When that was stored, in milliseconds since 1970. */
    readonly time: number;
    /** The call that made it. */
    readonly call?: string;
    /** Who made it, where no call did. */
    readonly by?: string;
    /** It may or may not have been made: its step has begun and not ended. */
    readonly isUncertain?: true;
}
/** What became of files in one turn. */
export interface TurnChanges {
    /** The run. */
    readonly run: string;
    /** The turn; 0 for what a rewind put back before the first one. */
    readonly turn: number;
    /** The changes, in order. */
    readonly files: readonly ChangedFile[];
    /** Why there may be more changes than these. */
    readonly unseen: readonly string[];
    /** Files that a rewind has left as they were. */
    readonly conflicts: readonly FileConflict[];
}
interface ChangesState {
    readonly turns: {
        run: string;
        turn: number;
        files: ChangedFile[];
        unseen: string[];
        conflicts: FileConflict[];
    }[];
    run: string;
    turn: number;
    /** What steps are about to change, by call and key. */
    open: {
        [step: string]: {
            seq: number;
            time: number;
            turn: number;
            call: string;
            files: readonly FileChange[];
        };
    };
    /** The files that the steps of a call have changed. */
    bySteps: {
        [call: string]: string[];
    };
}
/**
 * The changes of files, by turn.
 *
 * @example
 * const { view } = await createProjector(journal).view(fileChanges, 'user-123')
 * for (const { turn, files } of view) console.log(turn, files.map(({ path }) => path))
 */
export declare const fileChanges: Projection<ChangesState, readonly TurnChanges[]>;
export {};

// index.d.ts
/** Loom's views of journals: folds over events, and exports of them to other tools. */
export { chat } from './chat/chat.ts';
export { type CallStatus, type ChatCall, type ChatFile, type ChatItem, type ShownText, shown } from './chat/chat-item.ts';
export { type ChainedCall, toolChainOf } from './chat/tool-chain.ts';
export { type ComparedStep, compareSteps, type StepComparison, type StepTotals } from './compare/compare-steps.ts';
export { type Step, type StepKind, steps } from './compare/step.ts';
export { type ContextMatrix, cellOf, contextMatrix, type MatrixCell, type MatrixEntry, type MatrixRebase, type MatrixRequest, type Presence, } from './context/context-matrix.ts';
export { type ChromeTrace, chromeTraceOf, type TraceEvent } from './export/chrome-trace.ts';
export { markdownOf } from './export/markdown.ts';
export { type OtlpAttribute, type OtlpSpan, type OtlpThread, type OtlpTraces, otlpOf, spanIdOf, traceIdOf } from './export/otlp.ts';
export { type SpeedscopeFile, type SpeedscopeProfile, speedscopeOf } from './export/speedscope.ts';
export { type ChangedFile, fileChanges, type TurnChanges } from './files/file-changes.ts';
export { type Advice, type AdviceThresholds, adviceFor } from './metrics/advice.ts';
export { type Durations, durationBounds } from './metrics/durations.ts';
export { createJournalMetrics, type JournalMetrics, type MetricsQuery, runsByTime } from './metrics/journal-metrics.ts';
export { prometheusOf } from './metrics/prometheus.ts';
export { type RunMetrics, type RunStatus, runMetrics, type ToolMetrics } from './metrics/run-metrics.ts';
export { type MetricsLine, type MetricsSeries, type SeriesBy, type SeriesOptions, seriesOf } from './metrics/series.ts';
export { type MetricsSummary, summarizeMetrics, type ToolSummary } from './metrics/summary.ts';
export { createResourceMonitor, type ResourceMonitor, type ResourceMonitorOptions, type ResourceReading, type ResourceSample, } from './resources/resource-monitor.ts';
export { type Columns, type Span, type SpanKind, type SpanStatus, spanAt, spanKinds, spanStatuses, spansOf } from './span/columns.ts';
export { type CostNode, costTreeOf } from './span/cost-tree.ts';
export { type Overview, overviewOf } from './span/overview.ts';
export { skeleton } from './span/skeleton.ts';
export { type EventHeader, headerOf } from './view/event-header.ts';
export { type Projection, viewOf } from './view/projection.ts';
export { createProjector, type Projector, type ProjectorCounts, type ProjectorOptions, type ViewCache, type Viewed } from './view/projector.ts';

// metrics/advice.d.ts
/** Advice from figures: what is worth changing, and the figure that says so. */
import type { MetricsSummary } from './summary.ts';
/** One piece of advice. */
export interface Advice {
    /** Names the rule. */
    readonly rule: 'tokens' | 'tool-errors' | 'compression-good' | 'compression-poor' | 'errors' | 'parallel-none';
    /** Whether something is to be done, or all is well. */
    readonly kind: 'change' | 'fine';
    /** What was seen, with the figure, and what to do. */
    readonly text: string;
}
/** From which figures on advice is given. */
export interface AdviceThresholds {
    /** Tokens in all; default 150,000. */
    readonly tokens?: number;
    /** The part of calls that succeed; default 0.8. */
    readonly toolSuccess?: number;
    /** Summaries up to this part of their originals are good; default 0.5. */
    readonly goodRatio?: number;
    /** Summaries from this part of their originals on are poor; default 0.8. */
    readonly poorRatio?: number;
    /** Errors over calls; default 0.1. */
    readonly errorRate?: number;
}
/** What the figures suggest. The rules and their defaults are those of the original Python project. */
export declare function adviceFor(summary: MetricsSummary, thresholds?: AdviceThresholds): readonly Advice[];

// metrics/durations.d.ts
/** Durations as counts in buckets: they can be added up over runs, and their size does not grow with what they count. */
/** The upper bounds of the buckets, in milliseconds; one more bucket has what is longer. */
export declare const durationBounds: readonly [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000, 120000, 300000];
/** How many durations there are in each bucket, and their sum in milliseconds. */
export interface Durations {
    /** Counts by bucket; the last has what is longer than every bound. */
    readonly counts: readonly number[];
    /** Milliseconds in all. */
    readonly sum: number;
}
/** No durations. */
export declare const noDurations: () => Durations;
/** Durations with one more. */
export declare function withDuration({ counts, sum }: Durations, ms: number): Durations;
/** Two sets of durations together. */
export declare const addDurations: (a: Durations, b: Durations) => Durations;

// metrics/journal-metrics.d.ts
/**
 * The metrics of a whole journal, kept up to date by its feed.
 *
 * METRICS-1. Looking again reads the feed from where it was left, and of the threads that changed the events that are new.
 * METRICS-2. The figures of a run count once, however often its thread was looked at; those of a removed thread are gone.
 */
import type { Journal } from '@loom-agent/kernel';
import type { Projector } from '../view/projector.ts';
import { type RunMetrics } from './run-metrics.ts';
/** Which runs to look at. */
export interface MetricsQuery {
    /** Runs of this agent. */
    readonly agent?: string | undefined;
    /** Runs that started at this time or later, in milliseconds since 1970. */
    readonly since?: number | undefined;
    /** Runs that started before this time. */
    readonly before?: number | undefined;
}
/** Metrics of all threads of a journal. */
export interface JournalMetrics {
    /** The metrics of the runs that a query asks for, up to date. A new start of the feed, after a restored copy, begins anew. */
    runs(query?: MetricsQuery): Promise<readonly RunMetrics[]>;
}
/** A journal whose feed can be read. */
type Followed = Pick<Journal, 'feed'>;
/** Creates metrics over a journal; nothing is read before somebody asks. */
export declare function createJournalMetrics(journal: Followed, projector: Projector): JournalMetrics;
/** Figures over time: one list of runs for each step, from the start of the first to the end of the last. */
export declare function runsByTime(runs: readonly RunMetrics[], { from, to, step }: {
    from: number;
    to: number;
    step: number;
}): readonly (readonly RunMetrics[])[];
export {};

// metrics/prometheus.d.ts
import type { RunMetrics } from './run-metrics.ts';
/** Metrics of runs as a page that Prometheus scrapes. */
export declare function prometheusOf(runs: readonly RunMetrics[]): string;

// metrics/run-metrics.d.ts
import type { Projection } from '../view/projection.ts';
import { type Durations } from './durations.ts';
/** How a run stands. */
export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'stopped';
/** Calls of one tool. */
export interface ToolMetrics {
    /** Calls that have their result. */
    readonly calls: number;
    /** Those of them whose result is an error. */
    readonly errors: number;
    /** Those that were not permitted. */
    readonly denied: number;
    /** How long they took. */
    readonly durations: Durations;
}
/** What a run did and used. Costs are integer micro-units, times milliseconds. */
export interface RunMetrics {
    /** The id of the run. */
    readonly run: string;
    /** The thread of the run. */
    readonly thread: string;
    /** The agent that it was started with. */
    readonly agent: string;
    /** The model that it was started with. */
    readonly model: string;
    /** When it started, in milliseconds since 1970. */
    readonly started: number;
    /** When it ended; absent until then. */
    readonly ended?: number;
    /** How it stands. */
    readonly status: RunStatus;
    /** Turns that were entered. */
    readonly turns: number;
    /** Time of driving: waiting for people does not count. */
    readonly drivenMs: number;
    /** How long its turns took, of that time. */
    readonly turnDurations: Durations;
    /** Model calls; attempts count. */
    readonly modelCalls: number;
    /** Model calls that failed. */
    readonly modelErrors: number;
    /** Time that models took to reply. */
    readonly modelMs: number;
    /** Tokens that were sent. */
    readonly input: number;
    /** Tokens that came back. */
    readonly output: number;
    /** Tokens of the input that a cache had. */
    readonly cacheRead: number;
    /** What is known of the cost. */
    readonly cost: number;
    /** How many times something was used whose price is not known. */
    readonly unpriced: number;
    /** The largest request, in tokens. */
    readonly largestRequest: number;
    /** Calls by the name of their tool. */
    readonly tools: {
        readonly [tool: string]: ToolMetrics;
    };
    /** The most calls that ran at once. */
    readonly mostParallel: number;
    /** Summaries that were made. */
    readonly compressions: number;
    /** Summaries that could not be made. */
    readonly compressionErrors: number;
    /** Tokens of what was summarised, where they are known. */
    readonly compressedFrom: number;
    /** Tokens of the summaries. */
    readonly compressedTo: number;
    /** Questions that were asked. */
    readonly questions: number;
    /** Time between questions and their answers. */
    readonly answerMs: number;
    /** Children that were started. */
    readonly children: number;
    /** Errors by their code or kind. */
    readonly errors: {
        readonly [kind: string]: number;
    };
}
type Writable<T> = {
    -readonly [K in keyof T]: T[K];
};
type Growing = Writable<Omit<RunMetrics, 'tools' | 'errors'>> & {
    readonly tools: {
        [tool: string]: ToolMetrics;
    };
    readonly errors: {
        [kind: string]: number;
    };
};
interface MetricsState {
    readonly runs: Growing[];
    agent: string;
    /** Since when the run is driven; -1 while it is not. */
    since: number;
    /** How long the run had been driven when its turn was entered; -1 before the first turn. */
    turnFrom: number;
    /** When the event before was stored. */
    last: number;
    called: string[];
    running: {
        [call: string]: true;
    };
    asked: {
        [question: string]: number;
    };
    queued: {
        [seq: string]: {
            agent: string;
            model: string;
        };
    };
}
/** The metrics of every run of a thread, in order. */
export declare const runMetrics: Projection<MetricsState, readonly RunMetrics[]>;
export {};

// metrics/series.d.ts
import type { RunMetrics } from './run-metrics.ts';
/** By what the lines of a chart are told apart. */
export type SeriesBy = 'all' | 'agent' | 'model' | 'status';
/** Which steps of time, and by what. */
export interface SeriesOptions {
    /** The beginning of the first step, in milliseconds since 1970. */
    readonly from: number;
    /** The end of the last step. */
    readonly to: number;
    /** Milliseconds of a step. */
    readonly step: number;
    /** By what lines are told apart; default `all`. */
    readonly by?: SeriesBy;
}
/** One line of a chart: the sums of the runs that started in each step. Costs are integer micro-units, times milliseconds. */
export interface MetricsLine {
    /** What the line is of. */
    readonly key: string;
    /** Runs that started. */
    readonly runs: readonly number[];
    /** Those of them that failed. */
    readonly failed: readonly number[];
    /** Turns that they took. */
    readonly turns: readonly number[];
    /** What is known of their cost. */
    readonly cost: readonly number[];
    /** Tokens that they sent. */
    readonly input: readonly number[];
    /** Tokens that came back. */
    readonly output: readonly number[];
    /** Tokens of the input that a cache had. */
    readonly cacheRead: readonly number[];
    /** Time that models took to reply. */
    readonly modelMs: readonly number[];
    /** Calls of models. */
    readonly modelCalls: readonly number[];
    /** Time that tools took. */
    readonly toolMs: readonly number[];
    /** Calls of tools. */
    readonly toolCalls: readonly number[];
    /** Those of them whose result is an error. */
    readonly toolErrors: readonly number[];
}
/** Lines over the same steps. */
export interface MetricsSeries {
    /** The beginning of the first step. */
    readonly from: number;
    /** Milliseconds of a step. */
    readonly step: number;
    /** How many steps there are. */
    readonly steps: number;
    /** The lines; the one with the most runs first. */
    readonly lines: readonly MetricsLine[];
    /** Runs of lines that are beyond the first fifty. */
    readonly omitted: number;
}
/** The figures of runs over time. Runs that started outside of the range are not counted; a range with more than 2,000 steps has longer ones. */
export declare function seriesOf(runs: Iterable<RunMetrics>, { from, to, step: wanted, by }: SeriesOptions): MetricsSeries;

// metrics/summary.d.ts
import type { RunMetrics, ToolMetrics } from './run-metrics.ts';
/** Figures of one tool. */
export interface ToolSummary extends ToolMetrics {
    /** The part that did not end in an error, from 0 to 1; `undefined` when nothing has ended. */
    readonly successRate: number | undefined;
    /** Milliseconds of one call, on average; `undefined` when nothing has ended. */
    readonly meanMs: number | undefined;
}
/** Figures of many runs. Costs are integer micro-units, times milliseconds; the rate and the mean of nothing are `undefined`. */
export interface MetricsSummary {
    /** How many runs there were, how they stand, and how long they were driven. */
    readonly execution: {
        readonly runs: number;
        readonly byStatus: {
            readonly [S in RunMetrics['status']]: number;
        };
        readonly turns: number;
        readonly drivenMs: number;
        readonly meanTurnMs: number | undefined;
        /** The first start and the last end or start, in milliseconds since 1970. */
        readonly from: number | undefined;
        readonly to: number | undefined;
    };
    /** Calls of models. */
    readonly model: {
        readonly calls: number;
        readonly errors: number;
        readonly input: number;
        readonly output: number;
        readonly cacheRead: number;
        readonly cost: number;
        readonly unpriced: number;
        readonly meanMs: number | undefined;
        readonly largestRequest: number;
    };
    /** Calls of tools. */
    readonly tools: {
        readonly calls: number;
        readonly successRate: number | undefined;
        readonly meanMs: number | undefined;
        readonly mostParallel: number;
        readonly byTool: {
            readonly [tool: string]: ToolSummary;
        };
    };
    /** Summaries of contexts. */
    readonly compression: {
        readonly count: number;
        readonly errors: number;
        /** Tokens of the summaries over tokens of what they stand for; `undefined` when nothing was compressed. */
        readonly meanRatio: number | undefined;
    };
    /** What went wrong. */
    readonly errors: {
        readonly total: number;
        /** Errors over calls of models and tools; `undefined` without calls. */
        readonly rate: number | undefined;
        readonly byKind: {
            readonly [kind: string]: number;
        };
    };
    /** What people were asked. */
    readonly questions: {
        readonly asked: number;
        readonly meanAnswerMs: number | undefined;
    };
}
/** The figures of the given runs together. */
export declare function summarizeMetrics(runs: Iterable<RunMetrics>): MetricsSummary;

// resources/resource-monitor.d.ts
/**
 * What a process uses, sample by sample. How it is measured is a port: each platform has its own way.
 *
 * RESOURCE-1. Nothing is sampled before somebody asks, and how many samples are held is bounded.
 */
import type { Clock } from '@loom-agent/kernel';
/** What a process uses at one moment. A figure that a platform does not have is absent. */
export interface ResourceReading {
    /** Bytes of memory that the process has. */
    readonly memory?: number;
    /** Bytes of the heap that are in use. */
    readonly heap?: number;
    /** Milliseconds of processor time since the process began. */
    readonly cpuMs?: number;
    /** The longest time in milliseconds that the event loop was late since the reading before. */
    readonly delayMs?: number;
}
/** A sample. */
export interface ResourceSample extends Omit<ResourceReading, 'cpuMs'> {
    /** When, in milliseconds since 1970. */
    readonly time: number;
    /** The share of one processor since the sample before; 2 are two whole processors. */
    readonly cpu?: number;
}
/** How a process is watched. */
export interface ResourceMonitorOptions {
    /** Measures what the process uses now. */
    readonly read: () => ResourceReading;
    /** The time, and timers. */
    readonly clock: Clock;
    /** Milliseconds between two samples; default 5,000. */
    readonly every?: number;
    /** Samples that are held; default 720: an hour of them. */
    readonly keep?: number;
}
/** Watches what a process uses. */
export interface ResourceMonitor {
    /** The samples so far, the newest last, with one of now. From the first call on a sample is made every so often. */
    samples(): readonly ResourceSample[];
    /** Ends it. */
    close(): void;
}
/** Makes a monitor. It begins when it is asked for the first time. */
export declare function createResourceMonitor({ read, clock, every, keep }: ResourceMonitorOptions): ResourceMonitor;

// span/columns.d.ts
/** Spans as columns: a hundred thousand of them are a few arrays of numbers, which a browser reads in milliseconds. */
/** What a span is the time of. */
export declare const spanKinds: readonly ['run', 'turn', 'context', 'model', 'tool', 'step', 'question', 'child', 'wait', 'compression'];
/** What a span is the time of. */
export type SpanKind = (typeof spanKinds)[number];
/** How a span stands. `lost`: the process that performed it is gone, and something else came in its place. */
export declare const spanStatuses: readonly ['open', 'ok', 'error', 'denied', 'stopped', 'lost'];
/** How a span stands. */
export type SpanStatus = (typeof spanStatuses)[number];
/**
 * Spans, one at each index of all columns. A parent comes before its children. Numbers stand for words: kinds and statuses by their place in `spanKinds` and
 * `spanStatuses`, names and links by their place in `words`.
 */
export interface Columns {
    /** Every name that a span has, once. */
    readonly words: string[];
    /** The time of the first event, in milliseconds since 1970. */
    base: number;
    /** The place of each kind in `spanKinds`. */
    readonly kind: number[];
    /** The place of each name in `words`: of a tool, a model, an agent, a step. */
    readonly name: number[];
    /** The index of the span around it; -1 for a run. */
    readonly parent: number[];
    /** Which of the lanes of its turn: spans of one lane do not overlap. */
    readonly lane: number[];
    /** When it began, in milliseconds after `base`. */
    readonly start: number[];
    /** When it ended, in milliseconds after `base`; -1 while it is open. */
    readonly end: number[];
    /** The place of each status in `spanStatuses`. */
    readonly status: number[];
    /** Tokens that were sent, by the span itself: those of a child are of its whole tree. */
    readonly input: number[];
    /** Tokens that came back. */
    readonly output: number[];
    /** Integer micro-units; -1 where something was used and its price is not known. */
    readonly cost: number[];
    /** The seq of the event that opened it. */
    readonly from: number[];
    /** The seq of the last event that changed it: a reader that knows an earlier state takes the spans after that. */
    readonly to: number[];
    /** The place in `words` of the thread of a child, or of the id of a call or a question; -1 without one. */
    readonly link: number[];
}
/** No spans. */
export declare const emptyColumns: () => Columns;
/** One span, in words. */
export interface Span {
    /** Its index in the columns. */
    readonly index: number;
    /** What it is the time of. */
    readonly kind: SpanKind;
    /** The tool, the model, the agent, the step. */
    readonly name: string;
    /** The index of the span around it; -1 for a run. */
    readonly parent: number;
    /** Which of the lanes of its turn. */
    readonly lane: number;
    /** When it began, in milliseconds since 1970. */
    readonly start: number;
    /** When it ended; `undefined` while it is open. */
    readonly end: number | undefined;
    /** How it stands. */
    readonly status: SpanStatus;
    /** Tokens that were sent. */
    readonly input: number;
    /** Tokens that came back. */
    readonly output: number;
    /** Integer micro-units; `undefined` where the price is not known. */
    readonly cost: number | undefined;
    /** The seq of the event that opened it. */
    readonly from: number;
    /** The seq of the last event that changed it. */
    readonly to: number;
    /** The thread of a child, or the id of a call or a question. */
    readonly link: string | undefined;
}
/** The span at an index, in words. */
export declare function spanAt(columns: Columns, index: number): Span;
/** All spans, in words, in the order in which they began. */
export declare function spansOf(columns: Columns): Generator<Span, void>;

// span/cost-tree.d.ts
/** What a thread has cost, and where: runs, turns, and what they paid for. */
import { type Columns, type Span } from './columns.ts';
/** A place where tokens and money went, with those below it. */
export interface CostNode {
    /** The span; `undefined` for the whole thread. */
    readonly span: Span | undefined;
    /** Tokens that were sent, here and below. */
    readonly input: number;
    /** Tokens that came back, here and below. */
    readonly output: number;
    /** Integer micro-units that are known, here and below. */
    readonly cost: number;
    /** How many spans, here and below, used something whose price is not known: the cost is at least `cost`. */
    readonly unpriced: number;
    /** What it was spent on. */
    readonly children: readonly CostNode[];
}
/**
 * The costs of a thread as a tree. The figures of a node are those of its span and the sums of its children: nothing is counted twice, nothing is left out.
 * What a child thread has used is in the span of the call that started it.
 */
export declare function costTreeOf(columns: Columns): CostNode;

// span/overview.d.ts
/** A thread at a glance: a few hundred buckets of time, whatever its length. */
import type { Columns } from './columns.ts';
/** Figures for each bucket of time. */
export interface Overview {
    /** When the first bucket begins, in milliseconds since 1970. */
    readonly start: number;
    /** How long a bucket is, in milliseconds. */
    readonly step: number;
    /** Integer micro-units that were paid in the bucket, as far as they are known. */
    readonly cost: readonly number[];
    /** Tokens of the largest request that was answered in the bucket. */
    readonly tokens: readonly number[];
    /** Spans that ended in an error in the bucket. */
    readonly errors: readonly number[];
    /** The most calls that were open at once in the bucket. */
    readonly calls: readonly number[];
}
/** The overview of a thread. `now` (milliseconds since 1970) is where what is open is cut off; without it, where the last span ends. */
export declare function overviewOf(columns: Columns, options?: {
    readonly buckets?: number;
    readonly now?: number;
}): Overview;

// span/skeleton.d.ts
import type { Projection } from '../view/projection.ts';
import { type Columns } from './columns.ts';
/** The columns, and what is open: indexes of spans, -1 for none. */
interface SkeletonState {
    readonly columns: Columns;
    run: number;
    turn: number;
    /** What makes a run that has ended go on: being resumed, or a limit that is raised. */
    goesOnBy: 'resume' | 'limit' | '';
    /** The model of the run, for requests that name none. */
    model: string;
    context: number;
    request: number;
    wait: number;
    /** The names of the tools that the last reply called, by the index of the call. */
    called: string[];
    /** Open spans by what they are of: a call, a step, a question, a child. */
    open: {
        [what: string]: number;
    };
    /** How many must still approve an open question. */
    approvals: {
        [question: string]: number;
    };
    /** The models of queued runs, by the seq of their event. */
    queued: {
        [seq: string]: string;
    };
    /** Which lanes of the turn are taken. */
    lanes: boolean[];
}
/**
 * Runs, turns, model calls, tool calls, steps, questions, children and waits as spans, in columns.
 *
 * @example
 * const { view } = await createProjector(journal).view(skeleton, 'user-123')
 * for (const { kind, name, start, end } of spansOf(view)) console.log(kind, name, start, end)
 */
export declare const skeleton: Projection<SkeletonState, Columns>;
export {};

// view/event-header.d.ts
/** Events in one line each: what a list of a hundred thousand of them shows. */
import type { LoomEvent, Message, Output, Part } from '@loom-agent/kernel';
/** An event without its data. */
export interface EventHeader {
    /** Its number on the thread. */
    readonly seq: number;
    /** When it was stored, in milliseconds since 1970. */
    readonly time: number;
    /** What has happened. */
    readonly type: string;
    /** The run it belongs to. */
    readonly run?: string;
    /** The turn it belongs to. */
    readonly turn?: number;
    /** What it is about, in a few words; at most 120 characters. */
    readonly label: string;
}
/** The first line of a text, cut where it is too long. */
export declare function shortened(text: string, length?: number): string;
/** The words of parts: texts as they are, everything else by its kind. */
export declare function wordsOf(parts: readonly Part[]): string;
/** The words of a message. */
export declare const messageWords: (message: Message) => string;
/** The words of an output. */
export declare const outputWords: (output: Output) => string;
/** An event in one line. One of a type that this version does not know has its type alone. */
export declare function headerOf({ seq, time, type, run, turn, data }: LoomEvent): EventHeader;

// view/projection.d.ts
/** Views of threads: folds over events that take one event at a time. */
import type { LoomEvent } from '@loom-agent/kernel';
/**
 * A view of one thread, as a fold.
 *
 * VIEW-1. A view is a function of the events alone: folding them at once, one by one, or on from a stored state gives the same.
 * VIEW-2. A state is plain JSON. A stored state of another version is not used, so a change of the fold is a new version.
 */
export interface Projection<State, View> {
    /** Names the projection; part of the key under which its states are stored. */
    readonly name: string;
    /** The version of the fold: states of another version are folded anew. */
    readonly version: number;
    /** The state before the first event. */
    start(): State;
    /** Takes the next event into the state, which it changes in place. It must not throw, whatever order events come in, and must keep no event. */
    apply(state: State, event: LoomEvent): void;
    /** What people look at. It must not change the state. It may share parts of it, which change with the next event: who keeps a view copies it. */
    view(state: State): View;
}
/** The view of the given events, all of one thread. */
export declare function viewOf<State, View>(projection: Projection<State, View>, events: Iterable<LoomEvent>): View;

// view/projector.d.ts
/**
 * Views that are kept up to date: a projector holds the states of the threads that were looked at last, and reads on from there.
 *
 * VIEW-3. Looking again reads the events that are new, and no others. With a cache that holds also for the first look of a process.
 * VIEW-4. Nothing is built before somebody asks, and what is kept is bounded.
 * VIEW-5. A state belongs to one incarnation of a thread: a name that is used again starts from nothing.
 */
import { type Incarnation, type Journal, type Seq } from '@loom-agent/kernel';
import type { Projection } from './projection.ts';
/** Where states are stored between processes. What it loses is folded again: it may be deleted at any time. */
export interface ViewCache {
    /** The text that was stored under a key; `undefined` when there is none. */
    read(key: string): Promise<string | undefined>;
    /** Stores a text under a key, in place of the one before. */
    write(key: string, text: string): Promise<void>;
}
/** How a projector works. */
export interface ProjectorOptions {
    /** Where states are stored; default: nowhere. */
    readonly cache?: ViewCache | undefined;
    /** How many states are held at once; default 64. The one that was used the longest ago goes first. */
    readonly keep?: number | undefined;
    /** After how many new events a state is stored again; default 500. */
    readonly storeEvery?: number | undefined;
    /** Notified of a failure of the cache. Views do not fail for it. */
    readonly onCacheError?: ((error: unknown) => void) | undefined;
}
/** A view, and the moment that it is of. */
export interface Viewed<View> {
    /** The thread that was looked at. */
    readonly thread: string;
    /** Which thread of that name it is. */
    readonly incarnation: Incarnation;
    /** The last event that the view holds. */
    readonly seq: Seq;
    /** What the events come to. */
    readonly view: View;
}
/** Gives views of the threads of a journal. */
export interface Projector {
    /** The view of a thread at its end, or after the event `at`. */
    view<State, View>(projection: Projection<State, View>, thread: string, options?: {
        readonly at?: Seq;
    }): Promise<Viewed<View>>;
    /** Stores every state that is newer than its stored one; for the end of a process. */
    save(): Promise<void>;
    /** What it has done since it was created. */
    counts(): ProjectorCounts;
}
/** What a projector holds, and what it has done. */
export interface ProjectorCounts {
    /** States that are held now. */
    readonly held: number;
    /** States that are held at most. */
    readonly keep: number;
    /** Events that were read and folded. */
    readonly folded: number;
    /** States that were found in the cache. */
    readonly restored: number;
    /** States that were stored there. */
    readonly stored: number;
}
type Reader = Pick<Journal, 'head' | 'read'>;
/**
 * Creates a projector over a journal. It looks and never writes to the journal.
 *
 * @example
 * const projector = createProjector(journal)
 * const { view, seq } = await projector.view(skeleton, 'user-123')
 */
export declare function createProjector(journal: Reader, options?: ProjectorOptions): Projector;
export {};
