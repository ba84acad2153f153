/** The authority of children on random trees of agents: the intersection of what all above them may do, by an independent reading of the rules (PERM-5). */
import { type Agent, agent, type Mode, type Policy, type RunLayer, type Verdict } from '@loom-agent/agent'
import type { EffectClass } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { remembering } from './verdicts.ts'

const order: readonly Verdict[] = ['allow', 'ask', 'deny']
const trust: readonly Mode[] = ['plan', 'default', 'accept-edits', 'auto', 'bypass']
const harmless: readonly EffectClass[] = ['pure', 'read']
const strictest = (verdicts: readonly Verdict[]): Verdict => order[Math.max(...verdicts.map((one) => order.indexOf(one)))] ?? 'deny'
const least = (modes: readonly Mode[]): Mode => trust[Math.min(...modes.map((one) => trust.indexOf(one)))] ?? 'plan'

interface GivenRule {
  readonly tool: string
  readonly verdict: Verdict
  readonly effect?: EffectClass
}
interface Given {
  readonly rules: readonly GivenRule[]
  readonly default?: Verdict
  readonly mode: Mode
  readonly keepDenials?: boolean
}
interface Tried {
  readonly tool: string
  readonly effect: EffectClass
  readonly own: Verdict | undefined
}

const meets = ({ tool, effect }: GivenRule, call: Tried): boolean =>
  (tool.endsWith('*') ? call.tool.startsWith(tool.slice(0, -1)) : call.tool === tool) && (effect === undefined || effect === call.effect)

/** What one policy says of a call, read from the page. */
function saidBy(given: Given | undefined, mode: Mode, call: Tried): Verdict {
  if (mode === 'plan' && !harmless.includes(call.effect)) return 'deny'
  if (!given) return call.own ?? 'allow'
  const met = given.rules.filter((rule) => meets(rule, call)).map(({ verdict }) => verdict)
  if (met.length > 0 && !(given.keepDenials && call.own === 'deny')) return strictest(met)
  const open = call.own ?? given.default ?? 'deny'
  return open === 'ask' && mode === 'bypass' ? 'allow' : open
}

/** What a tree of agents, the root first, says of a call of the last of them. */
function expected(agents: readonly (Given | undefined)[], layer: GivenLayer | undefined, call: Tried): Verdict {
  let above: Mode = layer?.mostMode ?? 'bypass'
  const said = agents.map((given, index) => {
    above = least([given?.mode ?? 'default', above])
    return saidBy(given, above, { ...call, own: index === agents.length - 1 ? call.own : undefined })
  })
  const met = layer?.rules.filter((rule) => meets(rule, call)).map(({ verdict }) => verdict) ?? []
  const byLayer = met.length > 0 ? strictest(met) : (layer?.default ?? 'allow')
  return strictest([...said, byLayer])
}

interface GivenLayer {
  readonly rules: readonly GivenRule[]
  readonly default?: Verdict
  readonly mostMode?: Mode
}

const verdict = fc.constantFrom<Verdict>('allow', 'allow', 'ask', 'deny')
const effect = fc.constantFrom<EffectClass>('pure', 'read', 'idempotent', 'unsafe')
const rule = fc.record({ tool: fc.constantFrom('act', 'a*', 'other', '*'), verdict, effect }, { requiredKeys: ['tool', 'verdict'] })
const mode = fc.constantFrom<Mode>('default', 'default', 'accept-edits', 'auto', 'bypass', 'plan')
/** Every agent may call its child: what is looked at is the call of the last one. */
const policy = fc.option(
  fc.record(
    {
      rules: fc
        .array(rule, { maxLength: 3 })
        .map((rules) => [...rules.filter(({ tool }) => tool !== '*'), { tool: 'child*', verdict: 'allow' as const }]),
      default: verdict,
      mode,
      keepDenials: fc.boolean(),
    },
    { requiredKeys: ['rules', 'mode'] },
  ),
  { nil: undefined, freq: 3 },
)
const layerOf = fc.option(
  fc.record(
    {
      rules: fc.array(
        rule.filter(({ tool }) => tool !== '*'),
        { maxLength: 2 },
      ),
      mostMode: mode,
    },
    { requiredKeys: ['rules'] },
  ),
  { nil: undefined, freq: 2 },
)

/** Runs the tree: each agent calls the next one, and the last one calls the tool. */
async function outcomeOf(agents: readonly (Given | undefined)[], layer: GivenLayer | undefined, call: Tried): Promise<Verdict | 'not reached'> {
  const ran: unknown[] = []
  const deepest = scriptedModel([{ calls: [{ tool: 'act' }] }, 'Done.'])
  const act = remembering({ name: 'act', effect: call.effect, permission: call.own }, ran)
  let tree: Agent | undefined
  for (const [index, given] of [...agents.entries()].reverse()) {
    const name = `child${index}`
    const next = `child${index + 1}`
    const model = tree ? scriptedModel([{ calls: [{ tool: next, input: { prompt: 'go' } }] }, 'Done.']) : deepest
    const permissions = given as Policy | undefined
    tree = agent({ name, model, tools: tree ? [tree] : [act], ...(permissions && { permissions }), limits: { depth: 9 } }) as Agent
  }
  const result = await tree?.run('go', { permissions: layer as RunLayer | undefined })
  if (deepest.requests.length === 0) return 'not reached'
  if (ran.length > 0) return 'allow'
  return result?.status === 'waiting' ? 'ask' : 'deny'
}

const runs = Number(process.env['LOOM_TREE_RUNS'] ?? '120')

test('a child may do what all agents above it may do, and no more, whatever their policies and the layer of the run hold (PERM-5, PERM-20)', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(policy, { minLength: 1, maxLength: 4 }),
      layerOf,
      effect,
      fc.option(verdict, { nil: undefined }),
      async (given, layer, of, own) => {
        const agents = given as readonly (Given | undefined)[]
        const call: Tried = { tool: 'act', effect: of, own }
        const outcome = await outcomeOf(agents, layer as GivenLayer | undefined, call)
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
        if (outcome !== 'not reached') expect(outcome).toBe(expected(agents, layer as GivenLayer | undefined, call))
      },
    ),
    { numRuns: runs },
  )
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['allow', 'ask', 'deny']))
  expect(seen.get('not reached') ?? 0).toBeLessThan(runs / 2)
})
