/** Loom's agents: everything a program needs to define agents and tools and to run them durably. */
export { type AgentFactory, agent, createAgentFactory, type DefineAgent } from './agent.ts'
export type { Agent } from './agent-type.ts'
export { type Content, content } from './call/format.ts'
export { type ContextPlan, type ContextRequest, type ContextStrategy, everything } from './context/strategy.ts'
export type { AgentHost, AgentOptions, Observer, Resolver, RunOptions, Situation } from './definition/agent-options.ts'
export type { Edit } from './fork/edit.ts'
export type { Fork, ForkOptions } from './fork/fork.ts'
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
export type { Model, ModelObject, ModelResolver, ModelSettings } from './model/model.ts'
export { explainPermission, type ImaginedCall, type PolicyCase, safeMode, testPolicy } from './permission/explain.ts'
export type { CallFacts, Judgement, Policy, Rule, Verdict } from './permission/policy.ts'
export { completePorts, type Ports, systemClock } from './platform/ports.ts'
export { type BreakerEvent, type BreakerOptions, type CircuitBreaker, circuitBreaker } from './resilience/circuit-breaker.ts'
export { type FallbackEvent, type FallbackOptions, fallback } from './resilience/fallback.ts'
export { type RetryEvent, type RetryOptions, retry } from './resilience/retry.ts'
export type { Recovered, RecoverOptions } from './run/recover.ts'
export type { RunHandle } from './run/run-handle.ts'
export { type Checked, type DurableContext, type Schedule, type Tool, type ToolContext, type ToolDefinition, tool } from './tool/define.ts'
export type { ToolLike, ToolSet } from './tool/toolbox.ts'
export type { Divergence, ReplayMode, ReplayReport, Sent, TurnReplay } from './travel/replay.ts'
export type { Replayed, ReplayOptions } from './travel/replay-thread.ts'
export { compareMoments, type Found, frameOf, searchThread, type TurnSummary, turnsOf } from './travel/travel.ts'
export { type AskOptions, approve, edit, reject, respond, type SignedAnswer } from './types/answer.ts'
export type { AnyAgent } from './types/any-agent.ts'
export type { Behaviour } from './types/behaviour.ts'
export type { Input, InputPart, UserMessage, UserMessages } from './types/input.ts'
export { type Moment, nameMoment, parseMoment } from './types/moment.ts'
export type { Question } from './types/question.ts'
export type { Done, Failed, Result, Stopped, Waiting } from './types/result.ts'
export type { RunEvent } from './types/run-event.ts'
export { jsonSchema, type Schema } from './types/schema.ts'
export { isSignal, type Signal } from './types/signal.ts'
export { collectEvents, type SeedCollection } from './view/collect.ts'
export { filterEvents, type SeedFilter } from './view/filter.ts'
export { type EventKind, type KindListeners, kindOf, subscribe } from './view/kinds.ts'
export { type Consent, type NodeCallbacks, type NodePlace, type NodeState, nodeHook, nodeStateOf } from './view/node.ts'
export { type NodeEvent, nodeEvents } from './view/node-events.ts'
export {
  isLlmContent,
  isTerminal,
  isToolEvent,
  type SeedEvent,
  type SeedEventOf,
  type SeedEventType,
  type SeedPayloads,
  type SeedPhase,
  type SeedPlace,
  type SeedRecovery,
  type SeedToolCall,
  type SeedToolResult,
  type SeedTotals,
  seedEventTypes,
} from './view/seed-event.ts'
export { seedEvents } from './view/seed-events.ts'
export { createStatistics, type Figures, type Statistics, type StatisticsHook, statisticsOf } from './view/statistics.ts'
export { type StreamResponse, streamResponses, streamTypes } from './view/stream-response.ts'
