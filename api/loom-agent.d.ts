// index.d.ts
/** Loom: AI agents whose runs are facts, not processes. */
export type { Agent, AgentOptions, AnyAgent, AskOptions, Behaviour, CallFacts, Checked, Content, ContextPlan, ContextRequest, ContextStrategy, Done, DurableContext, Failed, Hook, HookContext, Input, InputPart, Judgement, Model, ModelObject, ModelResolver, ModelSettings, Policy, Ports, Question, Resolver, Result, Rule, RunEvent, RunHandle, RunOptions, Schedule, Schema, Signal, SignedAnswer, Situation, Stopped, Tool, ToolContext, ToolDefinition, ToolLike, ToolSet, UserMessage, UserMessages, Verdict, Waiting, } from '@loom-agent/agent';
export { agent, answerWith, approve, content, edit, everything, explainPermission, isSignal, jsonSchema, reject, respond, safeMode, skip, suspend, testPolicy, tool, } from '@loom-agent/agent';
export type { Answer, EffectClass, EventOf, EventType, Failure, Frame, Journal, Json, Limits, LoomErrorCode, LoomEvent, Usage, } from '@loom-agent/kernel';
export { diffFrames, fold, frameAt, isLoomError, LoomError, memoryJournal, readEvents } from '@loom-agent/kernel';
