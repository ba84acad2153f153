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
export type { AdmittedCall, AdoptionOptions, Agent, AgentOptions, AnalyticsOptions, AnyAgent, AskOptions, AssemblyRecord, Behaviour, BreakerEvent, BreakerOptions, BrokenCache, CacheLoss, CacheReport, CacheReportOptions, CachingOptions, CallFacts, Checked, ChildResult, CircuitBreaker, CompressOptions, Content, ContextChange, ContextHint, ContextInjectionOptions, ContextModel, ContextPart, ContextPlan, ContextRequest, ContextStrategy, ContextTokens, ControlOptions, CostBudgetOptions, CountTokensOptions, CutResult, DescribeModel, Divergence, Done, DriveForkOptions, DurableContext, Edit, EntryDecision, EntryName, EventKind, ExplainAt, ExplainWhat, Explanation, Failed, FallbackEvent, FallbackOptions, Fate, Figures, Finish, FollowOptions, Fork, ForkOptions, ForkPlan, Found, FoundPart, Hook, HookContext, HumanApprovalOptions, ImaginedCall, Input, InputPart, Judge, JudgedOutcomes, Judgement, KindListeners, LeastVerdict, LiveReplay, LogEntry, LoggingOptions, Metrics, MetricsHook, Model, ModelDescription, ModelObject, ModelResolver, ModelSettings, ModelWarning, Moment, Observer, ObservingHook, OutcomeVerdict, PartKind, PermissionContext, PlannedCall, Policy, PolicyCase, Ports, Presence, PresenceKind, PresenceRange, PresenceRow, Question, QuestionQuery, RateLimitOptions, RebaseCost, Received, Recovered, RecoverOptions, Reminder, ReminderFacts, ReminderOptions, RenderExplanationOptions, RenderReplayOptions, ReplayAllOptions, Replayed, ReplayedThread, ReplayMode, ReplayOptions, ReplayOutcome, ReplayProgress, ReplayReport, ReplayTotals, ReplyBounds, ReportLimits, RequestAt, RequestAtOptions, Resolver, Result, RetryEvent, RetryOptions, RoomTaken, Rule, RunCache, RunEvent, RunHandle, RunOptions, RunOutcome, RunRecord, Schedule, Schema, SearchQuery, Sent, Signal, SignalWait, SignedAnswer, Situation, Source, Statistics, StatisticsHook, SteerOptions, Step, StepCall, Stopped, ThreadSelection, Tool, ToolContext, ToolDefinition, ToolDifference, ToolLike, ToolNames, ToolSet, TurnReplay, TurnSummary, UserMessage, UserMessages, Verdict, Waiting, WaitOptions, WatchOptions, } from '@loom-agent/agent';
export { adopt, aggressive, analytics, answer, answerWith, approve, assembliesOf, cacheReport, caching, circuitBreaker, compact, compareMoments, compareOutcomes, compress, content, contextInjection, costBudget, countTokens, createStatistics, defineStrategy, diffFrames, done, edit, everything, explain, explainPermission, exportAssemblies, fallback, followFeed, frameAt, frameOf, humanApproval, isSignal, jsonSchema, keepMore, kindOf, loadTokenizer, loggingHook, memoryJournal, metricsHook, nameMoment, parseMoment, pause, pipeline, presenceOf, questions, rateLimit, readEvents, reject, reminders, renderExplanation, renderPresence, renderReplay, requestAt, respond, retry, safeMode, searchThread, searchThreads, setLabels, signal, skip, statisticsOf, steer, stop, subscribe, suspend, testPolicy, threads, tool, turnsOf, watch, window, } from '@loom-agent/agent';
export type { Answer, EffectClass, EventOf, EventType, Failure, FeedEntry, FeedPage, FeedQuery, Frame, Head, Journal, Json, Limits, LoomErrorCode, LoomEvent, ThreadQuery, Usage, } from '@loom-agent/kernel';
export { fold, isLoomError, LoomError } from '@loom-agent/kernel';
export { sqlite } from '#sqlite';
export { agent } from './agent.ts';
