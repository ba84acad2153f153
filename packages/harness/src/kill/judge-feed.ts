/** Judges what readers of a feed have seen, by what writers said that they would append and what they were acknowledged. */
import type { FeedEntry } from '@loom-agent/kernel'
import type { Finding } from '@loom-agent/testing/crash'

/** A commit or a removal, as a writer announced it; `refused` when the journal has certainly not done it. */
export interface FeedAttempt {
  readonly kind: FeedEntry['kind']
  readonly thread: string
  readonly incarnation: string
  readonly seq: number
  outcome: 'unknown' | 'acknowledged' | 'refused'
}

/** What a reader has seen of an entry of the feed. */
export type SeenEntry = Pick<FeedEntry, 'kind' | 'thread' | 'incarnation' | 'seq' | 'position'>

/** What one cursor has seen, in order. */
export interface FeedReading {
  readonly reader: string
  readonly entries: readonly SeenEntry[]
}

type Place = Pick<SeenEntry, 'kind' | 'thread' | 'incarnation' | 'seq'>

const placeOf = ({ kind, thread, incarnation, seq }: Place): string => `${kind} ${thread} ${incarnation} @${seq}`
const lifeOf = ({ thread, incarnation }: Place): string => `${thread} ${incarnation}`

/** Findings about each reader that are reported. */
const mostFindings = 20

/**
 * Every acknowledged commit was seen once by every cursor, in the order of its thread, and all cursors saw the same order. The commits of a removed thread
 * may be gone before a reader comes; its removal may not.
 */
export function judgeFeed(attempts: readonly FeedAttempt[], readings: readonly FeedReading[]): readonly Finding[] {
  const findings = readings.flatMap((reading) => judgeReading(attempts, reading).slice(0, mostFindings))
  const [first, ...others] = readings
  return [...findings, ...others.flatMap((other) => (first ? orderFindings(first, other) : []))]
}

function judgeReading(attempts: readonly FeedAttempt[], { reader, entries }: FeedReading): readonly Finding[] {
  const found: Finding[] = []
  const report = (entry: Place, message: string): void => void found.push({ kind: 'feed', at: placeOf(entry), message: `${reader} ${message}` })
  const tried = new Map(attempts.filter(({ outcome }) => outcome !== 'refused').map((attempt) => [placeOf(attempt), attempt]))
  const isRemovable = new Set(attempts.filter(({ kind, outcome }) => kind === 'removed' && outcome !== 'refused').map(lifeOf))
  const seen = new Set<string>()
  const last = new Map<string, SeenEntry>()
  for (const entry of entries) {
    const before = last.get(lifeOf(entry))
    if (seen.has(placeOf(entry))) report(entry, 'saw it twice')
    else if (!tried.has(placeOf(entry))) report(entry, 'saw it, and no writer has appended it')
    else if (before?.kind === 'removed') report(entry, 'saw it after the removal of its thread')
    else if (before && entry.kind === 'changed' && before.seq >= entry.seq) report(entry, `saw it after @${before.seq}`)
    seen.add(placeOf(entry))
    last.set(lifeOf(entry), entry)
  }
  for (const [place, attempt] of tried) {
    const mayBeGone = attempt.kind === 'changed' && isRemovable.has(lifeOf(attempt))
    if (attempt.outcome === 'acknowledged' && !mayBeGone && !seen.has(place)) report(attempt, 'never saw it')
  }
  return found
}

/** What two cursors have both seen they have seen in the same order. */
function orderFindings(one: FeedReading, other: FeedReading): readonly Finding[] {
  const common = (reading: FeedReading, places: ReadonlySet<string>): readonly string[] => [
    ...new Set(reading.entries.map(placeOf).filter((place) => places.has(place))),
  ]
  const seenByOther = new Set(other.entries.map(placeOf))
  const order = common(one, seenByOther)
  const otherOrder = common(other, new Set(one.entries.map(placeOf)))
  const differs = order.findIndex((place, index) => otherOrder[index] !== place)
  if (differs < 0) return []
  const message = `${one.reader} saw it next, and ${other.reader} saw ${otherOrder[differs]}`
  return [{ kind: 'feed', at: order[differs] ?? '', message }]
}
