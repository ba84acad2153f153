import { loadJudging } from '../attempt/attempt-model.ts'
import { loadBudgeting } from '../attempt/budgeting.ts'
import { loadJudgement } from '../call/authorize.ts'
import { loadDurableBodies } from '../call/body.ts'
import { loadHookPoints } from '../thread/drive-thread.ts'
import { loadValidation } from '../types/schema.ts'
import { loadChildRuns } from './children.ts'

/** Loads what runs load on use. A replay does it first: it takes what is still to come for missing, and must not wait for code. */
export async function loadOnUse(): Promise<void> {
  const modules = [
    import('./answer-question.ts'),
    import('./view-run.ts'),
    import('./resume-input.ts'),
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
  await Promise.all([
    loadJudging(),
    loadBudgeting(),
    loadJudgement(),
    loadDurableBodies(),
    loadChildRuns(),
    loadHookPoints(),
    loadValidation(),
    ...modules,
  ])
}
