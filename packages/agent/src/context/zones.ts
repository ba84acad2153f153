/**
 * Zones of the context, and their shares of the budget.
 *
 * ZONE-1. Of a zone that has more than its share, the latest entries stay. What must stay in any case is never cut.
 */
import { at, type Entry, type Segment } from '@loom-agent/kernel'
import type { ContextPlan, ContextRequest } from './strategy.ts'

/** A zone that may have a share: texts of skills, memories and retrieved documents, reminders and lists of tasks, the conversation itself. */
export type Zone = 'skills' | 'memory' | 'reminders' | 'history'

/** Shares of the budget by zone, from 0 to 1. */
export type Shares = { readonly [Z in Zone]?: number }

/** Every zone. */
export const zones: readonly Zone[] = ['skills', 'memory', 'reminders', 'history']

const zonesOfItems: Readonly<Record<string, Zone>> = {
  skill: 'skills',
  memory: 'memory',
  document: 'memory',
  reminder: 'reminders',
  todo: 'reminders',
}

/** The zone of an entry. */
export function zoneOf({ origin, item }: Entry): Zone {
  if (origin === 'retrieved') return 'memory'
  return (item && Object.hasOwn(zonesOfItems, item.kind) ? zonesOfItems[item.kind] : undefined) ?? 'history'
}

/** What a cut by zones is made for. */
export interface ZoneOptions {
  /** The index of the first entry that may be cut. */
  readonly after: number
  readonly shares: Shares
  /** The most tokens of a request. */
  readonly max: number
}

/** Entries that are left out, by index, with the rule and the reason. */
export type Cut = ReadonlyMap<number, Readonly<{ rule: string; reason: string }>>

const outdated = { rule: 'todo', reason: 'It shows an earlier list of tasks, and there is a later one.' }

/**
 * The entries that zones have too much of, and lists of tasks that a later one took the place of. The conversation is not cut here: what is old of it
 * becomes a summary.
 */
export function cutZones(request: ContextRequest, { after, shares, max }: ZoneOptions): Cut {
  const { frame, tokens } = request
  const { history } = frame
  const cut = new Map<number, Readonly<{ rule: string; reason: string }>>()
  const essential = new Set(request.essentials())
  const used = new Map<Zone, number>()
  let current = request.todos()?.entry ?? 0
  for (let index = history.length - 1; index >= after; index -= 1) {
    const entry = at(history, index) as Entry
    const zone = zoneOf(entry)
    if (zone === 'history' || essential.has(index)) continue
    if (entry.item?.kind === 'todo') {
      if (index < current) cut.set(index, outdated)
      current = Math.max(current, index)
      if (cut.has(index)) continue
    }
    const most = Math.floor((shares[zone] ?? 1) * max)
    const size = (used.get(zone) ?? 0) + tokens.entry(index)
    if (size > most) cut.set(index, { rule: 'zone', reason: `The zone ${zone} may have ${most} tokens, and this with what came later has more.` })
    else used.set(zone, size)
  }
  return cut
}

/** The segments of entries of which some are dropped; `segment` makes that of a range that is shown. */
export function zoneSegments(
  cut: Cut,
  [from, to]: readonly [from: number, to: number],
  segment: (from: number, to: number) => readonly Segment[],
): readonly Segment[] {
  const segments: Segment[] = []
  let shownFrom = from
  for (const index of [...cut.keys()].filter((one) => one >= from && one < to).sort((one, other) => one - other)) {
    if (index > shownFrom) segments.push(...segment(shownFrom, index))
    const why = cut.get(index) ?? outdated
    const last = segments.at(-1)
    if (last?.as === 'dropped' && last.to === index && last.reason === why.reason) segments.pop()
    segments.push({ to: index + 1, as: 'dropped', ...why })
    shownFrom = index + 1
  }
  return shownFrom < to ? [...segments, ...segment(shownFrom, to)] : segments
}

/** Cuts zones along with a rebase that is made anyway. */
export function planZones(request: ContextRequest, shares: Shares, max: number): ContextPlan {
  const { frame, tokens, rebase, model } = request
  const { segments: current } = frame.context
  const { length } = frame.history
  const after = Math.min(current.at(-1)?.to ?? 0, length)
  const cut = cutZones(request, { after, shares, max })
  if (cut.size === 0 || rebase === undefined) return {}
  const segments = [...current, ...zoneSegments(cut, [after, length], (_, to) => [{ to, as: 'kept' }])]
  const before = tokens.shown()
  const budget = { max, before, after: Math.min(before, tokens.showing(segments)), ...(model.window !== undefined && { window: model.window }) }
  return { rebase: { reason: rebase, segments, budget } }
}
