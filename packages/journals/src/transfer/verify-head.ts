/**
 * What the row of a thread says against what its events say. The row is stored beside the events, and no hash covers all of it.
 *
 * VERIFY-1. Status, agent, parent, time to wake and labels follow from the events, and the epoch is at least that of the last driver among them. When
 *           the row was made and changed is known to the row alone.
 * VERIFY-2. A row that is partial may leave out the rest: a copy has one that is not whole, because a fork alone needs it or its end is not copied yet. Older
 *           versions wrote such a row as idle.
 */
import { canonicalJson, evolve, type Frame, type Head, type LoomEvent, type Summary, summarize } from '@loom-agent/kernel'
import { statuses } from '../storage/options.ts'

/** The frame after one more event; undefined from an event on that no version of Loom has written there. */
export function foldOne(frame: Frame | undefined, event: LoomEvent): Frame | undefined {
  // What is no thread of an agent has a row that follows from nothing.
  if (event.seq === 1 && event.type !== 'thread.started') return undefined
  return frame && evolve(frame, event)
}

/** What the row of a thread says that its events do not; `frame` is the thread at its end, if it could be folded. */
export function contradictionsOf({ summary, epoch, incarnation }: Head, frame: Frame | undefined): readonly string[] {
  const { status } = summary
  if (!statuses.includes(status)) return [`its status is ${JSON.stringify(status)}, which is none`]
  if (frame?.incarnation !== incarnation) return []
  const lowered = epoch < frame.epoch ? [`its epoch is ${epoch}, and a driver has recorded the epoch ${frame.epoch}`] : []
  const folded = summarize(frame)
  const isCopy = status === 'partial' || (status === 'idle' && folded.status !== 'idle')
  const differing = fields.filter((field) => !(isCopy && (field === 'status' || summary[field] === undefined)) && !isSame(summary, folded, field))
  return [...lowered, ...differing.map((field) => `its ${field} is ${said(summary[field])}, and its events say ${said(folded[field])}`)]
}

const fields = ['status', 'agent', 'parent', 'wakeAt', 'labels'] as const satisfies readonly (keyof Summary)[]

const said = (value: unknown): string => JSON.stringify(value) ?? 'none'

function isSame(one: Summary, other: Summary, field: (typeof fields)[number]): boolean {
  return canonicalJson(one[field] ?? null) === canonicalJson(other[field] ?? null)
}
