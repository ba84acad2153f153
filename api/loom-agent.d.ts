// agent.d.ts
/** agent() of the umbrella: models may be ids, and without one the environment names it. */
import { type AgentFactory } from '@loom-agent/agent';
/**
 * Makes an agent. Its model is an AI SDK object, or an id such as `anthropic/claude-sonnet-5-5`; without one, `LOOM_PROVIDER` and `LOOM_MODEL` or the one
 * key that is set decide. A run for which nothing names a model fails with `LOOM_MODEL_MISSING`, which lists what was found. `offline` names a model that
 * needs nothing: fixed rules, no language model.
 *
 * @example
 * const math = agent({ name: 'math', instructions: 'Be exact.', model: 'openai/gpt-5.4', tools: { add } })
 * console.log(done(await math.run('2+2?')).text)
 */
export declare const agent: AgentFactory;

// index.d.ts
/** Loom: AI agents whose runs are facts, not processes. */
export type { AdmittedCall, AdoptionOptions, Agent, AgentOptions, AnalyticsOptions, AnyAgent, AnyReplayed, AskOptions, AssemblyRecord, BrokenCache, CacheLoss, CacheReport, CacheReportOptions, CachingOptions, CallFacts, CallMatcher, CallPart, Checked, ChildResult, CircuitBreaker, CompressOptions, Content, ContextInjectionOptions, ContextModel, ContextPlan, ContextRequest, ContextStrategy, ContextTokens, ControlOptions, CostBudgetOptions, CountTokensOptions, Cursor, DescribeModel, Difference, Divergence, Done, DriveForkOptions, DurableContext, Edit, EntryChange, EntryChanges, EssentialLost, EventKind, Failed, FallbackEvent, FallbackOptions, Figures, FileToPut, Finish, FollowOptions, Fork, ForkOptions, ForkPlan, Found, FoundFile, Hook, HookContext, HookPoint, HumanApprovalOptions, ImaginedCall, Input, InputPart, Judge, JudgedOutcomes, Judgement, KindListeners, Layer, LayerOption, LayerRules, LeastVerdict, LiveReplay, LogEntry, LoggingOptions, Metrics, MetricsHook, Mode, Model, ModelDescription, ModelObject, ModelResolver, ModelSettings, ModelWarning, Moment, Observer, ObservingHook, OutcomeVerdict, PartPattern, PermissionContext, PlannedCall, Policy, PolicyCase, PolicyOptions, Ports, Preview, PreviewOptions, Question, QuestionQuery, RateLimitOptions, RebaseCost, Received, RecoverOptions, Recovered, Reminder, ReminderFacts, ReminderOptions, RenderExplanationOptions, RenderReplayOptions, ReplayAllOptions, ReplayMode, ReplayOptions, ReplayOutcome, ReplayProgress, ReplayReport, ReplaySummary, ReplayTotals, Replayed, ReplayedThread, ReplyBounds, ReportLimits, RequestAt, RequestAtOptions, Resolver, Result, RetryEvent, RetryOptions, RewindOptions, RewindPlan, Rewound, RoomTaken, Rule, RuleList, RunCache, RunEvent, RunHandle, RunLayer, RunOptions, RunOutcome, RunRecord, Saved, Schedule, Schema, SearchQuery, Section, Sent, Shares, Signal, SignalWait, SignedAnswer, Situation, Skill, SkillsOptions, Source, Statistics, StatisticsHook, SteerOptions, Step, StepCall, Stopped, StrategyDefinition, StrategyRules, StrategyVerdict, StrategyViolation, SystemLayer, ThreadReplay, ThreadSelection, Todo, TodoList, TodoOptions, TodoStatus, Tool, ToolContext, ToolDefinition, ToolDifference, ToolLike, ToolNames, ToolSet, TurnReplay, TurnSummary, UserMessage, UserMessages, Verdict, VerdictMap, WaitOptions, Waiting, WatchOptions, WindowOptions, Workspace, Zone, } from '@loom-agent/agent';
export type { Behaviour, BreakerEvent, BreakerOptions, BreakpointOptions, BreakRequest } from '@loom-agent/agent';
export type { ContextChange, ContextHint, ContextPart, CutResult, EntryDecision, EntryName, ExplainAt, ExplainWhat } from '@loom-agent/agent';
export type { Explanation, Fate, FoundPart, PartKind, Presence, PresenceKind, PresenceRange, PresenceRow } from '@loom-agent/agent';
export type { Guard, GuardedPlace, GuardNote, GuardStream, GuardVerdict, InputTaint, LookAt, TaintLabel, ToolTaint } from '@loom-agent/agent';
export { adopt, aggressive, analytics, answer, answerWith, approve, assembliesOf, cacheReport, caching, circuitBreaker, compact, compareMoments, compareOutcomes, compress, content, contextInjection, costBudget, countTokens, createStatistics, defineStrategy, diffFrames, done, edit, everything, explain, explainPermission, exportAssemblies, fallback, followFeed, frameAt, frameOf, humanApproval, isSignal, jsonSchema, judgeStrategy, keepMore, kindOf, loadTokenizer, loggingHook, memoryJournal, metricsHook, nameMoment, parseMoment, pause, pipeline, presenceOf, questions, rateLimit, readEvents, reject, reminders, renderExplanation, renderPresence, renderReplay, renderReplays, requestAt, respond, retry, safeMode, searchThread, searchThreads, setBreakpoints, setLabels, signal, skills, skip, statisticsOf, step, steer, stop, subscribe, summarizeReplays, suspend, testPolicy, threads, todo, todosOf, tool, turnsOf, watch, window, } from '@loom-agent/agent';
export type { Answer, EffectClass, EventOf, EventType, Failure, FeedEntry, FeedPage, FeedQuery, Frame, Head, Journal, Json, Limits, LoomErrorCode, LoomEvent, ThreadQuery, Usage, } from '@loom-agent/kernel';
export { at, fold, isLoomError, items, LoomError } from '@loom-agent/kernel';
export { sqlite } from '#sqlite';
export { agent } from './agent.ts';
