import { loadDurableBodies } from '../call/body.ts'
import { loadChildRuns } from './children.ts'

/** Loads what runs load on use. A replay does it first: it takes what is still to come for missing, and must not wait for code. */
export async function loadOnUse(): Promise<void> {
  await Promise.all([loadDurableBodies(), loadChildRuns(), import('./answer-question.ts'), import('./send-signal.ts'), import('./follow.ts')])
}
