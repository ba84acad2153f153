/** A call that is not made, as rules would judge it. Loaded with how calls are judged. */
import { type EffectClass, type Json, LoomError } from '@loom-agent/kernel'
import type { JudgedCall, OwnVerdict } from '../permission/judge.ts'
import type { CallMatcher, ErasedMatcher } from '../permission/matcher.ts'
import type { AdmittedCall, CallFacts, Verdict } from '../permission/policy.ts'
import { toJson } from '../platform/normalize.ts'
import { checkToolName, type Tool, toolDefinitionOf } from '../tool/define.ts'
import { type ReadyTool, readyTool } from '../tool/toolbox.ts'
import { validate } from '../types/schema.ts'
import { ownVerdictOf } from './own-verdict.ts'
import { classOf } from './validate.ts'

/** A call that is not made, only judged. */
export interface ImaginedCall {
  /** The tool itself, which brings what rules look at besides the arguments; or its name, and what is said of it here. */
  readonly tool: string | Tool<never>
  /** The name by which the agent has the tool, where that is not the tool's own. */
  readonly name?: string
  /** The other name by which rules know the tool, where it has one. */
  readonly ruleName?: string
  /** The arguments; default: an empty object. */
  readonly input?: Json
  /** The effect class of the tool; default `unsafe`. */
  readonly effect?: EffectClass
  /** The tool's own `permission`, where it declares one. */
  readonly permission?: Verdict
  /** The matcher of the tool, for rules such as `bash(git log *)`. */
  readonly matcher?: CallMatcher
  /** The id of the thread. */
  readonly thread?: string
  /** The dependencies of the run. */
  readonly deps?: unknown
  /** The calls that the run has made before; default: none. */
  readonly calls?: Iterable<AdmittedCall>
}

/** What rules judge, and the tool's own verdict. */
export interface Imagined {
  readonly call: JudgedCall
  readonly own: OwnVerdict | undefined
}

/** A call of a tool that is known by its name alone: what else rules look at is said beside it. */
function callByName(tool: string, given: ImaginedCall): Imagined {
  const { ruleName, input = {}, effect = 'unsafe', permission } = given
  const matcher = given.matcher as ErasedMatcher | undefined
  const facts = factsOf(given, { tool, effect, input })
  const call = { tool, ruleName, effect, facts, ...(matcher && { matcher, parts: () => matcher.parts(input) }) }
  return { call, own: permission && { verdict: permission } }
}

/** A call of this tool: its arguments, its class, its parts and its own verdict are what they would be in a run (PERM-8). */
async function callOfTool(given: ImaginedCall, definition: ReadyTool['definition']): Promise<Imagined> {
  const { name = definition.name ?? '', thread = '', deps, calls = [] } = given
  checkToolName(name)
  const tool = readyTool(name, definition)
  const value = await argumentsOf(tool, given)
  const { effect: declared, matcher } = definition
  const effect = typeof declared === 'function' ? classOf(() => declared(value), tool) : tool.effect
  const facts = factsOf(given, { tool: name, effect, input: toJson(value) })
  const own = await ownVerdictOf(definition, value, () => ({ thread, deps, calls }))
  const parts = matcher && { matcher, parts: () => matcher.parts(value) }
  return { call: { tool: name, ruleName: tool.ruleName, effect, schema: tool.spec.schema, facts, ...parts }, own }
}

/** The arguments as the schema of the tool makes them. */
async function argumentsOf({ name, definition }: ReadyTool, { input = {} }: ImaginedCall): Promise<unknown> {
  const verdict = definition.input ? await validate(definition.input, structuredClone(input)) : { kind: 'valid' as const, value: input }
  if (verdict.kind === 'valid') return verdict.value
  const message = `The arguments of ${name} do not fit: ${verdict.problem}. No rule judges such a call: the model is told to correct it.`
  throw new LoomError('LOOM_TOOL_INPUT_INVALID', message, { context: { tool: name } })
}

type Known = Pick<CallFacts, 'tool' | 'effect' | 'input'>

const factsOf = ({ thread = '', deps, calls = [] }: ImaginedCall, known: Known): JudgedCall['facts'] => {
  const facts = { ...known, thread, deps, calls }
  return () => facts
}

/** The call as it would be judged. */
export async function imagine(given: ImaginedCall): Promise<Imagined> {
  const { tool } = given
  return typeof tool === 'string' ? callByName(tool, given) : callOfTool(given, toolDefinitionOf(tool))
}
