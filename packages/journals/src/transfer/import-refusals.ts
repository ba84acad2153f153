/**
 * Why lines are not imported into a journal that has their thread.
 *
 * IMPORT-7. No refusal advises to remove the thread: what it has may be newer than the lines.
 * IMPORT-11. Lines change no thread that this journal trusts, which is one that is whole and not quarantined: nothing is added to it, and it gets no child.
 *            Its driver would believe what the child says.
 */
import type { LoomError } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'

/** The cause of an error when another writer has changed the thread meanwhile. */
export const otherWriter = 'another writer has changed the thread'

/** The thread of that name is not the exported one; they differ at a seq, or from the start. */
export function otherThread(thread: string, seq?: number): LoomError {
  const where = seq === undefined ? 'it has another incarnation' : `they differ at ${thread}@${seq}`
  const what = `The thread ${thread} in this journal is not the exported thread of that name: ${where}.`
  return journalError('unusable', `${what} Import into another journal.`, { context: { thread, ...(seq !== undefined && { seq }) } })
}

/** Where the thread ends in the journal and in the lines. */
interface Ends {
  readonly seq: number
  readonly read: { readonly seq: number }
}

/** The thread has all that the lines have of it, and may have gone on. */
export function hasAll(thread: string, { seq, read }: Ends): LoomError {
  const same = `with all that these lines have, to ${thread}@${seq}. There is nothing to import.`
  const newer = `and has gone on to ${thread}@${seq}; these lines end at ${thread}@${read.seq}. Keep it: it has what is newer. To have the older state too, import into another journal.`
  const message = `The thread ${thread} is in this journal already, ${read.seq < seq ? newer : same}`
  return journalError('unusable', message, { context: { thread, seq, exported: read.seq } })
}

/** The lines have more, and the thread is driven here. */
export function isHeld(thread: string, holder: string): LoomError {
  const what = `The thread ${thread} is in this journal already, and is held by ${holder}, which may add to it.`
  return journalError('unusable', `${what} Import when it is released, or into another journal.`, { context: { thread, holder } })
}

/** Another writer was faster. */
export function changedMeanwhile(thread: string): LoomError {
  const what = `The thread ${thread} is in this journal already: another writer has changed it during the import.`
  return journalError('unusable', `${what} Import again when nothing writes to it, or into another journal.`, {
    cause: otherWriter,
    context: { thread },
  })
}

/** The lines have more of a thread that is trusted here (IMPORT-11). */
export function isTrusted(thread: string): LoomError {
  const what = `The thread ${thread} is in this journal already, and is trusted here: it is not quarantined. Lines from outside add nothing to it.`
  const advice = 'Import into another journal; between your own journals, use migrate().'
  return journalError('unusable', `${what} ${advice}`, { context: { thread } })
}

/** The lines have a child of a thread that is trusted here (IMPORT-11). */
export function isChildOfTrusted(thread: string, parent: string): LoomError {
  const what = `The thread ${thread} is a child of ${parent}, which is in this journal already and is trusted here. Lines from outside give it no children.`
  const advice = 'Import into another journal; between your own journals, use migrate().'
  return journalError('unusable', `${what} ${advice}`, { context: { thread, parent } })
}
