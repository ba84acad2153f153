/**
 * Policies, checked and compiled.
 *
 * PERM-1. deny > ask > allow, and the strictest of all matching rules wins: order and specificity do not matter.
 * PERM-2. `default` holds only when no rule matches; a policy without a default denies.
 * PERM-3. A policy that is not valid is refused when it is given, never when a call is judged; and so is a rule that can name no tool.
 * PERM-19. A layer only makes verdicts stricter: its rules count beside those of the others, and its default where none of its own rules matches.
 */
import { canonicalJson, type EffectClass, LoomError } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { shown, toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { effectClass } from '../types/effect-class.ts'
import { type ErasedMatcher, type PartPattern, splitRule } from './matcher.ts'
import { isVerdict, type Layer, type Mode, type Policy, type PolicyOptions, type Rule, type RuleList, type Ruling, type Verdict } from './policy.ts'

/** A rule ready to match. */
export interface CompiledRule extends Rule {
  readonly id: string
  readonly content: string
  /** The number of its layer. */
  readonly layer: number
  /** What it says about the parts of a call, where it does. */
  readonly pattern?: string
  /** The pattern as a matcher has compiled it. */
  readonly compiled: WeakMap<ErasedMatcher, PartPattern>
}

/** The verdict of a layer on calls that none of its rules matches. */
export interface LayerDefault {
  readonly verdict: Verdict
  readonly id: string
}

/** The ruling on calls of a tool that have this effect class, where the tool's own verdict is this one. */
export interface KnownRuling {
  readonly effect: EffectClass
  readonly ruleName: string | undefined
  readonly own: Verdict | undefined
  readonly ruling: Ruling
}

/** A policy ready to judge. */
export interface CompiledPolicy {
  /** Rulings that follow from the tool alone, once made, by its name. */
  readonly known: Map<string, KnownRuling[]>
  readonly rules: readonly CompiledRule[]
  /** By the number of the layer; undefined where it leaves such calls to the others. */
  readonly defaults: readonly (LayerDefault | undefined)[]
  readonly mode: Mode
  readonly shadow: boolean
  readonly keepDenials: boolean
  /** Whether a rule asks code, so that a verdict may change. */
  readonly isConditional: boolean
  /** What the run was given besides, which is judged by itself (PERM-20). */
  readonly layer?: CompiledPolicy
  /** It stands for an agent without a policy. */
  readonly isAbsent?: true
  /** A fork has added it to those of its agent: no agent above has it. */
  readonly isOfFork?: true
}

/** The modes, from the strictest on. */
const modes: readonly Mode[] = ['plan', 'default', 'accept-edits', 'auto', 'bypass']

/** What a verdict must be. */
export const verdict: Expected = { words: 'a verdict: allow, ask or deny', fits: isVerdict }
const list: Shape = { rules: expected.anything, default: verdict }
const options: Shape & Record<keyof PolicyOptions, Expected> = { shadow: expected.flag, keepDenials: expected.flag, mode: expected.oneOf(...modes) }
const ruleShape: Shape & Record<keyof Rule, Expected> = {
  tool: expected.required({ ...expected.text, words: 'a name, or a pattern with *' }),
  verdict: expected.required(verdict),
  effect: expected.either(effectClass, expected.list(effectClass, 'a list of them')),
  input: { words: 'texts with *, or JSON values that must be equal', fits: (value) => expected.object.fits(value) && isPattern(value) },
  when: expected.function,
  reason: expected.text,
  approvers: { ...expected.whole(1), words: 'a count of people' },
  expires: { ...expected.finite(1), words: 'milliseconds' },
  examples: expected.options({
    meets: expected.list(expected.anything, 'a list of arguments'),
    others: expected.list(expected.anything, 'a list of arguments'),
  }),
}

/** Throws what a policy that is not valid is refused with. */
export function refusePolicy(problem: string): never {
  throw new LoomError('LOOM_OPTION_INVALID', `permissions: ${problem}`, { context: { problem } })
}

/** Checks a policy and makes it ready to judge. */
export function compilePolicy(policy: Policy): CompiledPolicy {
  if (!expected.object.fits(policy)) refusePolicy(`${shown(policy)} is not a policy. Give names and their verdicts, or { rules }.`)
  const { shadow = false, keepDenials = false, mode = 'default' } = optionsIn(policy)
  const layers = layersOf(policy)
  const rules = layers.flatMap((layer, index) => compileLayer(layer, index))
  return {
    known: new Map(),
    rules,
    defaults: layers.map(({ name, default: otherwise }) =>
      otherwise === undefined ? undefined : { verdict: otherwise, id: name === undefined ? 'default' : `default of ${name}` },
    ),
    mode: layers.reduce((most, { mostMode = 'bypass' }) => stricterMode(most, mostMode), mode),
    shadow,
    keepDenials,
    isConditional: rules.some(({ when }) => when !== undefined),
  }
}

/** The mode of two that trusts less. */
export const stricterMode = (one: Mode, other: Mode): Mode => (modes.indexOf(other) < modes.indexOf(one) ? other : one)

/** Rules, with the name of the layer that they are in where there are several. */
interface NamedLayer extends Pick<RuleList, 'default'> {
  readonly rules: readonly Rule[]
  readonly name?: string
  /** Whether it was given as a map: a rule is called by the name of its tool then. */
  readonly isMap: boolean
  readonly mostMode?: Mode
}

/** Names of options, which are names of tools in a map: what they hold says which of the two is meant. */
const optionNames: readonly (keyof PolicyOptions | 'mostMode')[] = ['shadow', 'keepDenials', 'mode', 'mostMode']

/** Whether a policy is written in the long form: it has a list of rules, or an option that is no verdict. */
function isRuled(policy: Policy | Layer): policy is RuleList {
  if (Array.isArray((policy as { rules?: unknown }).rules)) return true
  const given = policy as { readonly [name: string]: unknown }
  return optionNames.some((name) => given[name] !== undefined && !isVerdict(given[name]))
}
const isLayered = (policy: Policy): policy is Extract<Policy, { layers: unknown }> => expected.object.fits((policy as { layers?: unknown }).layers)
const optionsIn = (policy: Policy): PolicyOptions => (isRuled(policy) || isLayered(policy) ? policy : {})

function layersOf(policy: Policy): readonly NamedLayer[] {
  if (isLayered(policy)) {
    checkOptions('permissions', policy, { ...options, layers: expected.anything })
    return Object.entries(policy.layers).map(([name, layer]) => ({ ...layerOf(`permissions.layers.${name}`, layer), name }))
  }
  if (!isRuled(policy)) return [layerOf('permissions', policy as Layer)]
  checkOptions('permissions', policy, { ...list, ...options })
  return [{ ...policy, rules: rulesIn('permissions', policy), isMap: false }]
}

function rulesIn(what: string, { rules = [] }: RuleList): readonly Rule[] {
  if (!Array.isArray(rules)) refusePolicy(`${what}.rules is ${shown(rules)}. Give a list of rules.`)
  return rules
}

function layerOf(what: string, layer: Layer): NamedLayer {
  if (!expected.object.fits(layer)) refusePolicy(`${what} is ${shown(layer)}. Give names and their verdicts, or { rules }.`)
  if (isRuled(layer)) {
    checkOptions(what, layer, { ...list, mostMode: expected.oneOf(...modes) })
    return { ...layer, rules: rulesIn(what, layer), isMap: false }
  }
  const { default: otherwise, ...verdicts } = layer as { readonly [tool: string]: Verdict }
  if (otherwise !== undefined && !isVerdict(otherwise)) refusePolicy(`the default is ${shown(otherwise)}. Verdicts are allow, ask and deny.`)
  const rules = Object.entries(verdicts).map(([tool, given]) => ({ tool, verdict: given }))
  return { isMap: true, rules, ...(otherwise !== undefined && { default: otherwise }) }
}

function compileLayer({ name, isMap, rules }: NamedLayer, layer: number): readonly CompiledRule[] {
  const where = name === undefined ? '' : `${name} `
  return rules.map((rule, index) => {
    checkOptions(`permissions.${name === undefined ? '' : `layers.${name}.`}rules[${index}]`, rule, ruleShape)
    const split = splitRule(rule.tool)
    if (!mayNameTool(split.tool)) refusePolicy(nameless(rule.tool))
    if (rule.examples && (rule.when || (split.pattern === undefined && rule.input === undefined))) {
      refusePolicy(`${rule.tool} has examples, and only a rule about arguments can, without when. Test it with testPolicy instead.`)
    }
    const id = `${where}${isMap ? rule.tool : `rules[${index}] ${rule.tool}`}`
    return { ...rule, ...split, id, content: contentOf(rule), layer, compiled: new WeakMap() }
  })
}

/** Whether some tool can have this name, or one that the pattern means: no name of a tool has blanks or brackets. */
const mayNameTool = (pattern: string): boolean => /^[^\s()]+$/.test(pattern)

/** What is wrong with a rule that would never match: one that denies would let everything pass. */
function nameless(tool: string): string {
  const isOpen = tool.includes('(') && !tool.endsWith(')')
  const advice = isOpen
    ? 'It has no bracket at its end.'
    : 'Names of tools have no blanks and no brackets; what calls ask for stands behind them in brackets: bash(git log *).'
  return `the rule ${shown(tool)} can name no tool. ${advice}`
}

/** What is not JSON is equal to no argument: a rule with such a pattern would never match. */
function isPattern(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value !== 'object') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPattern)
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPattern)
}

/** A rule as text: its position does not count, the code of its `when` does, and its examples do not. */
function contentOf(rule: Rule): string {
  return canonicalJson(toJson({ ...rule, when: rule.when && String(rule.when), examples: undefined }))
}
