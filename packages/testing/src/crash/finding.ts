/** What a judge of crashes reports. */

/**
 * What is wrong: an effect happened more often or less often than its class promises; the model was told something else; a run ended otherwise;
 * a journal breaks a rule, or a request is not valid; the journal lost or altered what it had acknowledged, or let a fenced driver write; an effect
 * began before its intent was durable; nothing moved any more; the life could not be lived at all; two undisturbed lives differ; of two winners one was told a lie.
 */
export type FindingKind =
  | 'duplicate'
  | 'lost'
  | 'transcript'
  | 'ending'
  | 'history'
  | 'pairing'
  | 'journal'
  | 'intent'
  | 'stuck'
  | 'failed'
  | 'unsteady'
  | 'winner'

/** One thing that is wrong, and where: `thread@seq`, as far as it has a place. */
export interface Finding {
  readonly kind: FindingKind
  readonly message: string
  readonly at?: string
}

/** A finding as people read it. */
export function findingText({ kind, message, at }: Finding): string {
  return `${kind}${at === undefined ? '' : ` at ${at}`}: ${message}`
}
