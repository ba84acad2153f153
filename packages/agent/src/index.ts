/** Loom's agents: everything a program needs to define agents and tools and to run them durably. */
export { type AgentFactory, agent, createAgentFactory, type DefineAgent } from './agent.ts'
export type { Agent } from './agent-type.ts'
export { explainPermission, type PolicyCase, testPolicy } from './call/explain-permission.ts'
export type { ImaginedCall } from './call/imagined-call.ts'
export { aggressive, compress } from './context/compress.ts'
export type { CompressOptions } from './context/compress-options.ts'
export type { CountTokensOptions } from './context/count-input.ts'
export { countTokens } from './context/count-tokens.ts'
export { defineStrategy, type EntryDecision, type StrategyDefinition } from './context/define-strategy.ts'
export type { SystemLayer } from './context/describe-layers.ts'
export type { ContextModel, DescribeModel, ModelDescription } from './context/model-facts.ts'
export { pipeline } from './context/pipeline.ts'
export { type ReminderOptions, reminders } from './context/reminders.ts'
export { type Section, sectionNames } from './context/sections.ts'
export {
  type ContextPlan,
  type ContextRequest,
  type ContextStrategy,
  everything,
} from './context/strategy.ts'
export type { Reminder, ReminderFacts } from './context/texts.ts'
export { type Todo, type TodoList, type TodoStatus, todosOf } from './context/todos.ts'
export type { ContextTokens } from './context/tokens.ts'
export { type WindowOptions, window } from './context/window-strategy.ts'
export type { Shares, Zone } from './context/zones.ts'
export type { AgentHost, AgentOptions, LayerOption, Observer, Resolver, RunOptions, Situation } from './definition/agent-options.ts'
export { assembliesOf, exportAssemblies } from './explain/assemblies.ts'
export { explain } from './explain/explain.ts'
export type { ExplainAt } from './explain/explain-with.ts'
export type {
  ContextChange,
  ContextHint,
  ContextPart,
  CutResult,
  EntryName,
  ExplainWhat,
  Explanation,
  Fate,
  FoundPart,
  PartKind,
  RoomTaken,
} from './explain/explanation.ts'
export { keepMore } from './explain/keep-more.ts'
export { presenceOf } from './explain/presence.ts'
export type { PresenceKind, PresenceRange } from './explain/presence-matrix.ts'
export type { AssemblyRecord } from './explain/read-assemblies.ts'
export type { Presence, PresenceRow } from './explain/read-presence.ts'
export { type RenderExplanationOptions, renderExplanation, renderPresence } from './explain/render-explanation.ts'
export type { Edit, Fork, ForkOptions, ForkPlan, PlannedCall, RewindOptions, RewindPlan, Rewound } from './fork/fork-types.ts'
export type { Guard, GuardedPlace, GuardNote, GuardStream, GuardVerdict, LookAt } from './guard/guard.ts'
export { type AnalyticsOptions, analytics, type RunRecord } from './hook/built-in/analytics.ts'
export { type CachingOptions, caching } from './hook/built-in/caching.ts'
export { type ContextInjectionOptions, contextInjection } from './hook/built-in/context-injection.ts'
export { type CostBudgetOptions, costBudget } from './hook/built-in/cost-budget.ts'
export { type HumanApprovalOptions, humanApproval } from './hook/built-in/human-approval.ts'
export { type LogEntry, type LoggingOptions, loggingHook } from './hook/built-in/logging-hook.ts'
export { type Metrics, type MetricsHook, metricsHook } from './hook/built-in/metrics-hook.ts'
export type { ObservingHook } from './hook/built-in/observing-hook.ts'
export { type RateLimitOptions, rateLimit } from './hook/built-in/rate-limit.ts'
export { answerWith, type Hook, type HookContext, skip, suspend } from './hook/hook.ts'
export { type HookPoint, hookPoints } from './hook/points.ts'
export type { Found, SearchQuery } from './look/find-words.ts'
export { type FollowOptions, followFeed } from './look/follow-feed.ts'
export { questions } from './look/questions.ts'
export { readEvents } from './look/read-events.ts'
export type { QuestionQuery } from './look/read-questions.ts'
export type { RequestAt, RequestAtOptions } from './look/render-request.ts'
export { requestAt } from './look/request-at.ts'
export { searchThread, searchThreads } from './look/search-threads.ts'
export { threads } from './look/threads.ts'
export { watch } from './look/watch.ts'
export type { WatchOptions } from './look/watch-options.ts'
export type { Model, ModelObject, ModelResolver, ModelSettings } from './model/model.ts'
export { loadTokenizer } from './model/tokenizer.ts'
export type { CallMatcher, CallPart, PartPattern } from './permission/matcher.ts'
export type {
  AdmittedCall,
  CallFacts,
  Judgement,
  Layer,
  LayerRules,
  LeastVerdict,
  Mode,
  Policy,
  PolicyOptions,
  Rule,
  RuleList,
  RunLayer,
  Verdict,
  VerdictMap,
} from './permission/policy.ts'
export { safeMode } from './permission/safe-mode.ts'
export { memoryJournal } from './platform/memory-journal.ts'
export { completePorts, type Hash, type Ids, type Ports, type Random, systemClock } from './platform/ports.ts'
export { type BreakerEvent, type BreakerOptions, type CircuitBreaker, circuitBreaker } from './resilience/circuit-breaker.ts'
export { type FallbackEvent, type FallbackOptions, fallback } from './resilience/fallback.ts'
export { type RetryEvent, type RetryOptions, retry } from './resilience/retry.ts'
export { type AdoptionOptions, adopt } from './run/adopt.ts'
export { answer } from './run/answer.ts'
export type { BreakpointOptions, BreakRequest } from './run/break-requests.ts'
export { setBreakpoints, step } from './run/breakpoints.ts'
export { compact, pause, steer, stop } from './run/control.ts'
export type { ControlOptions, SteerOptions } from './run/control-drafts.ts'
export { done } from './run/done.ts'
export type { Recovered, RecoverOptions } from './run/recover-types.ts'
export type { RunHandle } from './run/run-handle.ts'
export { setLabels } from './run/set-labels.ts'
export { signal } from './run/signal.ts'
export type { Cursor } from './stream/cursor.ts'
export {
  type Checked,
  type DurableContext,
  type PermissionContext,
  type Schedule,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  tool,
} from './tool/define.ts'
export { type Skill, type SkillsOptions, skills } from './tool/skills.ts'
export type { ToolTaint } from './tool/taint.ts'
export { type TodoOptions, todo } from './tool/todo.ts'
export type { ToolLike, ToolSet } from './tool/tool-set.ts'
export { type Difference, diffFrames } from './travel/diff-frames.ts'
export type { DriveForkOptions, LiveReplay } from './travel/drive-fork.ts'
export { judgeStrategy, type StrategyRules, type StrategyVerdict, type StrategyViolation } from './travel/judge-strategy.ts'
export type { Preview, PreviewOptions } from './travel/preview.ts'
export type { TurnSummary } from './travel/read-moments.ts'
export { type RenderReplayOptions, renderReplay } from './travel/render-replay.ts'
export { renderReplays } from './travel/render-replays.ts'
export type { ReplayAllOptions, ReplayedThread, ReplayProgress, ThreadSelection } from './travel/replay-all.ts'
export {
  compareOutcomes,
  type Judge,
  type JudgedOutcomes,
  type OutcomeVerdict,
  type ReplayOutcome,
  type RunOutcome,
} from './travel/replay-outcome.ts'
export { summarizeReplays } from './travel/replay-summary.ts'
export type {
  Divergence,
  EntryChange,
  EntryChanges,
  EssentialLost,
  Replayed,
  ReplayMode,
  ReplayOptions,
  ReplayReport,
  ReplayTotals,
  ReportLimits,
  Saved,
  Sent,
  ToolDifference,
  ToolNames,
  TurnReplay,
} from './travel/replay-types.ts'
export type { AnyReplayed, ReplaySummary, ThreadReplay } from './travel/sum-replays.ts'
export { compareMoments, frameAt, frameOf, turnsOf } from './travel/travel.ts'
export { type AskOptions, approve, edit, reject, respond, type SignedAnswer } from './types/answer.ts'
export type { AnyAgent } from './types/any-agent.ts'
export type { Behaviour } from './types/behaviour.ts'
export { type Content, content } from './types/content.ts'
export type { Input, InputPart, UserMessage, UserMessages } from './types/input.ts'
export type { InputTaint } from './types/input-taint.ts'
export { type Moment, nameMoment, parseMoment } from './types/moment.ts'
export type { Question } from './types/question.ts'
export type { ReplyBounds } from './types/reply-bounds.ts'
export type { ChildResult, Done, Failed, Finish, ModelWarning, Result, SignalWait, Source, Step, StepCall, Stopped, Waiting } from './types/result.ts'
export type { RunEvent } from './types/run-event.ts'
export { jsonSchema, type Schema } from './types/schema.ts'
export { isSignal, type Signal } from './types/signal.ts'
export type { TaintLabel } from './types/taint-label.ts'
export type { Received, WaitOptions } from './types/wait.ts'
export type { FileToPut, FoundFile, Workspace } from './types/workspace.ts'
export {
  type BrokenCache,
  type CacheLoss,
  type CacheReport,
  type CacheReportOptions,
  cacheReport,
  type RebaseCost,
  type RunCache,
} from './view/cache-report.ts'
export { type EventKind, type KindListeners, kindOf, subscribe } from './view/kinds.ts'
export { createStatistics, type Figures, type Statistics, type StatisticsHook, statisticsOf } from './view/statistics.ts'
