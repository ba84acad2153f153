/** Asking a strategy of the user's, or one that cuts. Loaded on use, because the default strategy shows everything and is not asked. */
import type { Draft, Run } from '@loom-agent/kernel'
import { modelId, resolveModel } from '../model/model.ts'
import { callUser, callUserNow } from '../platform/call-user.ts'
import { signalOf } from '../platform/cancellation.ts'
import { chain } from '../platform/chain.ts'
import { expected } from '../platform/expected.ts'
import { shown } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import type { Assembly, AssemblyRequest, Due, Known } from './assembly.ts'
import { type ContextModel, learnModel } from './model-facts.ts'
import { draftsOf } from './plan-drafts.ts'
import { planShape } from './plan-shape.ts'
import { essentialIndexes, noEssentials, readEssentials } from './segments.ts'
import type { ContextRequest, ContextStrategy } from './strategy.ts'
import { type ContextTokens, contextTokens } from './tokens.ts'

/** The instructions of the run, and the rebase that is made in any case. */
interface Asked {
  readonly instructions: string
  readonly due: Due | undefined
}

/** The events that the plan of a strategy makes. */
export function askStrategy(strategy: ContextStrategy, request: AssemblyRequest, asked: Asked): readonly Draft[] | Promise<readonly Draft[]> {
  const { frame, assembly } = request
  return chain(modelOf(request), (model) =>
    chain(
      callUser(() => strategy.assemble(requestFor(request, asked, model))),
      (plan) => {
        checkOptions(`The context strategy "${strategy.name}"`, { plan }, { plan: expected.required(expected.options(planShape)) })
        return draftsOf(plan, { frame, essentials: knownOf(assembly).essentials, due: asked.due })
      },
    ),
  )
}

function knownOf(assembly: Assembly): Known {
  assembly.known ??= { essentials: noEssentials(), model: undefined, ledgers: new Map() }
  return assembly.known
}

/** What is known of the model; asked for once by a driver. */
function modelOf({ source, assembly, frame, knowledge }: AssemblyRequest): ContextModel | Promise<ContextModel> {
  const id = source.model ? modelId(source.model) : (frame.fork?.model ?? frame.run?.request.model ?? '')
  const known = knownOf(assembly)
  if (known.model?.id === id) return known.model
  return chain(learnModel(knowledge, id), (model) => {
    known.model = model
    return model
  })
}

type CountText = (text: string) => number

/** What is counted is kept by the function that counts, so each has one that checks it. */
const checked = new WeakMap<CountText, CountText>()

/** A counter of the user's: what it returns is a count, or it has failed. */
function countOf(given: CountText | undefined): CountText | undefined {
  if (!given) return undefined
  const known = checked.get(given)
  if (known) return known
  const count: CountText = (text) => {
    const tokens = callUserNow(() => given(text))
    if (!Number.isFinite(tokens)) throw new Error(`ports.countTokens returned ${shown(tokens)}, which is no count`)
    return tokens
  }
  checked.set(given, count)
  return count
}

/** What the strategy may look at. What takes time is done when it is looked at. */
function requestFor({ source, assembly, frame, cancellation, knowledge }: AssemblyRequest, asked: Asked, model: ContextModel): ContextRequest {
  let tokens: ContextTokens | undefined
  return {
    frame,
    instructions: asked.instructions,
    tools: source.toolbox.specs,
    rebase: asked.due?.reason,
    model,
    get tokens() {
      tokens ??= contextTokens({ frame, next: asked.due ?? frame.context, ledgers: knownOf(assembly).ledgers }, countOf(knowledge.ports.countTokens))
      return tokens
    },
    essentials() {
      const { essentials } = knownOf(assembly)
      readEssentials(essentials, frame)
      return essentialIndexes(frame.history, essentials)
    },
    resolveModel: (given) => resolveModel(given, knowledge.host.resolveModel),
    usage: (frame.run as Run).usage,
    get deps() {
      return source.deps
    },
    get signal() {
      return signalOf(cancellation)
    },
  }
}
