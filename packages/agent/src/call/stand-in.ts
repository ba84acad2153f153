/**
 * Effects after the cut of a fork: taken from the parent's record, left out, or asked about.
 *
 * STANDIN-1. Each outcome of the parent's record is used once. Which ones are used follows from the results that the fork has, so that
 *     another driver of the fork goes on where the last one stopped, and a result that was dropped is given again.
 */
import {
  type Call,
  callOf,
  canonicalJson,
  emptyFrame,
  evolve,
  type ForkEffects,
  type Frame,
  items,
  type Journal,
  type LoomEvent,
  readEvents,
  type ToolOutcome,
} from '@loom-agent/kernel'
import { type CompiledPolicy, compilePolicy } from '../permission/policy.ts'
import { nameMoment, parseMoment } from '../types/moment.ts'

type RecordedOutcome = ToolOutcome & { readonly at: string }

/** The outcomes of the parent's calls after the cut, by tool and arguments, and the moments of those that the fork has used. */
export interface RecordedOutcomes {
  readonly byCall: Map<string, RecordedOutcome[]>
  readonly used: Set<string>
}

const keyOf = ({ part: { name, input } }: Call): string => `${name} ${canonicalJson(input)}`

/**
 * Reads what the parent recorded after the cut; undefined where the fork does not use it.
 *
 * A call is known by the arguments that the model proposed, so that what a human edited or rejected is found again.
 */
export async function recordedFor(journal: Journal, { fork, thread, incarnation }: Frame): Promise<RecordedOutcomes | undefined> {
  if (fork?.effects !== 'recorded') return undefined
  const { thread: parent, seq } = parseMoment(fork.from)
  if (thread === parent) return undefined
  const recorded: RecordedOutcomes = { byCall: new Map(), used: new Set() }
  let frame = emptyFrame(parent)
  for await (const event of readEvents(journal, parent)) {
    frame = evolve(frame, event)
    const isOutcome = event.type === 'tool.finished' || (event.type === 'tool.denied' && event.data.errorType === 'rejected')
    const call = event.seq > seq && isOutcome && frame.run ? callOf(frame.run, event.data.call) : undefined
    if (!call?.outcome) continue
    const key = keyOf(call)
    const outcome = { ...call.outcome, at: nameMoment({ thread: parent, seq: event.seq }) }
    const known = recorded.byCall.get(key)
    if (known) known.push(outcome)
    else recorded.byCall.set(key, [outcome])
  }
  for await (const event of readEvents(journal, thread, { from: seq + 1, incarnation })) markUsed(recorded, event)
  return recorded
}

/** Notes that an event of the fork uses an outcome of the record. */
export function markUsed({ used }: RecordedOutcomes, { type, data }: LoomEvent): void {
  const at = type === 'tool.finished' ? data.meta?.['recorded'] : undefined
  if (typeof at === 'string') used.add(at)
}

/** The first outcome that no result of the fork uses, durable or not. */
function unusedFor(call: Call, { run }: Frame, { byCall, used }: RecordedOutcomes): RecordedOutcome | undefined {
  const outcomes = byCall.get(keyOf(call)) ?? []
  while (outcomes[0] && used.has(outcomes[0].at)) outcomes.shift()
  const inTurn = new Set(run && [...items(run.calls)].map(({ outcome }) => outcome?.meta?.['recorded']))
  return outcomes.find(({ at }) => !used.has(at) && !inTurn.has(at))
}

/** What a call of a fork gets instead of being run; undefined when it may run, or a human has to be asked. */
export function standIn(
  frame: Frame,
  recorded: RecordedOutcomes | undefined,
  { call, effect }: { call: Call; effect: string | undefined },
): ToolOutcome | undefined {
  const effects = frame.fork?.effects
  const known = recorded && unusedFor(call, frame, recorded)
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
