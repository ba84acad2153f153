/** The rules that every correct journal of a thread keeps. They follow from the design, not from the fold: the two can disagree, and then one is wrong. */

/** Each rule, in one sentence. A journal that ends midway is legal: a rule about completeness holds where the journal claims to have moved on. */
export const historyRules = {
  H1: 'Seqs are gap-free from 1, and all events belong to one thread.',
  H2: 'A thread begins once, with its first event.',
  H3: 'Every event carries the run and the turn that are in force.',
  H4: 'Every driver has a higher epoch than the ones before.',
  H5: 'Only what visitors may say comes before the first driver.',
  H6: 'Runs are numbered in the order in which they were asked for.',
  H7: 'One run at a time; nobody overtakes the queue.',
  H8: 'A run ends once, and nothing of it happens before its start or after its end.',
  H9: 'Only an active run is suspended, only a suspended or failed one resumed, and a suspended one does no work.',
  H10: 'After a stop request no new work begins, and the run ends as stopped.',
  H11: 'A run is cancelled only when somebody asked for it.',
  H12: 'Turns count up by one, each after the reply of the one before, and no further than the limit.',
  H13: 'The model is asked only with a context that was assembled for it; what changes earlier bytes says so.',
  H14: 'Attempts are numbered, one is under way at a time, and a failure for good is not tried again.',
  H15: 'A reply or a failure answers the attempt under way, and a reply comes from the driver that asked.',
  H16: 'What is said of a call is said of one that the reply of this turn proposed.',
  H17: 'No call gets a second result.',
  H18: 'Every call has its result before the thread moves on.',
  H19: 'A call is begun only while it has no result and nobody performs it.',
  H20: 'An unsafe effect is never run again without a human who says that it did not happen.',
  H21: 'A serial call never overtakes an earlier serial call.',
  H22: 'A call does not begin before what was asked about it is settled in its favour.',
  H23: 'A success comes from the driver that performed the call, from a human, or from a hook that stood in for it; what is performed cannot be denied.',
  H24: 'In doubt is only what may have been done by a performer that is gone, and nothing else is asked about as such.',
  H25: 'Only a durable call that is being performed is suspended.',
  H26: 'A key of a durable call is begun by whoever performs the call, and recorded once.',
  H27: 'A child is started once by a durable call that is performed, and finished once.',
  H28: 'No question id is used twice, and nothing is asked about a call that has its result.',
  H29: 'An answer fits a question that is open; of racing answers one takes effect.',
  H30: 'What comes with a time does not come before it.',
  H31: 'Nothing goes on past an open question.',
  H32: 'A run finishes with an answer of the model that calls nothing and fits its form.',
  H33: 'What was steered reaches the model before the run finishes.',
  H34: 'A patch names one of the nine points and comes where that point is.',
} as const

/** The id of a rule. */
export type HistoryRule = keyof typeof historyRules

/** Where a history breaks a rule. */
export interface Violation {
  readonly rule: HistoryRule
  readonly seq: number
  readonly message: string
}
