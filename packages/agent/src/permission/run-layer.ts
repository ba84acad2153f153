/**
 * The layer of permissions that a run was given.
 *
 * PERM-20. The layer of a run only makes verdicts stricter: it is judged beside the policy of the agent, and what it allows loosens neither that nor a tool's
 *     own verdict. It is a fact of the run: every process that goes on with the run, and every child of the run, is held by it.
 * PERM-21. A recorded layer that cannot be read denies every call.
 */
import type { JsonObject } from '@loom-agent/kernel'
import { expected } from '../platform/expected.ts'
import { shown, toJson } from '../platform/normalize.ts'
import { checkRules, type RuledTool } from './check-rules.ts'
import { type CompiledPolicy, compilePolicy, refusePolicy, stricterMode } from './compile-policy.ts'
import type { Mode, RunLayer } from './policy.ts'

/** The policy of an agent that has none. */
const none: CompiledPolicy = { known: new Map(), rules: [], defaults: [], mode: 'default', shadow: false, keepDenials: false, isConditional: false }

/** The layer as it is recorded. Throws for one that is not valid, that holds code, or whose rules the tools cannot use. */
export function runLayerOf(layer: RunLayer, tools: readonly RuledTool[]): JsonObject {
  if (!expected.object.fits(layer)) refusePolicy(`the layer of the run is ${shown(layer)}. Give names and their verdicts, or { rules }.`)
  const { rules } = layer as { readonly rules?: unknown }
  for (const rule of Array.isArray(rules) ? (rules as readonly unknown[]) : []) {
    const given = expected.object.fits(rule) ? (rule as { readonly tool?: unknown; readonly when?: unknown; readonly examples?: unknown }) : {}
    if (given.when === undefined && given.examples === undefined) continue
    const key = given.when === undefined ? 'examples' : 'when'
    refusePolicy(`the rule ${shown(given.tool)} of the run has ${key}. A layer of a run is recorded: give tool, verdict, effect, input and reason.`)
  }
  const recorded = toJson(layer) as JsonObject
  checkRules(compileLayer(recorded), tools)
  return recorded
}

/** A layer that says nothing about a call allows it: the policy of the agent decides. Its mode is the most that the layer admits. */
function compileLayer(layer: JsonObject): CompiledPolicy {
  const { default: otherwise = 'allow' } = layer
  return compilePolicy({ mode: 'bypass', layers: { run: { ...layer, default: otherwise } as RunLayer } })
}

/** What denies every call, because the layer that was recorded cannot be read (PERM-21). */
const unreadable: JsonObject = { rules: [{ tool: '*', verdict: 'deny', reason: 'the permissions of the run cannot be read' }] }

function recordedLayer(layer: JsonObject): CompiledPolicy {
  try {
    return compileLayer(layer)
  } catch {
    return compileLayer(unreadable)
  }
}

type Policies = readonly (CompiledPolicy | undefined)[]

/** Policies with the layer of a run, once made. */
const joined = new WeakMap<JsonObject, { readonly policies: Policies; readonly withLayer: Policies }>()

/** The policies of an agent in a run that was given a layer: the first is that of the agent. */
export function withRunLayer(policies: Policies, layer: JsonObject | undefined): Policies {
  if (!layer) return policies
  const known = joined.get(layer)
  if (known?.policies === policies) return known.withLayer
  const [own = { ...none, isAbsent: true as const }, ...above] = policies
  const compiled = recordedLayer(layer)
  // The layer itself trusts nothing: what it asks is asked.
  const withLayer = [{ ...capped(own, compiled.mode), layer: capped(compiled, 'default') }, ...above]
  joined.set(layer, { policies, withLayer })
  return withLayer
}

/** What of a policy holds where it only watches: the layer of the run. */
export function enforcedPart(policy: CompiledPolicy | undefined): CompiledPolicy | undefined {
  if (!policy?.shadow) return policy
  return policy.layer && { ...none, isAbsent: true, layer: policy.layer }
}

/** The policy in a mode that trusts no more than another. */
export function capped(policy: CompiledPolicy, most: Mode): CompiledPolicy {
  const mode = stricterMode(policy.mode, most)
  // What was ruled in the other mode does not hold.
  return mode === policy.mode ? policy : { ...policy, mode, known: new Map() }
}
