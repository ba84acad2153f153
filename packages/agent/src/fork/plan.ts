/** The fork plan: what a fork would reuse, run again and risk, known before it is made. */

import { type EffectClass, type ForkEffects, type Frame, isOver, items, type LoomEvent } from '@loom-agent/kernel'
import type { Definition } from '../definition/definition.ts'
import { isHarmless } from '../types/effect-class.ts'
import { nameMoment } from '../types/moment.ts'
import { proposedIn } from '../types/proposed-calls.ts'
import type { Cut, ForkPlan, PlannedCall } from './fork-types.ts'

/** The plan of a fork at a moment, from the events of its parent and the frame at the cut. */
export function planOf(definition: Definition, { moment, edits, events, effects, before }: Cut & { before: Frame }): ForkPlan {
  const shared = events.slice(0, moment.seq)
  const { turns, ...reused } = spentIn(shared)
  const after = afterCut(events, before, edits)
  // A call that an edit gives a result or denies is decided: it neither runs nor waits.
  const edited = new Set(edits.flatMap((edit) => ('call' in edit ? [edit.call] : [])))
  const unsettled = before.run ? [...items(before.run.calls)].filter(({ state }) => state !== 'settled').map(({ id }) => id) : []
  const open = unsettled.filter((id) => !edited.has(id))
  const questions = Object.values(before.questions).filter(({ call }) => call === undefined || !edited.has(call))
  const calls = plannedCalls(definition, { events, after, open, effects }).filter(({ call }) => !edited.has(call))
  return {
    from: nameMoment(moment),
    effects,
    reused: { events: shared.length, turns, ...reused },
    estimate: spentIn(after),
    calls,
    unsafe: calls.filter(({ fate, effect }) => fate === 'runs' && !isHarmless(effect)),
    reopened: [...open, ...questions.map(({ id }) => id)],
  }
}

/** What followed the cut in the run that a fork goes on with: the run at the cut, or the next one for an input where that is over. */
function afterCut(events: readonly LoomEvent[], { seq, run }: Frame, edits: Cut['edits']): readonly LoomEvent[] {
  const later = events.slice(seq)
  const isNew = edits.some(({ kind }) => kind === 'input')
  const followed = run && !isOver(run) ? run.id : isNew ? later.find(({ type }) => type === 'run.started')?.run : undefined
  return followed === undefined ? [] : later.filter((event) => event.run === followed)
}

interface Followed {
  readonly events: readonly LoomEvent[]
  readonly after: readonly LoomEvent[]
  /** Calls that are open at the cut: those that were started run anew. */
  readonly open: readonly string[]
  readonly effects: ForkEffects
}

/** The calls that the parent started after the cut, or had started and not ended at the cut; each of them once, however often it was entered. */
function plannedCalls({ toolbox }: Definition, { events, after, open, effects }: Followed): readonly PlannedCall[] {
  const names = new Map(events.flatMap(proposedIn).map(([id, { name }]) => [id, name]))
  const recorded = new Set(after.flatMap((event) => (event.type === 'tool.finished' ? [event.data.call] : [])))
  const followed = new Set(after)
  const planned = new Map<string, PlannedCall>()
  for (const event of events) {
    if (event.type !== 'tool.started' || !(followed.has(event) || open.includes(event.data.call))) continue
    const { call } = event.data
    const tool = names.get(call) ?? ''
    const effect = toolbox?.tools.get(tool)?.effect ?? event.data.effect
    planned.set(call, { call, tool, effect, fate: fateOf(effects, effect, recorded.has(call)) })
  }
  return [...planned.values()]
}

/** What happens to a call in a fork. */
function fateOf(effects: ForkEffects, effect: EffectClass, isRecorded: boolean): PlannedCall['fate'] {
  if (effects === 'recorded' && isRecorded) return 'recorded'
  if (effects === 'live' || isHarmless(effect)) return 'runs'
  return effects === 'stub' ? 'stubbed' : 'asked'
}

/** Turns, tokens and cost; the cost is undefined where a price is unknown. */
function spentIn(events: readonly LoomEvent[]): ForkPlan['estimate'] {
  const replies = events.flatMap((event) => (event.type === 'model.replied' ? [event.data] : []))
  const costs = replies.map(({ cost }) => cost)
  return {
    turns: events.filter(({ type }) => type === 'turn.entered').length,
    tokens: replies.reduce((sum, { usage }) => sum + usage.input + usage.output, 0),
    cost: costs.reduce<number | undefined>((sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0),
  }
}
