/** Loom's agents: everything a program needs to define agents and tools and to run them durably. */
export { type AgentFactory, agent, createAgentFactory, type DefineAgent } from './agent.ts'
export type {
  Agent,
  AgentHost,
  AgentOptions,
  AnyAgent,
  Behaviour,
  Resolver,
  RunEvent,
  RunHandle,
  RunOptions,
  Situation,
  ToolLike,
  ToolSet,
} from './agent-type.ts'
export { type ContextPlan, type ContextRequest, type ContextStrategy, everything } from './context/strategy.ts'
export type { Edit } from './fork/edit.ts'
export type { Fork, ForkOptions } from './fork/fork.ts'
export { forkable } from './fork/forkable.ts'
export type { ForkPlan, PlannedCall } from './fork/plan.ts'
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
export { type AskOptions, approve, edit, reject, respond, type SignedAnswer } from './human/answer.ts'
export type { Question } from './human/question.ts'
export type { Input, InputPart, UserMessage, UserMessages } from './input.ts'
export type { Model, ModelObject, ModelResolver, ModelSettings } from './model/model.ts'
export { explainPermission, type ImaginedCall, type PolicyCase, safeMode, testPolicy } from './permission/explain.ts'
export type { CallFacts, Judgement, Policy, Rule, Verdict } from './permission/policy.ts'
export { completePorts, type Ports, systemClock } from './platform/ports.ts'
export { type BreakerEvent, type BreakerOptions, type CircuitBreaker, circuitBreaker } from './resilience/circuit-breaker.ts'
export { type FallbackEvent, type FallbackOptions, fallback } from './resilience/fallback.ts'
export { type RetryEvent, type RetryOptions, retry } from './resilience/retry.ts'
export type { Recovered, RecoverOptions } from './run/recover.ts'
export type { Done, Failed, Result, Stopped, Waiting } from './run/result.ts'
export { isSignal, type Signal } from './run/signal.ts'
export { type Checked, type DurableContext, type Schedule, type Tool, type ToolContext, type ToolDefinition, tool } from './tool/define.ts'
export { type Content, content } from './tool/format.ts'
export { jsonSchema, type Schema } from './tool/schema.ts'
export { type Moment, nameMoment, parseMoment } from './travel/moment.ts'
export type { Divergence, ReplayMode, ReplayReport, Sent, TurnReplay } from './travel/replay.ts'
export type { Replayed, ReplayOptions } from './travel/replay-thread.ts'
export { compareMoments, type Found, frameOf, searchThread, type TurnSummary, turnsOf } from './travel/travel.ts'
export { type EventKind, type KindListeners, kindOf, subscribe } from './view/kinds.ts'
export { createStatistics, type Figures, type Statistics, type StatisticsHook, statisticsOf } from './view/statistics.ts'
