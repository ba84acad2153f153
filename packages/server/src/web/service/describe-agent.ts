/** What is shown of an agent: its definition, as far as it is data. Of a function it is shown that there is one. */
import { type HookPoint, hookPoints, type Mode, type Verdict } from '@loom-agent/agent'
import { definitionOf, modelId, outputSchemaOf } from '@loom-agent/agent/kit'
import type { EffectClass, Json, Limits } from '@loom-agent/kernel'
import type { ServedAgent } from './served-agent.ts'

/** A tool of an agent. */
export interface ToolRow {
  readonly name: string
  readonly description?: string | undefined
  readonly effect: EffectClass
  readonly input: unknown
  /** Its own verdict where no rule matches; `by call`: a function says it of each call. */
  readonly permission: Verdict | 'by call'
  /** Another name by which rules name it. */
  readonly ruleName?: string | undefined
  readonly isDurable: boolean
  /** Calls that may not run beside others. */
  readonly isSerial: boolean
  /** Milliseconds after which a call ends; absent: the default. */
  readonly timeout?: number | undefined
}

/** A rule of the policy of an agent. */
export interface RuleRow {
  readonly id: string
  readonly tool: string
  readonly verdict: Verdict
  readonly effects?: readonly EffectClass[] | undefined
  readonly input?: unknown
  /** It also asks code. */
  readonly isConditional: boolean
  readonly reason?: string | undefined
  readonly approvers?: number | undefined
  readonly expires?: number | undefined
}

/** The policy of an agent; absent: a tool without a verdict of its own runs. */
export interface PolicyRow {
  readonly mode: Mode
  /** It only watches. */
  readonly isShadow: boolean
  readonly rules: readonly RuleRow[]
  /** The verdicts where no rule matches, one for each layer that has one. */
  readonly defaults: readonly { readonly id: string; readonly verdict: Verdict }[]
}

/** An agent. */
export interface AgentRow {
  readonly name: string
  readonly description: string
  readonly model?: string | undefined
  readonly fingerprint: string
  /** Its tools; absent where they are a function of the run. */
  readonly tools?: readonly ToolRow[] | undefined
  /** Its instructions; absent where it has none, or a function says them. */
  readonly instructions?: string | undefined
  /** The JSON Schema of its answer. */
  readonly output?: unknown
  readonly permissions?: PolicyRow | undefined
  readonly limits: Limits
  readonly settings?: unknown
  /** The name of its context strategy. */
  readonly context: string
  readonly window?: number | undefined
  readonly hooks: readonly { readonly name?: string | undefined; readonly points: readonly HookPoint[] }[]
  readonly guards: readonly string[]
  readonly workspace?: string | undefined
  /** What is a function of the run, and so is not shown. */
  readonly functions: readonly ('instructions' | 'tools' | 'deps')[]
}

type Definition = ReturnType<typeof definitionOf>

function toolsOf({ toolbox }: Definition): readonly ToolRow[] | undefined {
  return toolbox && Array.from(toolbox.tools.values(), toolRow)
}

function toolRow({ name, ruleName, spec, effect, serial, definition }: MapValue<NonNullable<Definition['toolbox']>['tools']>): ToolRow {
  const { permission = 'allow', durable, schedule } = definition
  return {
    name,
    description: spec.description,
    effect,
    input: spec.schema,
    permission: typeof permission === 'function' ? 'by call' : permission,
    ruleName,
    isDurable: durable === true,
    isSerial: serial,
    timeout: schedule?.timeout,
  }
}

type MapValue<M> = M extends ReadonlyMap<string, infer V> ? V : never

function policyOf({ policy }: Definition): PolicyRow | undefined {
  if (!policy) return undefined
  const { mode, shadow, rules, defaults } = policy
  return {
    mode,
    isShadow: shadow,
    rules: rules.map(({ id, tool, verdict, effect, input, when, reason, approvers, expires }) => ({
      ...{ id, tool, verdict, input, reason, approvers, expires },
      effects: effect === undefined ? undefined : [effect].flat(),
      isConditional: when !== undefined,
    })),
    defaults: defaults.flatMap((one) => one ?? []),
  }
}

/** What is shown of an agent. */
export function describeAgent(agent: ServedAgent): AgentRow {
  const definition = definitionOf(agent)
  const { options, limits, context, guards, fingerprint } = definition
  const { instructions, model, output, settings, window, hooks = [], workspace } = options
  const functions = (['instructions', 'tools', 'deps'] as const).filter((name) => typeof options[name] === 'function')
  return {
    name: agent.name,
    description: agent.description,
    model: model === undefined ? undefined : modelId(model),
    fingerprint: fingerprint(),
    tools: toolsOf(definition),
    instructions: typeof instructions === 'string' ? instructions : undefined,
    output: output === undefined ? undefined : (outputSchemaOf(output).schema as Json),
    permissions: policyOf(definition),
    limits,
    settings,
    context: context.name,
    window,
    hooks: hooks.map((hook) => ({ name: hook.name, points: hookPoints.filter((point) => typeof hook[point] === 'function') })),
    guards: guards.map(({ name }) => name),
    workspace: workspace?.name,
    functions,
  }
}
