/** An agent made again from its own options, with replaced tools, steps, hooks and models: what tests that look inside an agent are made of. */
import {
  type AgentOptions,
  type AnyAgent,
  createAgentFactory,
  type DurableContext,
  type Hook,
  type HookPoint,
  hookPoints,
  type ToolLike,
  type ToolSet,
} from '@loom-agent/agent'
import { compileTools, definitionOf, type ErasedDefinition, readMoreName, redefineTool, toolDefinitionOf, withReadMore } from '@loom-agent/agent/kit'
import type { EffectClass } from '@loom-agent/kernel'

/** An agent of any dependencies and output. */
export type RebuiltAgent = ReturnType<ReturnType<typeof createAgentFactory>>

/** The body of a tool. */
export type ToolBody = ErasedDefinition['run']
/** The check of a reconcilable tool. */
export type ToolCheck = NonNullable<ErasedDefinition['check']>
/** The body of a step. */
export type StepBody = (given: { readonly key: string }) => unknown

/** A tool under the name that its agent has for it. */
export interface NamedTool extends Pick<ErasedDefinition, 'durable' | 'schedule'> {
  readonly name: string
  readonly effect: EffectClass
}

/** A step of a durable body. */
export interface StepPlace {
  readonly thread: string
  readonly call: string
  /** The key of the step within its call. */
  readonly key: string
  readonly tool: string
  readonly effect: EffectClass
}

/** What takes the place of an agent's own parts. */
export interface Replacements {
  /** Options instead of the agent's own. */
  options(agent: AnyAgent): object
  hook(hook: Hook<never>): Hook<never>
  /** Instead of the body of a tool; the steps of a durable one are replaced already. */
  body(tool: NamedTool, run: ToolBody): ToolBody
  step(place: StepPlace, run: StepBody): StepBody
  /** What a step waits for before it is taken. */
  beforeStep?(place: StepPlace): Promise<void> | undefined
  /** When a wait for a signal ends at the latest, instead of the moment that the body names. */
  deadline?(place: Omit<StepPlace, 'tool' | 'effect'>): number | undefined
  check(tool: NamedTool, check: ToolCheck): ToolCheck
}

/** Makes agents and tools again; an agent that tools run, too. */
export interface AgentRebuilder {
  agent(agent: AnyAgent): RebuiltAgent
  /** The tools that an agent, or one of its runs, is given. */
  tools(set: ToolSet<never>, agent: AnyAgent): ToolSet<never>
}

/** A rebuilder that makes each agent once. */
export function createRebuilder(replacements: Replacements): AgentRebuilder {
  const known = new Map<AnyAgent, RebuiltAgent>()
  const rebuilder: AgentRebuilder = {
    agent(agent) {
      const made = known.get(agent) ?? createAgentFactory(definitionOf(agent).host)(optionsOf(agent))
      known.set(agent, made)
      return made
    },
    tools(given, agent) {
      const set = withOwn(given, agent)
      if (Array.isArray(set)) return (set as readonly ToolLike<never>[]).map((one) => toolOf(one.name, one))
      return Object.fromEntries(Object.entries(set).map(([name, one]) => [name, toolOf(name, one as ToolLike<never>)]))
    },
  }
  const optionsOf = (agent: AnyAgent): AgentOptions => {
    const { options } = definitionOf(agent)
    const { tools, hooks } = options
    const replaced = {
      ...options,
      ...(tools !== undefined && {
        tools: typeof tools === 'function' ? async (at: never) => rebuilder.tools(await tools(at), agent) : rebuilder.tools(tools, agent),
      }),
      ...(hooks && { hooks: hooks.map(replacements.hook) }),
      ...replacements.options(agent),
    }
    return replaced as object as AgentOptions
  }
  const toolOf = (name: string, given: ToolLike<never>): ToolLike<never> => {
    if (typeof given === 'function') {
      const body = replacements.body({ name, effect: 'unsafe' }, (input, context) => Reflect.apply(given, undefined, [input, context]) as unknown)
      return Object.defineProperty((input: never, context: DurableContext) => body(input, context), 'name', { value: name }) as typeof given
    }
    if (given.kind === 'agent') return rebuilder.agent(given) as ToolLike<never>
    const definition = toolDefinitionOf(given)
    const { run, check } = definition
    const named: NamedTool = { ...definition, name, effect: typeof definition.effect === 'string' ? definition.effect : 'unsafe' }
    const body: ToolBody = definition.durable ? (input, context) => run(input, stepsReplaced(rebuilder, replacements, { tool: named, context })) : run
    return redefineTool(given, { ...definition, run: replacements.body(named, body), ...(check && { check: replacements.check(named, check) }) })
  }
  return rebuilder
}

/** The tools, with Loom's own one where the agent has it: it is replaced like any other. */
function withOwn(set: ToolSet<never>, agent: AnyAgent): ToolSet<never> {
  const { readMore } = definitionOf(agent)
  if (!readMore) return set
  const { tools, readsMore } = withReadMore(compileTools(set), readMore)
  const definition = readsMore ? tools.get(readMoreName)?.definition : undefined
  if (!definition) return set
  const own = redefineTool({ kind: 'tool', name: readMoreName }, definition)
  return Array.isArray(set)
    ? [...(set as readonly ToolLike<never>[]), own]
    : { ...(set as Readonly<Record<string, ToolLike<never>>>), [readMoreName]: own }
}

interface Entry {
  readonly tool: NamedTool
  readonly context: DurableContext
}

/** The context of a durable body whose steps and agents are replaced. */
function stepsReplaced(rebuilder: AgentRebuilder, replacements: Replacements, { tool, context }: Entry): DurableContext {
  const { thread, call } = context
  const counts = new Map<string, number>()
  const keyOf = (counter: string): string => {
    const occurrence = (counts.get(counter) ?? 0) + 1
    counts.set(counter, occurrence)
    return `${counter}:${occurrence}`
  }
  return {
    ...context,
    step(name, run, options) {
      const place = { thread, call, key: keyOf(`step:${name}`), tool: tool.name, effect: options?.effect ?? tool.effect }
      const takeStep = () => context.step(name, replacements.step(place, run as StepBody) as typeof run, options)
      const before = replacements.beforeStep?.(place)
      return before ? before.then(takeStep) : takeStep()
    },
    waitFor(name, options) {
      const until = replacements.deadline?.({ thread, call, key: keyOf(`wait:${name}`) })
      return context.waitFor(name, options?.until === undefined || until === undefined ? options : { ...options, until })
    },
    run: (agent, input, options) => context.run(rebuilder.agent(agent) as AnyAgent as typeof agent, input, options),
  }
}

type Method = (...given: unknown[]) => unknown

/** A hook with each of its points replaced, and without its observer. */
export function replacePoints(hook: Hook<never>, replace: (point: HookPoint, method: Method) => Method): Hook<never> {
  const points = hookPoints.flatMap((point) => {
    const method = hook[point] as Method | undefined
    return method ? [[point, replace(point, method.bind(hook))] as const] : []
  })
  return { ...(hook.name !== undefined && { name: hook.name }), ...(Object.fromEntries(points) as Hook<never>) }
}
