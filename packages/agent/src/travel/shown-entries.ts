/**
 * Which entries of the history two contexts show, and how: what one of them would keep that the other left out, and what it would lose.
 *
 * REPLAY-9. A turn looks at the entries that it adds, and a rebase at those whose treatment it changes: no turn compares the whole history again.
 */
import { at, type Entry, type Frame, type Segment } from '@loom-agent/kernel'
import { trimmed } from '../context/trim.ts'
import { previewOf } from '../explain/fragments.ts'
import { tokensOfEntry } from '../explain/tokens.ts'
import type { EntryChange, EntryChanges, EssentialLost } from './replay-types.ts'

/** How an entry is not shown, or not shown whole, and by which rule. */
type Hiding = Pick<EntryChange, 'as' | 'rule'>

const ranks: Readonly<Record<Hiding['as'], number>> = { trimmed: 1, summary: 2, dropped: 3, absent: 4 }
const rankOf = (hiding: Hiding | undefined): number => (hiding ? ranks[hiding.as] : 0)

/** Entries that are listed, at most. */
const mostListed = 50

/** Compares what two contexts show, turn by turn. */
export interface ShownEntries {
  /** Takes the contexts of the next turn: as recorded, and as it would be. */
  update(recorded: Frame, replayed: Frame): void
  /** What was found so far. */
  found(): { readonly kept: EntryChanges; readonly lost: EntryChanges; readonly essentials: readonly EssentialLost[] }
}

/** A comparison before the first turn. */
export function createShownEntries(): ShownEntries {
  const was = createSide()
  const would = createSide()
  const kept = createTracker()
  const lost = createTracker()
  const essentials = new Map<string, EssentialLost>()
  let turn = 0

  const entryOf = (key: string): Entry => (was.entries.get(key) ?? would.entries.get(key)) as Entry
  const judge = (key: string): void => {
    const [before, after] = [was.hidden.get(key), would.hidden.get(key)]
    const worse = rankOf(after) - rankOf(before)
    lost.set(key, worse > 0 ? after : undefined, turn)
    kept.set(key, worse < 0 ? before : undefined, turn)
  }
  const guard = (key: string, kind: EssentialLost['kind']): void => {
    const hiding = would.hidden.get(key)
    const place = `${kind} ${key}`
    if (!hiding || essentials.has(place) || essentials.size >= mostListed) return
    const entry = entryOf(key)
    essentials.set(place, { kind, turn, seq: entry.seq, text: previewOf(entry), ...hiding })
  }

  return {
    update(recorded, replayed) {
      ;({ turn } = recorded)
      const touched = new Set<string>([...read(was, recorded), ...read(would, replayed)])
      for (const key of touched) {
        for (const side of [was, would]) if (!side.entries.has(key)) side.hidden.set(key, { as: 'absent', rule: 'not added' })
        judge(key)
        const { pin, item } = entryOf(key)
        if (pin || item?.pin) guard(key, 'pin')
      }
      if (was.question !== undefined) guard(was.question, 'question')
    },
    found: () => ({ kept: kept.found(entryOf, turn), lost: lost.found(entryOf, turn), essentials: [...essentials.values()] }),
  }
}

/** What one context shows of its history. */
interface Side {
  /** The names of the entries, in order: an entry has the same name on both sides. */
  readonly keys: string[]
  readonly counts: Map<string, number>
  readonly entries: Map<string, Entry>
  readonly hidden: Map<string, Hiding>
  segments: readonly Segment[]
  /** The last thing that a person said. */
  question: string | undefined
}

const createSide = (): Side => ({ keys: [], counts: new Map(), entries: new Map(), hidden: new Map(), segments: [], question: undefined })

/** Takes in the context of the next turn; returns the entries that are new or are treated otherwise. */
function read(side: Side, { history, context }: Frame): readonly string[] {
  const { length } = side.keys
  for (let index = length; index < context.covered; index += 1) name(side, at(history, index) as Entry)
  const touched: string[] = []
  for (const { from, to, segment } of changes(side.segments, context.segments, { known: length, all: context.covered })) {
    for (let index = from; index < to; index += 1) {
      const key = side.keys[index] as string
      const hiding = hidingOf(at(history, index) as Entry, segment)
      if (hiding) side.hidden.set(key, hiding)
      else side.hidden.delete(key)
      touched.push(key)
    }
  }
  side.segments = context.segments
  return touched
}

function name(side: Side, entry: Entry): void {
  const { origin, item } = entry
  const kind = item ? `item ${item.id}` : origin
  const number = side.counts.get(kind) ?? 0
  side.counts.set(kind, number + 1)
  const key = `${kind} ${number}`
  side.keys.push(key)
  side.entries.set(key, entry)
  if (origin === 'input' || origin === 'steered') side.question = key
}

interface Change {
  readonly from: number
  readonly to: number
  readonly segment: Segment | undefined
}

/** Where segments treat entries otherwise than the segments before them; all entries that were not known are new. */
function changes(before: readonly Segment[], after: readonly Segment[], { known, all }: { known: number; all: number }): readonly Change[] {
  const found: Change[] = []
  const ends = [...new Set([known, all, ...before.map(({ to }) => to), ...after.map(({ to }) => to)])].filter((end) => end <= all)
  let from = before === after ? known : 0
  let [old, next] = [0, 0]
  for (const to of ends.sort((one, other) => one - other)) {
    if (to <= from) continue
    while (old < before.length && (before[old] as Segment).to <= from) old += 1
    while (next < after.length && (after[next] as Segment).to <= from) next += 1
    if (from >= known || treatmentOf(before[old]) !== treatmentOf(after[next])) found.push({ from, to, segment: after[next] })
    from = to
  }
  return found
}

/** What a segment does with its entries, wherever it ends. */
function treatmentOf(segment: Segment | undefined): string {
  if (!segment || (segment.as === 'kept' && !segment.trims)) return ''
  if (segment.as === 'summary') return 'summary'
  return JSON.stringify({ ...segment, to: 0 })
}

function hidingOf(entry: Entry, segment: Segment | undefined): Hiding | undefined {
  if (!segment) return undefined
  if (segment.as === 'dropped') return { as: 'dropped', rule: segment.rule }
  if (segment.as === 'summary') return { as: 'summary', rule: ('rule' in segment && segment.rule) || 'summary' }
  if (!segment.trims || trimmed(entry, segment.trims) === entry) return undefined
  return { as: 'trimmed', rule: [...new Set(segment.trims.map(({ rule }) => rule))].join(', ') }
}

/** Collects entries that are treated otherwise, and in how many turns. */
interface Tracker {
  /** From a turn on, an entry is treated otherwise in this way, or, without one, no more. */
  set(key: string, hiding: Hiding | undefined, turn: number): void
  found(entryOf: (key: string) => Entry, last: number): EntryChanges
}

interface Tracked {
  readonly first: number
  hiding: Hiding
  turns: number
  /** The turn since which it is so; undefined when it is not any more. */
  since: number | undefined
}

function createTracker(): Tracker {
  const tracked = new Map<string, Tracked>()
  return {
    set(key, hiding, turn) {
      const one = tracked.get(key)
      if (hiding && !one) tracked.set(key, { first: turn, hiding, turns: 0, since: turn })
      if (!one) return
      if (hiding) {
        one.hiding = hiding
        one.since ??= turn
      } else if (one.since !== undefined) {
        one.turns += turn - one.since
        one.since = undefined
      }
    },
    found(entryOf, last) {
      const groups = new Map<string, { -readonly [K in keyof EntryChanges['by'][number]]: EntryChanges['by'][number][K] }>()
      const listed: EntryChange[] = []
      let all = 0
      for (const [key, { first, hiding, turns, since }] of tracked) {
        const entry = entryOf(key)
        const tokens = Math.round(tokensOfEntry(entry))
        all += tokens
        const group = groups.get(JSON.stringify(hiding)) ?? { ...hiding, entries: 0, tokens: 0 }
        groups.set(JSON.stringify(hiding), group)
        group.entries += 1
        group.tokens += tokens
        if (listed.length >= mostListed) continue
        const count = turns + (since === undefined ? 0 : last - since + 1)
        const { origin, seq } = entry
        listed.push({ origin, seq, text: previewOf(entry), tokens, ...hiding, turn: first, turns: count })
      }
      return { entries: tracked.size, tokens: all, by: [...groups.values()], listed }
    },
  }
}
