/** What a judge can find wrong with what killed processes have left. */

/** The verdicts, as columns of the table. */
export const verdicts = {
  lost: 'told events that are not there',
  changed: 'told events that are not the same any more',
  doubled: 'effects that happened twice',
  forgotten: 'intents without an end, or ends without their effect',
  early: 'effects before their intent, or of no call at all',
  history: 'histories that break a rule',
  damage: 'damage that the journal reports',
  transcript: 'transcripts or answers that are not the expected ones',
  stuck: 'processes that failed or did not end',
} as const

/** A kind of violation. */
export type Verdict = keyof typeof verdicts

/** One violation: which life, and what is wrong. */
export interface Finding {
  readonly verdict: Verdict
  readonly life: string
  readonly message: string
}
