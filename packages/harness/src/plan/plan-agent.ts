/** The agent of a plan, its model, and the answers to its questions. */
import {
  type Agent,
  type AgentOptions,
  agent,
  answerWith,
  approve,
  edit,
  type Hook,
  type HookContext,
  type ModelSettings,
  type Question,
  reject,
  respond,
  type SignedAnswer,
  skip,
} from '@loom-agent/agent'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import type { Journal } from '@loom-agent/kernel'
import { deepFreeze, type ScriptedCall, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { closing, type PlannedCall, planInput, turnsIn } from './plan.ts'
import { numberOf, type PlanWorld, pairTool, planTools, stallTool, type ToolFault } from './plan-tools.ts'

/** What the hooks of an agent are for. */
export type PlanHooks = 'none' | 'look' | 'change' | 'slow' | 'skip'

/** How the agent of a plan is made. */
export interface PlanSetup {
  /** The name of the agent; default `root`. */
  readonly name?: string
  readonly world: PlanWorld
  readonly journal: Journal
  readonly hooks?: PlanHooks
  readonly faults?: readonly ToolFault[]
  /** How many levels of children there may be; default 1. */
  readonly depth?: number
  /** Whether the agent has the tools of a `pair` and of a `stall`. */
  readonly pairs?: boolean
  /** What the agents get as their model; default: the model of the plan itself. */
  readonly model?: (model: ScriptedModel) => LanguageModelV4
  /** Options of the agent and of its children. */
  readonly options?: Partial<AgentOptions>
}

/** The model of every plan: its reply follows from the prompt alone. */
export function planModel(): ScriptedModel {
  return scriptedModel(({ prompt }) => {
    const replies = prompt.filter(({ role }) => role === 'assistant').length
    const calls = turnsIn(inputOf(prompt))[replies]
    if (!calls) return closing(resultsIn(prompt))
    return { text: `turn ${replies + 1}`, calls: calls.map((call, index) => callOf(call, { replies, index })) }
  })
}

type Prompt = LanguageModelV4CallOptions['prompt']

function inputOf(prompt: Prompt): string {
  const part = prompt.flatMap((message) => (message.role === 'user' ? message.content : [])).find(({ type }) => type === 'text')
  return part?.type === 'text' ? part.text : ''
}

function resultsIn(prompt: Prompt): readonly string[] {
  const parts = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return parts.map((part) => {
    const value: unknown = part.type === 'tool-result' && 'value' in part.output ? part.output.value : ''
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

const asking: readonly (readonly PlannedCall[])[] = [[{ kind: 'ask', ticks: 0 }]]

function callOf({ kind, turns = asking, ...rest }: PlannedCall, { replies, index }: { replies: number; index: number }): ScriptedCall {
  const id = `call ${replies} ${index}`
  if (kind === 'child') return { id, tool: 'child', input: { prompt: planInput({ turns }) } }
  if (kind === 'unknown') return { id, tool: 'missing', input: {} }
  if (kind === 'misused') return { id, tool: 'read', input: { n: 'x' } }
  return { id, tool: kind, input: { n: numberOf(replies, index), ...rest } }
}

/** A moment in which anything may happen. */
const moment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Some calls are skipped and some are answered, after a while; which ones follows from their arguments. */
const skipSome: NonNullable<Hook['beforeToolExecution']> = async (_, { input: given }) => {
  const { n = 0 } = given as { readonly n?: number }
  await moment()
  await moment()
  if (n % 4 === 1) return skip('the plan leaves it out')
  return n % 4 === 2 ? answerWith({ type: 'text', value: `answered ${n}` }) : undefined
}

const hooksOf: Readonly<Record<Exclude<PlanHooks, 'slow'>, readonly Hook[]>> = {
  none: [],
  look: [
    {
      beforeModelCall: ({ frame }) => void deepFreeze(frame),
      beforeToolExecution: async () => undefined,
      afterToolExecution: async () => undefined,
    },
  ],
  change: [
    {
      beforeToolExecution: async (_, { tool: name, input: given }) => (name === 'read' ? { input: { ...(given as object), ticks: 0 } } : undefined),
      afterToolExecution: async (_, { output }) => (output.type === 'text' ? { output: { type: 'text', value: `${output.value}!` } } : undefined),
    },
  ],
  skip: [{ beforeModelCall: moment, beforeToolExecution: skipSome, beforeRecursion: moment }],
}

/** A hook at all nine points: it takes a while, and changes something that the model does not see. */
function slowHook({ tick }: PlanWorld): Hook {
  const settings = async ({ turn }: HookContext): Promise<{ settings: ModelSettings }> => {
    await tick(turn % 4)
    return { settings: { seed: turn } }
  }
  return {
    beforeIterationStart: settings,
    beforeContextAssembly: settings,
    afterContextAssembly: settings,
    beforeModelCall: settings,
    async afterModelReply({ turn }, { parts }) {
      await tick(turn % 3)
      return { parts }
    },
    async beforeToolExecution({ turn }, { id, input: given }) {
      await tick((turn + id.length) % 4)
      return { input: given }
    },
    async afterToolExecution({ turn }, { id, output }) {
      await tick((turn + id.length + 1) % 4)
      return { output }
    },
    beforeRecursion: settings,
    afterIterationEnd: settings,
  }
}

/** The agent of any plan, with its children. */
export function planAgent({ world, journal, hooks = 'none', faults = [], depth = 1, model = (given) => given, ...more }: PlanSetup): Agent {
  const { options = {}, pairs = false, name = 'root' } = more
  const behaviour = { grace: 5, outputLimit: 100_000 }
  const limits = { loop: false } as const
  const child = (levels: number): Agent =>
    agent({
      behaviour,
      limits,
      ...options,
      name: 'child',
      model: model(planModel()),
      tools: [...planTools(world, faults), ...(levels > 1 ? [child(levels - 1)] : [])],
    })
  const first = child(depth)
  return agent({
    behaviour,
    limits,
    ...options,
    name,
    model: model(planModel()),
    tools: [...planTools(world, faults), first, ...(pairs ? [pairTool(world, first), stallTool()] : [])],
    hooks: hooks === 'slow' ? [slowHook(world)] : hooksOf[hooks],
    journal,
    ports: { random: () => 0, development: false, ...options.ports },
  })
}

/** How a generated user answers. */
export type AnswerKind = 'approve' | 'reject' | 'respond' | 'edit'

/** An answer of a kind, or the nearest that fits the question. */
export function planAnswer(kind: AnswerKind, question: Pick<Question, 'kind'>): SignedAnswer {
  if (kind === 'edit' && question.kind === 'approval') return edit({ n: 99, ticks: 0 })
  if (kind === 'reject') return reject('not this time')
  if (kind === 'respond' && (question.kind === 'approval' || question.kind === 'choice')) return respond('answered instead')
  return approve()
}

/** An answer that follows from the question alone, and lets every planned call succeed. */
export function steadyAnswer({ kind, id, thread }: Question): SignedAnswer {
  if (kind === 'approval' || kind === 'parked') return approve()
  // The ordinal at the end depends on what was asked before.
  if (kind === 'choice') return respond(`yes to ${id.slice(thread.length + 1, id.lastIndexOf('#'))}`)
  throw new Error(`No plan leads to the question ${id} (${kind}).`)
}
