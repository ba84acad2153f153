/** The events that the plan of a strategy makes. */
import type { Draft, EventData, Frame, Json, Rebase, Segment } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import { type Due, grown } from './assembly.ts'
import { coverHistory, type Essentials, readEssentials } from './segments.ts'
import type { ContextPlan } from './strategy.ts'
import { wantedSegments } from './wanted-segments.ts'

/** What a plan is for. */
export interface Planned {
  readonly frame: Frame
  readonly essentials: Essentials
  readonly due: Due | undefined
}

/** The events that a plan makes. */
export function draftsOf(plan: ContextPlan, { frame, essentials, due }: Planned): readonly Draft[] {
  const drafts: Draft[] = []
  if (plan.retrieved) drafts.push({ type: 'retrieval.finished', data: plain(plan.retrieved) })
  if (plan.compressionFailed) drafts.push({ type: 'context.compression-failed', data: { error: plain(plan.compressionFailed) } })
  for (const summary of plan.compressed === undefined ? [] : [plan.compressed].flat())
    drafts.push({ type: 'context.compressed', data: plain(summary) })
  const items = plan.items?.length ? { items: plain(plan.items) } : undefined
  if (!due && !plan.rebase) return drafts.concat(items ? { type: 'context.assembled', data: items } : grown)
  const { system, tools, layers } = due ?? frame.context
  const { segments } = frame.context
  const shown = plan.rebase && wantedSegments(plan.rebase, frame)
  const next = shown ? safeSegments(frame, essentials, plain(shown)) : segments
  // What shows the same changes no bytes: it is no rebase, and is not paid for as one. Only what somebody has asked for is answered.
  if (!due && !frame.compact && isSame(next, segments)) return drafts.concat(items ? { type: 'context.assembled', data: items } : grown)
  const rebase: Rebase = {
    reason: plan.rebase?.reason ?? (due as Due).reason,
    system,
    tools,
    ...(layers && { layers }),
    ...segmentsOf(next),
    ...(plan.rebase?.budget && { budget: plain(plan.rebase.budget) }),
  }
  const data: EventData['context.assembled'] = { rebase, ...items }
  return [...drafts, { type: 'context.assembled', data }]
}

const isSame = (one: readonly Segment[], other: readonly Segment[]): boolean => JSON.stringify(one) === JSON.stringify(other)

const segmentsOf = (segments: readonly Segment[]): Pick<Rebase, 'segments'> => (segments.length > 0 ? { segments } : {})

/** A part of a plan, as it enters an event. */
const plain = <T extends object>(part: T): T => toJson(part) as T & Json

function safeSegments(frame: Frame, essentials: Essentials, wanted: readonly Segment[]): readonly Segment[] {
  readEssentials(essentials, frame)
  return coverHistory(frame, wanted, essentials)
}
