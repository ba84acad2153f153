/**
 * Effects after the cut of a fork: taken from the parent's record, left out, or asked about.
 *
 * STANDIN-1. Each outcome of the parent's record is used once. Which ones are used follows from the results that the fork has, so that
 *     another driver of the fork goes on where the last one stopped, and a result that was dropped is given again.
 * STANDIN-2. A call takes its outcome from the record without looking at the other calls of its reply.
 */

import {
  type Call,
  callOf,
  canonicalJson,
  type EffectClass,
  emptyFrame,
  evolve,
  type ForkEffects,
  type Frame,
  type Journal,
  readEvents,
  type ToolOutcome,
} from '@loom-agent/kernel'
import { type CompiledPolicy, compilePolicy } from '../permission/policy.ts'
import { changingClasses, isHarmless } from '../types/effect-class.ts'
import { nameMoment, parseMoment } from '../types/moment.ts'

/** What the calls of a fork get instead of being run, and what it asks about. */
export interface StandIns {
  /** Those that a fork adds to the policies of its agent. */
  readonly policies: readonly (CompiledPolicy | undefined)[]
  /** What a call gets instead of being run; undefined when it may run, or a human has to be asked. */
  take(call: Call, effect: EffectClass | undefined): ToolOutcome | undefined
  /** Puts an outcome back that a call had taken: its result was dropped before it was durable. */
  putBack(call: Call, outcome: ToolOutcome): void
}

/** The stand-ins of a fork. */
export async function createStandIns(journal: Journal, frame: Frame): Promise<StandIns> {
  const recorded = await recordedFor(journal, frame)
  return {
    policies: forkPolicy(frame.fork?.effects),
    take: (call, effect) => standIn(frame, recorded, { call, effect }),
    putBack(call, outcome) {
      if (recorded) putBack(recorded, call, outcome)
    },
  }
}

/** The outcomes of the parent's calls after the cut that the fork has not used, by tool and arguments, in order. `meta.recorded` names their moments. */
export type RecordedOutcomes = Map<string, ToolOutcome[]>

const keyOf = ({ part: { name, input } }: Call): string => `${name} ${canonicalJson(input)}`

/**
 * Reads what the parent recorded after the cut; undefined where the fork does not use it.
 *
 * A call is known by the arguments that the model proposed, so that what a human edited or rejected is found again.
 */
async function recordedFor(journal: Journal, { fork, thread, incarnation }: Frame): Promise<RecordedOutcomes | undefined> {
  if (fork?.effects !== 'recorded') return undefined
  const { thread: parent, seq } = parseMoment(fork.from)
  if (thread === parent) return undefined
  const used = new Set<unknown>()
  for await (const { type, data } of readEvents(journal, thread, { from: seq + 1, incarnation })) {
    if (type === 'tool.finished') used.add(data.meta?.['recorded'])
  }
  const recorded: RecordedOutcomes = new Map()
  let frame = emptyFrame(parent)
  for await (const event of readEvents(journal, parent)) {
    frame = evolve(frame, event)
    const isOutcome = event.type === 'tool.finished' || (event.type === 'tool.denied' && event.data.errorType === 'rejected')
    const call = event.seq > seq && isOutcome && frame.run ? callOf(frame.run, event.data.call) : undefined
    const at = nameMoment({ thread: parent, seq: event.seq })
    if (call?.outcome && !used.has(at)) add(recorded, call, { ...call.outcome, meta: { ...call.outcome.meta, recorded: at } })
  }
  return recorded
}

function add(recorded: RecordedOutcomes, call: Call, outcome: ToolOutcome): void {
  const key = keyOf(call)
  const known = recorded.get(key)
  if (known) known.push(outcome)
  else recorded.set(key, [outcome])
}

/** Puts an outcome back that a call had taken: its result was dropped before it was durable. */
export function putBack(recorded: RecordedOutcomes, call: Call, outcome: ToolOutcome): void {
  if (outcome.meta?.['recorded'] === undefined) return
  add(recorded, call, outcome)
  recorded.get(keyOf(call))?.sort((one, other) => seqOf(one) - seqOf(other))
}

const seqOf = ({ meta }: ToolOutcome): number => parseMoment(String(meta?.['recorded'])).seq

/** What a call of a fork gets instead of being run; undefined when it may run, or a human has to be asked. An outcome of the record is taken from it. */
export function standIn(
  frame: Frame,
  recorded: RecordedOutcomes | undefined,
  { call, effect }: { call: Call; effect: EffectClass | undefined },
): ToolOutcome | undefined {
  const effects = frame.fork?.effects
  const known = recorded?.get(keyOf(call))?.shift()
  if (known) return known
  if (effects !== 'stub' || effect === undefined || isHarmless(effect)) return undefined
  const value = `${call.part.name} was not run: this thread is a fork whose effects are left out. Go on as if it had succeeded.`
  return { status: 'warning', output: { type: 'text', value }, meta: { stubbed: true } }
}

let compiled: CompiledPolicy | undefined

/** Made when the first fork needs it: importing does no work. */
function changesTheWorld(): CompiledPolicy {
  const rule = { tool: '*', effect: changingClasses, verdict: 'ask', reason: 'this thread is a fork' } as const
  compiled ??= compilePolicy({ rules: [rule], default: 'allow' })
  return compiled
}

/** The policy that a fork adds to those of its agent: what changes the world is asked about, unless effects are live. */
function forkPolicy(effects: ForkEffects | undefined): readonly (CompiledPolicy | undefined)[] {
  return effects === 'ask' || effects === 'recorded' ? [changesTheWorld()] : []
}
