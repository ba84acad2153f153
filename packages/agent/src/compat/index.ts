/** The names of the original Python project, over Loom's own. Thin, tested, and mapped name by name in docs/compat.md. */
export { Agent, Agent as AgentExecutor, AgentBuilder } from './agent.ts'
export { defaults } from './defaults.ts'
export { type ErrorName, errorNameOf, errorNames } from './errors.ts'
export {
  type AgentEvent,
  type AgentEventOf,
  AgentEventType,
  isLlmContent,
  isTerminal,
  isToolEvent,
  type ToolCall,
  type ToolResult,
} from './events/agent-event.ts'
export { collectEvents, type EventCollection } from './events/collect.ts'
export { type EventFilter, filterEvents } from './events/filter.ts'
export { type NodeEvent, nodeEvents } from './events/node-events.ts'
export { agentEvents } from './events/projection.ts'
export { type AgentStreamResponse, streamResponses } from './events/stream-response.ts'
export { type AskUser, HITLHook, LoggingHook, MetricsHook } from './hooks.ts'
export { InterruptException, type LifecycleHook, lifecycleHook, SkipToolException } from './lifecycle-hook.ts'
export { type NodeCallbacks, type NodeState, nodeHook, nodeStateOf } from './node-hook.ts'
export type { CompatOptions } from './options.ts'
export { blacklistPolicy, PermissionManager, type PermissionMap, permissionMap, toolNames, whitelistPolicy } from './permissions.ts'
export { EventBus, SteeringControl, type SteeringEvent } from './steering.ts'
export { createTask, type Task, type TaskStatus } from './task.ts'
export { ExecutionPhase, executionPhaseOf, type TurnState, turnStateOf } from './turn-state.ts'
