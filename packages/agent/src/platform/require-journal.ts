/** Refuses what is no journal, such as an agent, where a function takes one. */
import { expected } from './expected.ts'
import { checkOptions } from './options.ts'

/** Throws unless it is a journal; `what` names the function in the message. */
export function requireJournal(what: string, journal: unknown): void {
  checkOptions(what, { journal }, { journal: expected.required(expected.journal) })
}
