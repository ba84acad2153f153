/** What a strategy asks for of the history, in segments. */
import type { Frame, Segment } from '@loom-agent/kernel'
import type { ContextPlan } from './strategy.ts'

/** What a strategy asks for. */
type PlannedRebase = NonNullable<ContextPlan['rebase']>

/** The segments that a plan asks for; undefined when it leaves the cuts as they are. */
export function wantedSegments({ segments, keepFrom, lead, reason }: PlannedRebase, { context }: Frame): readonly Segment[] | undefined {
  if (segments) return segments
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
