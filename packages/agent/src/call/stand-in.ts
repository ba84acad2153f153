/** Effects after the cut of a fork: taken from the parent's record, left out, or asked about. */
import {
  type Call,
  canonicalJson,
  type ForkEffects,
  type Frame,
  type Journal,
  type LoomEvent,
  readEvents,
  type ToolOutcome,
} from '@loom-agent/kernel'
import { type CompiledPolicy, compilePolicy } from '../permission/policy.ts'
import { nameMoment, parseMoment } from '../types/moment.ts'
import { proposedIn } from '../types/proposed-calls.ts'

/** The outcomes of the parent's calls after the cut, by tool and arguments, each to be used once. */
export type RecordedOutcomes = Map<string, (ToolOutcome & { readonly at: string })[]>

const keyOf = (tool: string, input: unknown): string => `${tool} ${canonicalJson(input as never)}`

/** Reads what the parent recorded after the cut; undefined where the fork does not use it. */
export async function recordedFor(journal: Journal, { fork, thread }: Frame): Promise<RecordedOutcomes | undefined> {
  if (fork?.effects !== 'recorded') return undefined
  const { thread: parent, seq } = parseMoment(fork.from)
  const recorded: RecordedOutcomes = new Map()
  const proposed = new Map<string, { name: string; input: unknown }>()
  for await (const event of readEvents(journal, parent)) {
    propose(proposed, event)
    if (event.seq <= seq || event.type !== 'tool.finished') continue
    const { call, ...outcome } = event.data
    const made = proposed.get(call)
    if (!made) continue
    const key = keyOf(made.name, made.input)
    recorded.set(key, [...(recorded.get(key) ?? []), { ...outcome, at: nameMoment({ thread: parent, seq: event.seq }) }])
  }
  return thread === parent ? undefined : recorded
}

function propose(proposed: Map<string, { name: string; input: unknown }>, event: LoomEvent): void {
  for (const [id, { name, input }] of proposedIn(event)) proposed.set(id, { name, input })
  if (event.type !== 'tool.started' || event.data.input === undefined) return
  const made = proposed.get(event.data.call)
  if (made) proposed.set(event.data.call, { ...made, input: event.data.input })
}

/** What a call of a fork gets instead of being run; undefined when it may run, or a human has to be asked. */
export function standIn(
  frame: Frame,
  recorded: RecordedOutcomes | undefined,
  { call, effect }: { call: Call; effect: string | undefined },
): ToolOutcome | undefined {
  const effects = frame.fork?.effects
  const known = recorded?.get(keyOf(call.part.name, call.input))?.shift()
  if (known) {
    const { at, ...outcome } = known
    return { ...outcome, meta: { ...outcome.meta, recorded: at } }
  }
  if (effects !== 'stub' || effect === 'pure' || effect === 'read' || effect === undefined) return undefined
  const value = `${call.part.name} was not run: this thread is a fork whose effects are left out. Go on as if it had succeeded.`
  return { status: 'warning', output: { type: 'text', value }, meta: { stubbed: true } }
}

let compiled: CompiledPolicy | undefined

/** Made when the first fork needs it: importing does no work. */
function changesTheWorld(): CompiledPolicy {
  const rule = { tool: '*', effect: ['idempotent', 'reconcilable', 'unsafe'], verdict: 'ask', reason: 'this thread is a fork' } as const
  compiled ??= compilePolicy({ rules: [rule], default: 'allow' })
  return compiled
}

/** The policy that a fork adds to those of its agent: what changes the world is asked about, unless effects are live. */
export function forkPolicy(effects: ForkEffects | undefined): readonly (CompiledPolicy | undefined)[] {
  return effects === 'ask' || effects === 'recorded' ? [changesTheWorld()] : []
}
