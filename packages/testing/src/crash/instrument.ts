/** An instrumented agent: the same agent, whose every effect is an operation that its process may die at, and is recorded in the effect log. */
import type { AnyAgent, Model } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { createRebuilder, type RebuiltAgent, replacePoints, type StepBody, type ToolCheck } from '../double/rebuild-agent.ts'
import { alwaysReplay } from '../given/modes.ts'
import { checkPairing } from '../history/check-pairing.ts'
import { textOf } from './effect-log.ts'
import type { TrialObserver } from './observer.ts'
import type { SimulatedProcess } from './simulated-process.ts'

const isFree = (effect: string): boolean => effect === 'pure' || effect === 'read'

/** The same agent in a simulated process. Its fingerprint is the same, and so is everything that a model or a human sees. */
export function instrument(
  agent: AnyAgent,
  observer: TrialObserver,
  { process, journal }: { process: SimulatedProcess; journal: Journal },
): RebuiltAgent {
  const { log, audit, found, replay } = observer
  const ports = { clock: process.clock, ids: process.ids, random: () => 0, ...(replay && alwaysReplay(journal)) }
  const checkIntent = (thread: string, intent: string): void => {
    if (!audit.isIntended(thread, intent)) found.push({ kind: 'early', at: thread, message: `${intent} began without a durable intent` })
  }
  return createRebuilder({
    options(one) {
      const { model, ports: own } = definitionOf(one).options
      return { journal, ports: { ...own, ...ports }, ...(model !== undefined && { model: instrumentModel(model, observer, process) }) }
    },
    hook: (hook) => ({
      ...replacePoints(
        hook,
        (point, method) =>
          (...given) =>
            process.around('hook', point, () => method(...given)),
      ),
      ...(hook.observe && { observe: hook.observe.bind(hook) }),
    }),
    body:
      ({ name: tool, effect, durable }, run) =>
      (input, context) => {
        const { thread, call, key } = context
        return process.around('tool', `${tool} ${thread}/${call}`, () => {
          // The code of a durable body outside its steps has no effects: only its steps are recorded.
          if (durable) return run(input, context)
          if (!isFree(effect)) checkIntent(thread, call)
          return log.perform({ thread, call, tool, effect, input: textOf(input), key, process: process.number }, () => run(input, context))
        })
      },
    step: ({ key: step, ...place }, run) => {
      const { thread, call, tool, effect } = place
      const body: StepBody = (given) =>
        process.around('step', `${step} of ${tool} ${thread}/${call}`, () => {
          if (!isFree(effect)) checkIntent(thread, `${call}/${step}`)
          return log.perform({ ...place, step, input: '', key: given.key, process: process.number }, () => run(given))
        })
      return body
    },
    check:
      ({ name }, check) =>
      (key, context) =>
        process.around('check', `${name} ${context.thread}/${context.call}`, () => check(key, context)) as ReturnType<ToolCheck>,
  }).agent(agent)
}

type Prompt = Parameters<typeof checkPairing>[0]
type StreamCall = (options: { readonly prompt: Prompt }) => PromiseLike<{ readonly stream: ReadableStream }>

/** A model whose request and whose whole reply are the two sides of an operation. A model given by name stays as it is. */
function instrumentModel(model: Model, { found }: TrialObserver, process: SimulatedProcess): Model {
  if (typeof model !== 'object') return model
  const ask =
    (target: object, doStream: StreamCall): StreamCall =>
    async (options) => {
      const held = process.pass('before', 'model', model.modelId)
      if (held) await held
      for (const message of checkPairing(options.prompt)) found.push({ kind: 'pairing', message })
      try {
        const reply = await doStream.call(target, options)
        // The end of the stream comes when the process has passed its crash point.
        const closing = new TransformStream({ flush: () => process.pass('after', 'model', model.modelId) })
        return { ...reply, stream: reply.stream.pipeThrough(closing) }
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
