import { loadDurableBodies } from '../call/body.ts'
import { loadHookPoints } from '../thread/drive-thread.ts'
import { loadValidation } from '../types/schema.ts'
import { loadChildRuns } from './children.ts'

/** Loads what runs load on use. A replay does it first: it takes what is still to come for missing, and must not wait for code. */
export async function loadOnUse(): Promise<void> {
  const modules = [
    import('./answer-question.ts'),
    import('./send-signal.ts'),
    import('./ask-resolver.ts'),
    import('./follow.ts'),
    import('./look-again.ts'),
    import('./resume-children.ts'),
    import('../thread/child-work.ts'),
    import('../thread/observe.ts'),
    import('../platform/memory-queries.ts'),
    import('./recover.ts'),
    import('../platform/check-queries.ts'),
  ]
  await Promise.all([loadDurableBodies(), loadChildRuns(), loadHookPoints(), loadValidation(), ...modules])
}
