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
export { answerWith, type Hook, type HookContext, skip, suspend } from './hook/hook.ts'
export { type AskOptions, approve, edit, reject, respond, type SignedAnswer } from './human/answer.ts'
export type { Question } from './human/question.ts'
export type { Input, InputPart, UserMessage, UserMessages } from './input.ts'
export type { Model, ModelObject, ModelResolver, ModelSettings } from './model/model.ts'
export { explainPermission, type ImaginedCall, type PolicyCase, safeMode, testPolicy } from './permission/explain.ts'
export type { CallFacts, Judgement, Policy, Rule, Verdict } from './permission/policy.ts'
export { completePorts, type Ports, systemClock } from './platform/ports.ts'
export type { Done, Failed, Result, Stopped, Waiting } from './run/result.ts'
export { isSignal, type Signal } from './run/signal.ts'
export { type Checked, type DurableContext, type Schedule, type Tool, type ToolContext, type ToolDefinition, tool } from './tool/define.ts'
export { type Content, content } from './tool/format.ts'
export { jsonSchema, type Schema } from './tool/schema.ts'
