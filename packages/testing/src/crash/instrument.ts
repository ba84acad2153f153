/** An instrumented agent: the same agent, whose every effect is an operation that its process may die at. */
import { type AgentOptions, type AnyAgent, createAgentFactory, type Model, type Ports, type ToolSet } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { type Instruments, instrumentHook, instrumentTools } from './instrument-tools.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** An agent of any dependencies and output. */
export type InstrumentedAgent = ReturnType<ReturnType<typeof createAgentFactory>>

/** What the agent gets instead of its own. */
export interface Instrumentation {
  readonly journal: Journal
  readonly ports: Partial<Ports>
  readonly instruments: Omit<Instruments, 'agent'>
}

/** The same agent, instrumented. Its fingerprint is the same, and so is everything that a model or a human sees. */
export function instrument(agent: AnyAgent, given: Instrumentation): InstrumentedAgent {
  const known = new Map<AnyAgent, InstrumentedAgent>()
  const instrumented = (one: AnyAgent): InstrumentedAgent => {
    const already = known.get(one)
    if (already) return already
    const made = createAgentFactory(definitionOf(one).host)(optionsOf(one, given, instruments))
    known.set(one, made)
    return made
  }
  const instruments: Instruments = { ...given.instruments, agent: <A extends AnyAgent>(one: A) => instrumented(one) as AnyAgent as A }
  return instrumented(agent)
}

function optionsOf(agent: AnyAgent, { journal, ports }: Instrumentation, instruments: Instruments): AgentOptions {
  const { options } = definitionOf(agent)
  const { tools, model, hooks } = options
  const toolsOf = (set: ToolSet<never>): ToolSet<never> => instrumentTools(instruments, set)
  const given = {
    ...options,
    journal,
    ports: { ...options.ports, ...ports },
    ...(tools !== undefined && { tools: typeof tools === 'function' ? async (at: never) => toolsOf(await tools(at)) : toolsOf(tools) }),
    ...(model !== undefined && { model: instrumentModel(instruments, model) }),
    ...(hooks && { hooks: hooks.map((hook) => instrumentHook(instruments, hook)) }),
  }
  return given as object as AgentOptions
}

type StreamCall = (options: { readonly prompt: unknown }) => PromiseLike<{ readonly stream: ReadableStream }>

/** A model whose request and whose whole reply are the two sides of an operation. A model given by name stays as it is. */
function instrumentModel({ process, checkRequest }: Instruments, model: Model): Model {
  if (typeof model !== 'object') return model
  const ask =
    (target: object, doStream: StreamCall): StreamCall =>
    async (options) => {
      const held = process.pass('before', 'model', model.modelId)
      if (held) await held
      checkRequest(options.prompt)
      try {
        const reply = await doStream.call(target, options)
        return { ...reply, stream: reply.stream.pipeThrough(closing(process, model.modelId)) }
      } catch (error) {
        await process.pass('after', 'model', model.modelId)
        throw error
      }
    }
  return new Proxy(model, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (property === 'doStream') return ask(target, value as StreamCall)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** Passes everything on; the end comes when the process has passed its crash point. */
function closing(process: SimulatedProcess, what: string): TransformStream {
  return new TransformStream({ flush: () => process.pass('after', 'model', what) })
}
