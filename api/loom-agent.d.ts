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
 * console.log((await math.run('2+2?')).text)
 */
export declare const agent: AgentFactory;

// index.d.ts
/** Loom: AI agents whose runs are facts, not processes. */
export type { Agent, AgentOptions, AnyAgent, AskOptions, Behaviour, CallFacts, Checked, Content, ContextPlan, ContextRequest, ContextStrategy, Done, DurableContext, Edit, Failed, Fork, ForkOptions, ForkPlan, Found, Hook, HookContext, Input, InputPart, Judgement, Model, ModelObject, ModelResolver, ModelSettings, Policy, Ports, Question, Recovered, RecoverOptions, Resolver, Result, Rule, RunEvent, RunHandle, RunOptions, Schedule, Schema, Signal, SignedAnswer, Situation, Stopped, Tool, ToolContext, ToolDefinition, ToolLike, ToolSet, TurnSummary, UserMessage, UserMessages, Verdict, Waiting, } from '@loom-agent/agent';
export { answerWith, approve, compareMoments, content, edit, everything, explainPermission, frameOf, isSignal, jsonSchema, reject, respond, safeMode, searchThread, skip, suspend, testPolicy, tool, turnsOf, } from '@loom-agent/agent';
export type { Answer, EffectClass, EventOf, EventType, Failure, Frame, Journal, Json, Limits, LoomErrorCode, LoomEvent, Usage, } from '@loom-agent/kernel';
export { diffFrames, fold, frameAt, isLoomError, LoomError, memoryJournal, readEvents } from '@loom-agent/kernel';
export { sqlite } from '#sqlite';
export { agent } from './agent.ts';
