/** The definition of an agent: its options, checked and compiled once. */
import { canonicalJson, type Journal, type Json, type Limits, LoomError } from '@loom-agent/kernel'
import { standard } from '../context/standard.ts'
import { type ContextStrategy, everything } from '../context/strategy.ts'
import type { Guard } from '../guard/guard.ts'
import { guardHookOnUse } from '../guard/guard-hook-on-use.ts'
import { type Hook, type HookTable, hookTable } from '../hook/hook.ts'
import { hookPoints } from '../hook/points.ts'
import { checkModel, modelId } from '../model/model.ts'
import { outputSchemaOf } from '../model/request.ts'
import { checkRules, type RuledTool } from '../permission/check-rules.ts'
import { type CompiledPolicy, compilePolicy } from '../permission/compile-policy.ts'
import { checkJournal } from '../platform/check-journal.ts'
import { memoryJournal } from '../platform/memory-journal.ts'
import { shown } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { completePorts, type Ports } from '../platform/ports.ts'
import { compileTools, type ReadMoreListing, type Toolbox } from '../tool/toolbox.ts'
import { type CompleteBehaviour, completeBehaviour } from '../types/behaviour.ts'
import { completeLimits } from '../types/limits.ts'
import type { Schema } from '../types/schema.ts'
import type { AgentHost, AgentOptions, Observer } from './agent-options.ts'
import { createLocks, type Locks } from './locks.ts'
import { agentShape } from './option-shapes.ts'

/** Options without their type parameters. */
export type ErasedOptions = AgentOptions<never, Schema | undefined>

/** An agent, ready to run. */
export interface Definition {
  /** The options as they were given. */
  readonly options: ErasedOptions
  /** What resolves the agent's models. */
  readonly host: AgentHost
  /** The name of the agent; default `agent`. */
  readonly name: string
  /** What the agent is for; default empty. */
  readonly description: string
  /** Where the facts are kept; default: in memory. */
  readonly journal: Journal
  /** The platform, with what the options replace. */
  readonly ports: Ports
  /** Undefined when the tools are a function of the situation. */
  readonly toolbox: Toolbox | undefined
  /** Whether the model has the tool that reads results again, which is no part of the toolbox. */
  readonly readMore: ReadMoreListing
  /** The compiled permissions; undefined when there are none. */
  readonly policy: CompiledPolicy | undefined
  /** The guards, in order. */
  readonly guards: readonly Guard[]
  /** The hooks, by point. */
  readonly hooks: HookTable
  /** The agent's observers, and those that hooks bring along. */
  readonly observers: readonly Observer[]
  /** The context strategy; default: compression where the window of the model is known, and otherwise everything. */
  readonly context: ContextStrategy
  /** The limits of a run, with defaults. */
  readonly limits: Limits
  /** The behaviour, with defaults. */
  readonly behaviour: CompleteBehaviour
  /** The locks of its calls, shared by all agents that were made from one. */
  readonly locks: Locks
  /** Distinguishes this agent from a later version of itself. */
  fingerprint(): string
}

/** Checks options and makes them an agent's definition. */
export function define(options: ErasedOptions, host: AgentHost, locks: Locks = createLocks()): Definition {
  const name = options.name ?? 'agent'
  const what = typeof options.name === 'string' ? `agent ${name}` : 'agent()'
  check(what, options)
  const toolbox = typeof options.tools === 'function' ? undefined : compileTools(options.tools)
  checkDone(what, options, toolbox)
  const policy = options.permissions === undefined ? undefined : compilePolicy(options.permissions)
  if (policy) checkRules(policy, ruledTools(toolbox))
  const ports = completePorts({ ...(host.price && { price: host.price }), ...options.ports })
  let fingerprint: string | undefined
  return {
    options,
    host,
    name,
    description: options.description ?? '',
    journal: options.journal ?? memoryJournal(),
    ports,
    toolbox,
    // Where something may leave results out. It follows from the options alone: the list of tools must not change within a thread.
    readMore: options.behaviour?.readMore ?? ((options.context ?? everything) !== everything && 'beside tools'),
    policy,
    observers: [...(options.observers ?? []), ...(options.hooks ?? []).flatMap((hook) => hook.observe?.bind(hook) ?? [])],
    guards: options.guards ?? [],
    hooks: hookTable(hooksOf(options, ports), hookPoints),
    context: options.context ?? standard,
    limits: completeLimits(options.limits),
    behaviour: completeBehaviour(options.behaviour),
    locks,
    fingerprint: () => {
      fingerprint ??= ports.hash(canonicalJson(identity(options, toolbox))).slice(0, 16)
      return fingerprint
    },
  }
}

/** The tools as rules look at them; none where they are not known yet. */
export function ruledTools(toolbox: Toolbox | undefined): readonly RuledTool[] {
  return [...(toolbox?.tools.values() ?? [])].map(({ name, ruleName, spec, definition }) => ({
    name,
    ruleName,
    matcher: definition.matcher,
    schema: spec.schema,
  }))
}

/** The hooks of an agent, and behind them the one of its guards. */
function hooksOf({ hooks = [], guards = [] }: ErasedOptions, { clock }: Ports): readonly Hook<never>[] {
  return guards.length > 0 ? [...hooks, guardHookOnUse(guards, clock)] : hooks
}

/** Refuses invalid options; `what` names the agent. */
function check(what: string, options: ErasedOptions): void {
  checkOptions(what, options, agentShape)
  if (options.model !== undefined) checkModel(options.model)
  if (options.journal !== undefined) checkJournal(what, options.journal)
}

/** A run that can end only through a tool that is not there would never end. */
function checkDone(what: string, { behaviour, tools }: ErasedOptions, toolbox: Toolbox | undefined): void {
  const done = behaviour?.requireDone
  if (done === undefined || !toolbox || toolbox.tools.has(done)) return
  const known = [...toolbox.tools.keys()]
  const advice = tools === undefined ? 'It has no tools: give it that one.' : `Its tools are: ${known.join(', ')}.`
  const message = `${what}: behaviour.requireDone is ${shown(done)}, which is no tool of the agent. ${advice}`
  throw new LoomError('LOOM_OPTION_INVALID', message, { context: { what, key: 'behaviour.requireDone', known } })
}

/** What a change of code changes: instructions, tools with their effects and schemas, output, strategy, model. */
function identity(options: ErasedOptions, toolbox: Toolbox | undefined): Json {
  const { name = null, instructions, layers, model, output, context = everything } = options
  const tools = [...(toolbox?.tools.values() ?? [])].map(({ spec, effect, definition }) => ({
    name: spec.name,
    schema: spec.schema,
    effect,
    durable: definition.durable === true,
  }))
  return {
    name,
    instructions: typeof instructions === 'string' ? instructions : null,
    model: model === undefined ? null : modelId(model),
    tools,
    context: context.name,
    ...(layers && { layers: Object.entries(layers).map(([layer, text]) => [layer, typeof text === 'function' ? null : text]) }),
    ...(output !== undefined && { output: outputSchemaOf(output).schema }),
  }
}
