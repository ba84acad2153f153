/**
 * The judge of a trial: is it what the uninterrupted run would have been, as far as the effect classes promise?
 *
 * It compares what was acknowledged, what the journal holds and what happened in the world, and knows nothing of how the processes died.
 */
import { canonicalJson, type Json, type LoomEvent } from '@loom-agent/kernel'
import { checkHistory } from '../history/check-history.ts'
import type { Finding } from './finding.ts'
import { effectFindings, momentOf } from './judge-effects.ts'
import type { Acknowledged, TrialRecord } from './record.ts'
import { differenceOf, type Transcript } from './transcript.ts'

/** `same` as the uninterrupted run; the same, but a human was `asked` about calls in doubt; or something is `wrong`. */
export type VerdictKind = 'same' | 'asked' | 'wrong'

/** What the judge says of a trial. */
export interface Verdict {
  /** The verdict. */
  readonly kind: VerdictKind
  /** Its reasons; empty unless something is wrong. */
  readonly found: readonly Finding[]
}

/** Judges a trial by the uninterrupted run. */
export function judge(reference: TrialRecord, record: TrialRecord): Verdict {
  const unresolved = unresolvedIn(record)
  const found = [
    ...judgeAlone(record),
    ...transcriptFindings(reference, record, unresolved),
    ...questionFindings(reference, record),
    ...worldFindings(reference, record, unresolved.size > 0),
  ]
  const isAsked = record.transcripts.some(({ doubts }) => doubts.size > 0)
  return { kind: found.length > 0 ? 'wrong' : isAsked ? 'asked' : 'same', found }
}

/** What holds for every trial, interrupted or not. */
export function judgeAlone(record: TrialRecord): readonly Finding[] {
  const histories = [...record.threads].flatMap(([thread, events]) => historyFindings(thread, events))
  return [...record.found, ...acknowledgedFindings(record), ...histories, ...effectFindings(record), ...endFindings(record)]
}

/** Where a journal breaks a rule. */
export function historyFindings(thread: string, events: readonly LoomEvent[]): readonly Finding[] {
  return checkHistory(events).map(({ rule, seq, message }) => ({ kind: 'history', at: `${thread}@${seq}`, message: `${rule}: ${message}` }))
}

/** What was acknowledged is in the journal, unchanged. */
export function acknowledgedFindings({ threads, acknowledged }: Pick<TrialRecord, 'threads' | 'acknowledged'>): readonly Finding[] {
  const held = new Map([...threads].map(([thread, events]) => [thread, new Map(events.map((event) => [event.seq, event]))]))
  return acknowledged.flatMap((event): readonly Finding[] => {
    const at = `${event.thread}@${event.seq}`
    const now = held.get(event.thread)?.get(event.seq)
    if (!now) return [{ kind: 'lost', at, message: `${shown(event)} was acknowledged, and it is not there` }]
    // Another event in its place is no change of this one.
    const isAnother = now.type !== event.type || (event.time !== undefined && now.time !== event.time)
    if (!isAnother && isSame(now, event)) return []
    return [{ kind: isAnother ? 'lost' : 'changed', at, message: `${shown(event)} was acknowledged, and the journal has ${shown(now)} there` }]
  })
}

const shown = ({ type, data }: Pick<Acknowledged, 'type' | 'data'>): string => JSON.stringify([type, data]).slice(0, 300)

/** Whether every field of the acknowledged event is in the journal. A journal may keep the fields of an object in another order. */
function isSame(held: LoomEvent, acknowledged: Acknowledged): boolean {
  const fields = Object.keys(acknowledged) as (keyof Acknowledged)[]
  const [one, other] = [held, acknowledged].map((event) => JSON.stringify(fields.map((field) => event[field])))
  return one === other || canonicalJson(JSON.parse(one ?? '') as Json) === canonicalJson(JSON.parse(other ?? '') as Json)
}

/** Places whose outcome is unknown, or depends on when a stop came. */
function unresolvedIn({ transcripts, resolved }: TrialRecord): ReadonlySet<string> {
  return new Set(transcripts.flatMap(({ doubts, overtaken }) => [...[...doubts].filter((place) => !resolved.has(place)), ...overtaken]))
}

/** Where a model was sent something else, or a run ended differently. */
export function transcriptFindings(reference: TrialRecord, record: TrialRecord, unresolved: ReadonlySet<string>): readonly Finding[] {
  const known = new Map(record.transcripts.map((transcript) => [transcript.path, transcript]))
  const found = reference.transcripts.flatMap((expected): readonly Finding[] => {
    const actual = known.get(expected.path)
    if (!actual) return unresolved.size > 0 ? [] : [{ kind: 'transcript', message: `the thread ${expected.path} is missing` }]
    const own = [...unresolved].filter((place) => place.startsWith(`${actual.thread} `))
    // The outcome of a child is part of its parent's: an unknown outcome of another thread may show in this one.
    const isExcused = own.length < unresolved.size
    const difference = differenceOf(expected, actual, callsIn(actual, own))
    if (!difference || difference.excused || isExcused) return []
    return [{ kind: difference.kind, at: `${actual.thread}@${record.threads.get(actual.thread)?.length ?? 0}`, message: difference.message }]
  })
  const paths = new Set(reference.transcripts.map(({ path }) => path))
  const extra = unresolved.size > 0 ? [] : [...known.keys()].filter((path) => !paths.has(path))
  return [...found, ...extra.map((path): Finding => ({ kind: 'transcript', at: path, message: 'the uninterrupted run had no such thread' }))]
}

/** The calls that unresolved places of a thread belong to. */
const callsIn = ({ thread }: Transcript, places: readonly string[]): ReadonlySet<string> =>
  new Set(places.map((place) => place.slice(thread.length + 1).split('/')[0] ?? ''))

/** Runs that no process will ever drive again, and that have no end. */
function endFindings({ transcripts }: TrialRecord): readonly Finding[] {
  const endless = transcripts.filter(({ endings }) => endings.some((ending) => ending.endsWith('has no end')))
  return endless.map(({ thread }) => ({ kind: 'ending', at: thread, message: 'all processes are gone, and the run has no end' }))
}

/** Questions that only broken code raises. */
function questionFindings(reference: TrialRecord, record: TrialRecord): readonly Finding[] {
  const incompatible = (one: TrialRecord) => [...one.asked.values()].filter(({ kind }) => kind === 'incompatible')
  const [question] = incompatible(record)
  if (!question || incompatible(record).length <= incompatible(reference).length) return []
  return [{ kind: 'transcript', at: question.id, message: `a durable body took another path: ${question.prompt}` }]
}

/** The world must be as after the uninterrupted run; with an unresolved outcome, at least no unsafe effect happened more often. */
function worldFindings(reference: TrialRecord, record: TrialRecord, isUnresolved: boolean): readonly Finding[] {
  if (reference.world === record.world) return []
  const before = countsOf(reference, isUnresolved)
  const now = countsOf(record, isUnresolved)
  const differing = [...new Set([...before.keys(), ...now.keys()])].filter((text) => before.get(text) !== now.get(text))
  const more = differing.filter((text) => (now.get(text) ?? 0) > (before.get(text) ?? 0))
  if (isUnresolved && more.length === 0) return []
  const wrong = more.length > 0 ? more : differing
  const counts = wrong.map((text) => `${text} ${now.get(text) ?? 0} times, uninterrupted ${before.get(text) ?? 0} times${callersOf(record, text)}`)
  const difference = `the world is ${record.world}, and it was ${reference.world} after the uninterrupted run`
  const caller = record.worldCalls.find(({ text, by }) => by && wrong.includes(text))?.by
  return [
    { kind: more.length > 0 ? 'duplicate' : 'missing', ...(caller && { at: momentOf(record, caller) }), message: [difference, ...counts].join('; ') },
  ]
}

/** How often the world was called in each way: by all bodies, or by unsafe ones only. */
function countsOf({ worldCalls }: TrialRecord, isUnsafeOnly: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text, by } of worldCalls) {
    if (!isUnsafeOnly || by?.effect === 'unsafe') counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

function callersOf(record: TrialRecord, called: string): string {
  const callers = record.worldCalls.flatMap(({ text, by }) => (text === called && by ? [`${by.tool} (${by.effect}) at ${momentOf(record, by)}`] : []))
  return callers.length > 0 ? ` by ${[...new Set(callers)].join(', ')}` : ''
}
