/** What tests need to look at a thread from outside. */
export { abandoned, eventsOf, factsOf, type Journaled, typesOf } from '../../../test/support/threads.ts'
