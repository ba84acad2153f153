/** Permissions by the names of the original Python project: its maps, tool names and policies. */
import { type Json, own } from '@loom-agent/kernel'
import { explainPermission } from '../call/explain-permission.ts'
import { splitRule } from '../permission/matcher.ts'
import type { Policy, Rule, Verdict } from '../permission/policy.ts'

/** Tool names of the original Python project, with Loom's names. Names that are the same are not listed. */
export const toolNames: { readonly [original: string]: readonly string[] } = {
  execute_bash: ['bash'],
  execute_shell: ['bash'],
  network_request: ['http_request'],
  http: ['http_request'],
  python_repl: ['code_interpreter'],
  search: ['web_search'],
  file: ['read_file', 'write_file', 'edit', 'delete_file'],
}

/** What a rule that does not allow a tool of the original project is also about: Loom has tools of their own for it. */
const alsoMeant: { readonly [original: string]: readonly string[] } = {
  write_file: ['edit'],
  http_request: ['fetch'],
  network_request: ['fetch'],
  http: ['fetch'],
}

/** A map of tool names to verdicts; a value that is none of the three denies. */
export type PermissionMap = { readonly [tool: string]: Verdict | (string & {}) }

const verdictOf = (value: string): Verdict => (value === 'allow' || value === 'ask' ? value : 'deny')

/** The names that a key of a map is about, each with what the key says in brackets. */
function namesOf(key: string, verdict: Verdict): readonly string[] {
  const { tool, pattern } = splitRule(key)
  const also = verdict === 'allow' || pattern !== undefined ? [] : (own(alsoMeant, tool) ?? [])
  const names = [tool, ...(own(toolNames, tool) ?? []), ...also]
  return pattern === undefined ? names : names.map((name) => `${name}(${pattern})`)
}

/** A permission map of the original Python project as a policy: its tool names also mean Loom's, and an unknown value denies. */
export function permissionMap(map: PermissionMap): { readonly rules: readonly Rule[]; readonly default: Verdict } {
  const { default: otherwise = 'deny', ...verdicts } = map
  const rules = Object.entries(verdicts).flatMap(([key, value]) => {
    const verdict = verdictOf(value)
    return namesOf(key, verdict).map((tool) => ({ tool, verdict }))
  })
  return { rules, default: verdictOf(otherwise) }
}

/** A permission map with a method to check calls; it is a policy itself. */
export class PermissionManager {
  /** One rule for each tool name of the map. */
  readonly rules: readonly Rule[]
  /** The verdict on all other tools. */
  readonly default: Verdict
  constructor(map: PermissionMap) {
    const policy = permissionMap(map)
    this.rules = policy.rules
    this.default = policy.default
  }
  /** The verdict of the map on a call, without running anything. */
  async check(tool: string, input: Json = {}): Promise<Verdict> {
    return (await explainPermission({ rules: this.rules, default: this.default }, { tool, input })).verdict
  }
}

/** Allows the named tools and denies all others. */
export function whitelistPolicy(tools: readonly string[]): Policy {
  return permissionMap({ ...Object.fromEntries(tools.map((tool) => [tool, 'allow'])), default: 'deny' })
}

/** Denies the named tools and allows all others. */
export function blacklistPolicy(tools: readonly string[]): Policy {
  return permissionMap({ ...Object.fromEntries(tools.map((tool) => [tool, 'deny'])), default: 'allow' })
}
