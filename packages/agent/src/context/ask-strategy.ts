/** Asking a strategy of the user's, or one that cuts. Loaded on use, because an agent without a strategy asks none while its model surely has room. */
import { type Draft, type Frame, LoomError, type Run } from '@loom-agent/kernel'
import { modelId, resolveModel } from '../model/model.ts'
import { callNamed } from '../platform/call-named.ts'
import { callUserNow } from '../platform/call-user.ts'
import { signalOf } from '../platform/cancellation.ts'
import { chain } from '../platform/chain.ts'
import { shown } from '../platform/normalize.ts'
import { type Assembly, type AssemblyRequest, type Due, grown, type Known } from './assembly.ts'
import { compress } from './compress.ts'
import { type ContextModel, learnModel } from './model-facts.ts'
import { draftsOf } from './plan-drafts.ts'
import { checkPlan } from './plan-shape.ts'
import { essentialIndexes, noEssentials, readEssentials } from './segments.ts'
import { standard } from './standard.ts'
import { type ContextRequest, type ContextStrategy, extend, strategyWords } from './strategy.ts'
import { listOf } from './todo-list.ts'
import { type ContextTokens, contextTokens } from './tokens.ts'

/** The instructions of the run, and the rebase that is made in any case. */
interface Asked {
  readonly instructions: string
  readonly due: Due | undefined
  /** What is recorded where no strategy is asked. */
  readonly unasked: (due: Due | undefined, frame: Frame) => readonly Draft[]
}

let compressing: ContextStrategy | undefined

/** The events that a strategy decides on. That of agents without one compresses where the window of the model is known, and shows everything otherwise. */
export function ask(strategy: ContextStrategy, request: AssemblyRequest, asked: Asked): readonly Draft[] | Promise<readonly Draft[]> {
  if (strategy !== standard) return askStrategy(strategy, request, asked)
  return chain(modelOf(request), ({ window }) => {
    if (window === undefined) {
      request.assembly.unasked = request.frame.run?.id
      return asked.unasked(asked.due, request.frame)
    }
    compressing ??= compress()
    return askStrategy(compressing, request, asked)
  })
}

/** The events that the plan of a strategy makes. */
function askStrategy(strategy: ContextStrategy, request: AssemblyRequest, asked: Asked): readonly Draft[] | Promise<readonly Draft[]> {
  const { frame, assembly, record } = request
  return chain(modelOf(request), (model) =>
    chain(
      callNamed(strategyWords(strategy), () => strategy.assemble(requestFor(request, { ...asked, strategy: strategy.name }, model))),
      (plan) => {
        // Most turns end here: what Loom's own strategies return for them needs no check.
        if (plan === extend && !asked.due) return grown
        checkPlan(strategy.name, plan, frame)
        if (plan.estimated) record?.onEstimated()
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
    if (!Number.isFinite(tokens) || tokens < 0) throw new Error(`ports.countTokens returned ${shown(tokens)}, which is no count`)
    return tokens
  }
  checked.set(given, count)
  return count
}

/** What the strategy may look at. What takes time is done when it is looked at. */
function requestFor(
  { source, assembly, frame, cancellation, knowledge, record }: AssemblyRequest,
  asked: Asked & { readonly strategy: string },
  model: ContextModel,
): ContextRequest {
  let tokens: ContextTokens | undefined
  return {
    ...(record && { recorded: record.summaryOf }),
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
    todos: () => listOf(source.toolbox.brought, frame, assembly),
    resolveModel: record ? () => refuseModel(asked.strategy) : (given) => resolveModel(given, knowledge.host.resolveModel),
    usage: (frame.run as Run).usage,
    get deps() {
      return source.deps
    },
    get signal() {
      return signalOf(cancellation)
    },
  }
}

/** Replays and previews ask no model. */
function refuseModel(strategy: string): never {
  const advice = 'Take what `recorded` has of the range, or do without, and say so with `estimated` in the plan.'
  throw new LoomError(
    'LOOM_MODEL_UNRESOLVED',
    `The context strategy "${strategy}" asks for a model in a replay or a preview, which ask none. ${advice}`,
    {
      context: { strategy },
    },
  )
}
