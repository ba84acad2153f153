/** The events that the plan of a strategy makes. */
import type { Draft, Frame, Json, Rebase, Segment } from '@loom-agent/kernel'
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
export function draftsOf(plan: ContextPlan, planned: Planned): readonly Draft[] {
  const drafts: Draft[] = []
  if (plan.retrieved) drafts.push({ type: 'retrieval.finished', data: plain(plan.retrieved) })
  if (plan.compressionFailed) drafts.push({ type: 'context.compression-failed', data: { error: plain(plan.compressionFailed) } })
  for (const summary of plan.compressed === undefined ? [] : [plan.compressed].flat())
    drafts.push({ type: 'context.compressed', data: plain(summary) })
  const items = plan.items?.length ? { items: plain(plan.items) } : undefined
  const rebase = rebaseOf(plan, planned)
  return drafts.concat(rebase || items ? { type: 'context.assembled', data: { ...(rebase && { rebase }), ...items } } : grown)
}

/** The rebase that is due, or that a plan asks for. What shows the same changes no bytes: it is none, unless somebody has asked for a shorter context. */
function rebaseOf(plan: ContextPlan, { frame, essentials, due }: Planned): Rebase | undefined {
  const asked = plan.rebase
  const reason = asked?.reason ?? due?.reason
  if (reason === undefined) return undefined
  const { segments } = frame.context
  const shown = asked && wantedSegments(asked, frame)
  const next = shown ? safeSegments(frame, essentials, plain(shown)) : segments
  if (!due && !frame.compact && isSame(next, segments)) return undefined
  const { system, tools, layers } = due ?? frame.context
  return { reason, system, tools, ...(layers && { layers }), ...segmentsOf(next), ...(asked?.budget && { budget: plain(asked.budget) }) }
}

const isSame = (one: readonly Segment[], other: readonly Segment[]): boolean => JSON.stringify(one) === JSON.stringify(other)

const segmentsOf = (segments: readonly Segment[]): Pick<Rebase, 'segments'> => (segments.length > 0 ? { segments } : {})

/** A part of a plan, as it enters an event. */
const plain = <T extends object>(part: T): T => toJson(part) as T & Json

function safeSegments(frame: Frame, essentials: Essentials, wanted: readonly Segment[]): readonly Segment[] {
  readEssentials(essentials, frame)
  return coverHistory(frame, wanted, essentials)
}
