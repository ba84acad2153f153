/** Rules with a pattern, and the parts of calls that they name. */
import { messageOf } from '../platform/normalize.ts'
import type { CompiledRule } from './compile-policy.ts'
import type { CallPart, ErasedMatcher, PartPattern } from './matcher.ts'
import { matchesPattern } from './wildcard.ts'

/** A tool, as rules name it. */
export interface NamedTool {
  readonly name: string
  readonly ruleName?: string | undefined
}

/** Whether a rule is about a tool, by either of its names. */
export function namesTool({ tool }: CompiledRule, { name, ruleName }: NamedTool): boolean {
  return matchesPattern(tool, name) || (ruleName !== undefined && matchesPattern(tool, ruleName))
}

/** The rule if it holds for a part; a pattern that fails has denied (PERM-6). */
export function meetsPart(rule: CompiledRule, matcher: ErasedMatcher, part: CallPart): readonly CompiledRule[] {
  if (rule.pattern === undefined) return [rule]
  try {
    const pattern = patternOf(rule, matcher)
    return (rule.verdict === 'allow' ? pattern.names(part) : pattern.mayMean(part)) ? [rule] : []
  } catch (error) {
    return [{ ...rule, verdict: 'deny', reason: `a rule failed: ${messageOf(error)}` }]
  }
}

/** The pattern of a rule, compiled once for each matcher. Throws where it can match nothing. */
export function patternOf(rule: CompiledRule, matcher: ErasedMatcher): PartPattern {
  const known = rule.compiled.get(matcher)
  if (known) return known
  const pattern = matcher.compile(rule.pattern ?? '')
  rule.compiled.set(matcher, pattern)
  return pattern
}
