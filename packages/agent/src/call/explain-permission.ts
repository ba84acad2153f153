/** Asking a policy for its verdict, without running anything. */
import { LoomError } from '@loom-agent/kernel'
import { compilePolicy, verdict } from '../permission/compile-policy.ts'
import { namesTool } from '../permission/judge-parts.ts'
import type { Judgement, Policy, Verdict } from '../permission/policy.ts'
import { type Expected, expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { isTool } from '../tool/define.ts'
import { effectClass } from '../types/effect-class.ts'
import { loadJudgement } from './authorize.ts'
import type { ImaginedCall } from './imagined-call.ts'

const callShape: Readonly<Record<keyof ImaginedCall, Expected>> = {
  tool: expected.required(expected.either(expected.name, { words: 'a tool', fits: isTool })),
  name: expected.name,
  ruleName: expected.text,
  input: expected.anything,
  effect: effectClass,
  permission: verdict,
  matcher: expected.object,
  thread: expected.text,
  deps: expected.anything,
  calls: expected.anything,
}

/** What a tool says itself. */
const saidByTool: readonly (keyof ImaginedCall)[] = ['ruleName', 'effect', 'permission', 'matcher']

function checkCall(what: string, call: ImaginedCall, shape: Readonly<Record<string, Expected>>): void {
  checkOptions(what, call, shape)
  const isByName = typeof call.tool === 'string'
  const needless = isByName ? (call.name === undefined ? undefined : 'name') : saidByTool.find((key) => call[key] !== undefined)
  if (needless === undefined) return
  const why = isByName ? 'tool is the name already' : 'the tool says that itself'
  throw new LoomError('LOOM_OPTION_INVALID', `${what}: ${needless} is given, and ${why}. Leave ${needless} out.`, {
    context: { what, key: needless },
  })
}

/**
 * Returns the verdict of a policy on a call, and the rules that decided.
 *
 * @example
 * await explainPermission({ bash: 'ask', default: 'deny' }, { tool: 'bash' })   // { verdict: 'ask', decidedBy: ['bash'] }
 * await explainPermission({ 'bash(git log *)': 'allow' }, { tool: tools.bash, input: { command: 'git log -3' } })
 */
export async function explainPermission(policy: Policy, call: ImaginedCall): Promise<Judgement> {
  checkCall('explainPermission', call, callShape)
  return judgementOf(policy, call)
}

/** Why a verdict may be another one in a run: rules with brackets are met as by a call that cannot be taken apart. */
const untold = 'what the call asks for is not known by the name of its tool: give the tool itself, { tool: theTool, input }'

async function judgementOf(policy: Policy, given: ImaginedCall): Promise<Judgement> {
  const compiled = compilePolicy(policy)
  const { imagine } = await loadJudgement()
  const { judge } = await import('../permission/judge.ts')
  const { call, own } = await imagine(given)
  const { judgement } = await judge(compiled, call, own)
  const isUntold =
    !call.matcher && compiled.rules.some((rule) => rule.pattern !== undefined && namesTool(rule, { name: call.tool, ruleName: call.ruleName }))
  const reason = [judgement.reason, isUntold ? untold : undefined].filter((part) => part !== undefined).join('; ')
  // Also where no rule was asked: in plan mode, or for a call that cannot be taken apart.
  return { ...judgement, ...(reason !== '' && { reason }), ...(compiled.shadow && { shadow: true }) }
}

/** A case of a policy test. */
export interface PolicyCase extends ImaginedCall {
  /** The verdict that the policy must give. */
  readonly expect: Verdict
}

/** Runs cases against a policy; returns those with another verdict than expected. */
export async function testPolicy(policy: Policy, cases: readonly PolicyCase[]): Promise<readonly (PolicyCase & { readonly got: Judgement })[]> {
  for (const [index, one] of cases.entries()) checkCall(`testPolicy: case ${index}`, one, { ...callShape, expect: expected.required(verdict) })
  const judged = await Promise.all(cases.map(async (one) => ({ ...one, got: await judgementOf(policy, one) })))
  return judged.filter(({ expect, got }) => got.verdict !== expect)
}
