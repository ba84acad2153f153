/** Checking the rules of a policy against the tools of an agent: their patterns, and their examples (PERM-3). */
import type { Json, JsonObject } from '@loom-agent/kernel'
import { messageOf, shown } from '../platform/normalize.ts'
import { type CompiledPolicy, type CompiledRule, refusePolicy } from './compile-policy.ts'
import { meetsPart, type NamedTool, namesTool, patternOf } from './judge-parts.ts'
import type { CallPart, ErasedMatcher } from './matcher.ts'
import { matchesInput } from './pattern.ts'

/** A tool, as far as rules look at it. */
export interface RuledTool extends NamedTool {
  readonly matcher?: ErasedMatcher | undefined
  /** The JSON Schema of its arguments. */
  readonly schema?: JsonObject
}

/** Throws for a rule whose pattern a tool cannot use, and for one that its own examples contradict. */
export function checkRules({ rules }: CompiledPolicy, tools: readonly RuledTool[]): void {
  for (const rule of rules) {
    if (rule.pattern === undefined && !rule.examples) continue
    for (const tool of tools) {
      if (!namesTool(rule, tool)) continue
      if (rule.pattern !== undefined) checkPattern(rule, tool)
      checkExamples(rule, tool)
    }
  }
}

function checkPattern(rule: CompiledRule, { name, matcher }: RuledTool): void {
  if (!matcher) {
    return refusePolicy(
      `the rule ${rule.id} says what ${name} may be called for, and that tool has no matcher. Match its arguments with input instead.`,
    )
  }
  try {
    patternOf(rule, matcher)
  } catch (error) {
    refusePolicy(`the rule ${rule.id} cannot match a call of ${name}: ${messageOf(error)}`)
  }
}

function checkExamples(rule: CompiledRule, tool: RuledTool): void {
  const { meets = [], others = [] } = rule.examples ?? {}
  const failed = (example: Json, words: string): never =>
    refusePolicy(`the rule ${rule.id} ${words} ${shown(example)}, which is one of its examples.`)
  for (const example of meets) if (isMet(rule, tool, example) === false) failed(example, 'does not meet')
  for (const example of others) if (isMet(rule, tool, example) === true) failed(example, 'meets')
}

/** Whether a rule meets a call with these arguments; undefined where the tool says it later. */
function isMet(rule: CompiledRule, { matcher, schema }: RuledTool, input: Json): boolean | undefined {
  if (!matchesInput(rule, input, schema)) return false
  if (rule.pattern === undefined || !matcher) return true
  const parts = partsOf(rule, matcher, input)
  if (parts instanceof Promise) return void parts.catch(() => undefined)
  const isMeant = (part: CallPart): boolean => meetsPart(rule, matcher, part).length > 0
  return rule.verdict === 'allow' ? parts.every(isMeant) : parts.some(isMeant)
}

function partsOf({ id }: CompiledRule, matcher: ErasedMatcher, input: Json): ReturnType<ErasedMatcher['parts']> {
  try {
    return matcher.parts(input)
  } catch (error) {
    return refusePolicy(`the rule ${id} has the example ${shown(input)}, which cannot be taken apart: ${messageOf(error)}`)
  }
}
