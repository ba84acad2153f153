/** The events that the plan of a strategy makes. */
import type { Draft, EventData, Frame, Json, Rebase, Segment } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import type { Due } from './assembly.ts'
import { coverHistory, type Essentials, readEssentials } from './segments.ts'
import type { ContextPlan } from './strategy.ts'

/** What a plan is for. */
export interface Planned {
  readonly frame: Frame
  readonly essentials: Essentials
  readonly due: Due | undefined
}

const grown: readonly Draft[] = [{ type: 'context.assembled', data: {} }]

/** The events that a plan makes. */
export function draftsOf(plan: ContextPlan, { frame, essentials, due }: Planned): readonly Draft[] {
  const drafts: Draft[] = []
  if (plan.retrieved) drafts.push({ type: 'retrieval.finished', data: plain(plan.retrieved) })
  if (plan.compressionFailed) drafts.push({ type: 'context.compression-failed', data: { error: plain(plan.compressionFailed) } })
  if (plan.compressed) drafts.push({ type: 'context.compressed', data: plain(plan.compressed) })
  const items = plan.items?.length ? { items: plain(plan.items) } : undefined
  if (!due && !plan.rebase) return drafts.concat(items ? { type: 'context.assembled', data: items } : grown)
  const { system, tools } = due ?? frame.context
  const { segments } = frame.context
  const shown = plan.rebase ? wantedSegments(plan.rebase, frame) : undefined
  const rebase: Rebase = {
    reason: plan.rebase?.reason ?? (due as Due).reason,
    system,
    tools,
    ...segmentsOf(shown ? safeSegments(frame, essentials, shown) : segments),
    ...(plan.rebase?.budget && { budget: plain(plan.rebase.budget) }),
  }
  const data: EventData['context.assembled'] = { rebase, ...items }
  return [...drafts, { type: 'context.assembled', data }]
}

const segmentsOf = (segments: readonly Segment[]): Pick<Rebase, 'segments'> => (segments.length > 0 ? { segments } : {})

/** What a strategy asks for; undefined when it leaves the cuts as they are. */
function wantedSegments(
  { segments, keepFrom, lead, reason }: NonNullable<ContextPlan['rebase']>,
  { context }: Frame,
): readonly Segment[] | undefined {
  if (segments) return plain(segments)
  if (keepFrom !== undefined) {
    const cut: Segment = lead === undefined ? { to: keepFrom, as: 'dropped', rule: 'keepFrom', reason } : { to: keepFrom, as: 'summary', text: lead }
    return [cut]
  }
  // A text alone stands for what is left out already.
  return lead === undefined ? undefined : withLead(context.segments, lead)
}

function withLead(segments: readonly Segment[], text: string): readonly Segment[] {
  const [first, ...rest] = segments
  return first && first.as !== 'kept' ? [{ to: first.to, as: 'summary', text }, ...rest] : [{ to: 0, as: 'summary', text }, ...segments]
}

/** A part of a plan, as it enters an event. */
const plain = <T extends object>(part: T): T => toJson(part) as T & Json

function safeSegments(frame: Frame, essentials: Essentials, wanted: readonly Segment[]): readonly Segment[] {
  readEssentials(essentials, frame)
  return coverHistory(frame, wanted, essentials)
}
