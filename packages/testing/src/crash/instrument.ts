/** An agent in the hands of a process: the same agent, whose every effect is a deed that the process may die at. */
import { type AgentOptions, type AnyAgent, createAgentFactory, type Model, type Ports, type ToolSet } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { type Instruments, instrumentHook, instrumentTools } from './instrument-tools.ts'
import type { MortalProcess } from './mortal-process.ts'

/** An agent as processes use it, whatever it needs and answers with. */
export type LiveAgent = ReturnType<ReturnType<typeof createAgentFactory>>

/** What the agent gets instead of its own. */
export interface Hold {
  readonly journal: Journal
  readonly ports: Partial<Ports>
  readonly instruments: Omit<Instruments, 'agent'>
}

/** The same agent in the hands of a process. Its fingerprint is the same, and so is everything that a model or a human sees. */
export function instrument(agent: AnyAgent, hold: Hold): LiveAgent {
  const known = new Map<AnyAgent, LiveAgent>()
  const held = (one: AnyAgent): LiveAgent => {
    const already = known.get(one)
    if (already) return already
    const made = createAgentFactory(definitionOf(one).host)(optionsOf(one, hold, instruments))
    known.set(one, made)
    return made
  }
  const instruments: Instruments = { ...hold.instruments, agent: <A extends AnyAgent>(one: A) => held(one) as AnyAgent as A }
  return held(agent)
}

function optionsOf(agent: AnyAgent, { journal, ports }: Hold, instruments: Instruments): AgentOptions {
  const { options } = definitionOf(agent)
  const { tools, model, hooks } = options
  const toolsOf = (set: ToolSet<never>): ToolSet<never> => instrumentTools(instruments, set)
  const held = {
    ...options,
    journal,
    ports: { ...options.ports, ...ports },
    ...(tools !== undefined && { tools: typeof tools === 'function' ? async (at: never) => toolsOf(await tools(at)) : toolsOf(tools) }),
    ...(model !== undefined && { model: instrumentModel(instruments, model) }),
    ...(hooks && { hooks: hooks.map((hook) => instrumentHook(instruments, hook)) }),
  }
  return held as object as AgentOptions
}

type StreamCall = (options: { readonly prompt: unknown }) => PromiseLike<{ readonly stream: ReadableStream }>

/** A model whose request and whose whole reply are the two sides of a deed. A model given by name is left as it is. */
function instrumentModel({ process, hear }: Instruments, model: Model): Model {
  if (typeof model !== 'object') return model
  const ask =
    (target: object, doStream: StreamCall): StreamCall =>
    async (options) => {
      const held = process.pass('before', 'model', model.modelId)
      if (held) await held
      hear(options.prompt)
      try {
        const answer = await doStream.call(target, options)
        return { ...answer, stream: answer.stream.pipeThrough(closing(process, model.modelId)) }
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

/** Passes everything on; the end comes when the process has passed its boundary. */
function closing(process: MortalProcess, what: string): TransformStream {
  return new TransformStream({ flush: () => process.pass('after', 'model', what) })
}
