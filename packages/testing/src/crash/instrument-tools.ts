/** Tools and hooks whose every run is an operation of a process, and recorded in the effect log. */
import type { AnyAgent, DurableContext, Hook, ToolLike, ToolSet } from '@loom-agent/agent'
import { type ErasedDefinition as Definition, redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
import { hookPoints } from '@loom-agent/kernel'
import { type EffectLog, textOf } from './effect-log.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** What instruments report to. */
export interface Instruments {
  readonly process: SimulatedProcess
  readonly log: EffectLog
  /** Checks that the intent of a call, or of a step, is durable when its effect begins. */
  readonly checkIntent: (thread: string, intent: string) => void
  /** Checks a request to a model. */
  readonly checkRequest: (prompt: unknown) => void
  /** Instruments an agent that a tool runs. */
  readonly agent: <A extends AnyAgent>(agent: A) => A
}

type Named = readonly [name: string, tool: ToolLike<never>]

/** The tools of an agent, each with its instruments. */
export function instrumentTools(instruments: Instruments, set: ToolSet<never>): ToolSet<never> {
  if (Array.isArray(set)) return (set as readonly ToolLike<never>[]).map((one) => instrumented(instruments, [nameOf(one), one]))
  return Object.fromEntries(Object.entries(set).map(([name, one]) => [name, instrumented(instruments, [name, one as ToolLike<never>])]))
}

const nameOf = (tool: ToolLike<never>): string => tool.name

function instrumented(instruments: Instruments, [name, given]: Named): ToolLike<never> {
  if (typeof given === 'function') {
    const run = runOf(instruments, name, { run: (input, context) => Reflect.apply(given, undefined, [input, context]) as unknown })
    return Object.defineProperty((input: never, context: DurableContext) => run(input, context), 'name', { value: name }) as typeof given
  }
  if (given.kind === 'agent') return instruments.agent(given)
  const definition = toolDefinitionOf(given)
  const check = definition.check && checkOf(instruments, name, definition.check)
  return redefineTool(given, { ...definition, run: runOf(instruments, name, definition), ...(check && { check }) })
}

const isFree = (effect: string): boolean => effect === 'pure' || effect === 'read'

function runOf(instruments: Instruments, tool: string, definition: Definition): Definition['run'] {
  const { process, log, checkIntent } = instruments
  const { effect = 'unsafe', durable = false } = definition
  return (input, context) => {
    const { thread, call } = context
    const what = `${tool} ${thread}/${call}`
    // The code of a durable body outside its steps has no effects: only its steps are recorded.
    if (durable) return process.around('tool', what, () => definition.run(input, durableView(instruments, { tool, effect }, context)))
    return process.around('tool', what, () => {
      if (!isFree(effect)) checkIntent(thread, call)
      const started = { thread, call, tool, effect, input: textOf(input), key: context.key, process: process.number }
      return log.perform(started, () => definition.run(input, context))
    })
  }
}

function checkOf({ process }: Instruments, tool: string, check: NonNullable<Definition['check']>): NonNullable<Definition['check']> {
  return (key, context) => process.around('check', `${tool} ${context.thread}/${context.call}`, () => check(key, context)) as ReturnType<typeof check>
}

function durableView(
  instruments: Instruments,
  { tool, effect: ofTool }: { tool: string; effect: NonNullable<Definition['effect']> },
  context: DurableContext,
): DurableContext {
  const { process, log, checkIntent } = instruments
  const { thread, call } = context
  const counts = new Map<string, number>()
  return {
    ...context,
    step(name, run, options) {
      const occurrence = (counts.get(name) ?? 0) + 1
      counts.set(name, occurrence)
      const step = `step:${name}:${occurrence}`
      const effect = options?.effect ?? ofTool
      const body: typeof run = (given) =>
        process.around('step', `${step} of ${tool} ${thread}/${call}`, () => {
          if (!isFree(effect)) checkIntent(thread, `${call}/${step}`)
          const started = { thread, call, step, tool, effect, input: '', key: given.key, process: process.number }
          return log.perform(started, () => run(given))
        }) as ReturnType<typeof run>
      return context.step(name, body, options)
    },
    run: (agent, input, options) => context.run(instruments.agent(agent), input, options),
  }
}

/** A hook with its instruments. */
export function instrumentHook({ process }: Instruments, hook: Hook<never>): Hook<never> {
  const points = hookPoints.flatMap((point) => {
    const method = hook[point] as ((...given: unknown[]) => unknown) | undefined
    if (!method) return []
    return [[point, (...given: unknown[]) => process.around('hook', point, () => method.apply(hook, given))] as const]
  })
  return {
    ...(hook.name !== undefined && { name: hook.name }),
    ...(hook.observe && { observe: hook.observe.bind(hook) }),
    ...(Object.fromEntries(points) as Hook<never>),
  }
}
