/** The rules that every correct journal of a thread keeps. They follow from the design, not from the fold: the two can disagree, and then one is wrong. */

/** Each rule, in one sentence. A journal that ends midway is legal: a rule about completeness holds where the journal claims to have moved on. */
export const historyRules = {
  'HIST-1': 'Seqs are gap-free from 1, and all events belong to one thread.',
  'HIST-2': 'A thread begins once, with its first event.',
  'HIST-3': 'Every event carries the run and the turn that are in force.',
  'HIST-4': 'Every driver has a higher epoch than the ones before.',
  'HIST-5': 'Before the first driver there are only events that contributors may append.',
  'HIST-6': 'Runs are numbered in the order in which they were asked for.',
  'HIST-7': 'One run at a time; no run overtakes the queue.',
  'HIST-8': 'A run ends once, and nothing of it happens before its start or after its end.',
  'HIST-9': 'Only an active run is suspended, only a suspended or failed one resumed, and a suspended one does no work.',
  'HIST-10': 'After a stop request no new work begins, and the run ends as stopped.',
  'HIST-11': 'A run is cancelled only after a stop request.',
  'HIST-12': 'Turns count up by one, each after the reply of the one before, and no further than the limit.',
  'HIST-13': 'The model is asked only with a context that was assembled for it; what changes earlier bytes says so.',
  'HIST-14': 'Attempts are numbered, one is under way at a time, and a failure for good is not tried again.',
  'HIST-15': 'A reply, a failure or what was streamed is of the attempt under way, and a reply comes from the driver that asked.',
  'HIST-16': 'An event about a call names a call that the reply of this turn proposed.',
  'HIST-17': 'No call gets a second result.',
  'HIST-18': 'Every call has its result before the thread moves on.',
  'HIST-19': 'A call begins only while it has no result and no driver performs it.',
  'HIST-20': 'An unsafe effect is never run again without a human who says that it did not happen.',
  'HIST-21': 'A serial call never overtakes an earlier serial call.',
  'HIST-22': 'A call does not begin before what was asked about it is settled in its favour.',
  'HIST-23':
    'A success comes from the driver that performed the call, from a human, or from a hook that replaced it; what is performed cannot be denied.',
  'HIST-24': 'In doubt is only what may have been done by a performer that is gone, and nothing else is asked about as such.',
  'HIST-25': 'Only a durable call that is being performed is suspended.',
  'HIST-26': 'A key of a durable call is begun by the driver that performs the call, and recorded once.',
  'HIST-27': 'A child is started once by a durable call that is performed, and finished once.',
  'HIST-28': 'No question id is used twice, and nothing is asked about a call that has its result.',
  'HIST-29': 'An answer fits a question that is open; of racing answers one takes effect.',
  'HIST-30': 'What comes with a time does not come before it.',
  'HIST-31': 'Nothing continues past an open question.',
  'HIST-32': 'A run finishes with an answer of the model that calls nothing and fits its form.',
  'HIST-33': 'What was steered reaches the model before the run finishes.',
  'HIST-34': 'A patch names one of the nine points and comes where that point is.',
  'HIST-35': 'Under one id there is one start.',
  'HIST-36':
    'A wait for a signal ends with the first signal of its name, or as expired when its time has passed; a signal that comes later does not end it.',
  'HIST-37': 'An agent adopts a thread from the agent that has it.',
  'HIST-38': 'A run that was asked to pause goes on only when a caller resumes it.',
  'HIST-39': 'A fork begins with what its edits make, and nothing else happens on it before its first driver.',
  'HIST-40': 'A fork with instructions sends no others to the model.',
  'HIST-41':
    'What a fork takes from the record of its parent happened there after the cut, is used once, and is used only where the effects of the fork are recorded.',
  'HIST-42': 'A stop keeps only text that the last attempt had streamed and that no reply and no other attempt came after.',
  'HIST-43': 'A driver asks a run to stop because its time is used up only while the run is active and nobody else has asked, and the stop says so.',
  'HIST-44': 'A run starts no more children, and begins no more calls, than its limits allow; those of its children count.',
  'HIST-45': 'A rebase covers the history in order, says why it leaves something out, and shows only summaries that were made.',
  'HIST-46':
    'What is said about files names each file once, says what became of it, and comes from nothing that only reads; contents are of these files.',
  'HIST-47':
    'Files are put back where a fork begins, and by its driver before it does anything else. What was put back was to be, and everything else is a conflict.',
  'HIST-48': 'A run is suspended at a breakpoint only where the thread has that breakpoint, and goes on only when a caller resumes it.',
} as const

/** The id of a rule. */
export type HistoryRule = keyof typeof historyRules

/** Where a history breaks a rule. */
export interface Violation {
  /** The rule that is broken. */
  readonly rule: HistoryRule
  /** The seq of the event that breaks it. */
  readonly seq: number
  /** What is wrong, with values. */
  readonly message: string
}
