/** The fork plan: what a fork would reuse, run again and risk, known before it is made. */
import { type EffectClass, type ForkEffects, type Frame, items, type LoomEvent } from '@loom-agent/kernel'
import type { Definition } from '../definition/definition.ts'
import { type Moment, nameMoment } from '../types/moment.ts'
import { proposedIn } from '../types/proposed-calls.ts'
import type { ForkPlan, PlannedCall } from './fork-types.ts'

/** The plan of a fork at a moment, from the events of its parent and the frame at the cut. */
export function planOf(
  definition: Definition,
  { moment, events, effects, before }: { moment: Moment; events: readonly LoomEvent[]; effects: ForkEffects; before: Frame },
): ForkPlan {
  const after = events.slice(moment.seq)
  const calls = plannedCalls(definition, { events, after, effects })
  const shared = events.slice(0, moment.seq)
  const later = spentIn(after)
  const sooner = spentIn(shared)
  const open = before.run ? [...items(before.run.calls)].filter(({ state }) => state !== 'settled').map(({ id }) => id) : []
  return {
    from: nameMoment(moment),
    effects,
    reused: { events: shared.length, turns: before.turn, tokens: sooner.tokens, cost: sooner.cost },
    estimate: { turns: later.turns, tokens: later.tokens, cost: later.unpriced > 0 ? undefined : later.cost },
    calls,
    unsafe: calls.filter(({ fate, effect }) => fate === 'runs' && effect !== 'pure' && effect !== 'read'),
    reopened: [...open, ...Object.keys(before.questions)],
  }
}

/** The calls that the parent started after the cut. */
function plannedCalls(
  { toolbox }: Definition,
  { events, after, effects }: { events: readonly LoomEvent[]; after: readonly LoomEvent[]; effects: ForkEffects },
): readonly PlannedCall[] {
  const names = new Map(events.flatMap(proposedIn).map(([id, { name }]) => [id, name]))
  const recorded = new Set(after.flatMap((event) => (event.type === 'tool.finished' ? [event.data.call] : [])))
  return after.flatMap((event): readonly PlannedCall[] => {
    if (event.type !== 'tool.started') return []
    const { call } = event.data
    const tool = names.get(call) ?? ''
    const effect = toolbox?.tools.get(tool)?.effect ?? event.data.effect
    return [{ call, tool, effect, fate: fateOf(effects, effect, recorded.has(call)) }]
  })
}

/** What happens to a call in a fork. */
function fateOf(effects: ForkEffects, effect: EffectClass, isRecorded: boolean): PlannedCall['fate'] {
  if (effects === 'recorded' && isRecorded) return 'recorded'
  if (effects === 'live' || effect === 'pure' || effect === 'read') return 'runs'
  return effects === 'stub' ? 'stubbed' : 'asked'
}

function spentIn(events: readonly LoomEvent[]): { turns: number; tokens: number; cost: number; unpriced: number } {
  const spent = { turns: 0, tokens: 0, cost: 0, unpriced: 0 }
  for (const event of events) {
    if (event.type === 'turn.entered') spent.turns += 1
    if (event.type !== 'model.replied') continue
    spent.tokens += event.data.usage.input + event.data.usage.output
    spent.cost += event.data.cost ?? 0
    spent.unpriced += event.data.cost === undefined ? 1 : 0
  }
  return spent
}
