/** The vocabulary of findings: what every judge of crashes, kills and failing servers reports. */

/** Each kind of finding, in one phrase. */
export const findingKinds = {
  lost: 'acknowledged events that the journal does not hold',
  changed: 'acknowledged events that the journal holds differently',
  journal: 'damage, and writes that the journal must refuse',
  history: 'histories that break a rule',
  pairing: 'requests whose calls and results do not pair',
  duplicate: 'effects that happened more often than their class allows',
  missing: 'results without their effect, and intents without an end',
  early: 'effects that began before their intent was durable',
  transcript: 'transcripts that differ from the uninterrupted run',
  ending: 'runs that end differently, or not at all',
  winner: 'acknowledged answers that did not take effect',
  unsteady: 'uninterrupted runs that differ from each other',
  feed: 'commits that a reader of the feed missed, saw twice or saw out of order',
  stuck: 'runs that make no progress, or do not say what they wait for',
  failed: 'processes that failed by themselves',
} as const

/** A kind of finding. */
export type FindingKind = keyof typeof findingKinds

/** One violation. */
export interface Finding {
  /** What kind of violation it is. */
  readonly kind: FindingKind
  /** What is wrong, with values. */
  readonly message: string
  /** Where it shows: `thread@seq`, or a thread. */
  readonly at?: string
}

/** A finding as a message shows it. */
export function findingText({ kind, message, at }: Finding): string {
  return `${kind}${at === undefined ? '' : ` at ${at}`}: ${message}`
}
