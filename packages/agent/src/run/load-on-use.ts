import { loadJudging, loadRecording } from '../attempt/attempt-model.ts'
import { loadBudgeting } from '../attempt/budgeting.ts'
import { loadOutputFormat } from '../attempt/build-request.ts'
import { loadMarking } from '../attempt/marking.ts'
import { loadJudgement } from '../call/authorize.ts'
import { loadDurableBodies } from '../call/body.ts'
import { loadAsking } from '../context/assemble.ts'
import { loadForkModels } from '../definition/run-context.ts'
import { loadGuarding } from '../guard/load-guarding.ts'
import { loadRedaction } from '../platform/redaction.ts'
import { loadHookPoints } from '../thread/drive-epoch.ts'
import { loadEpochs } from '../thread/drive-thread.ts'
import { loadWords } from '../thread/words-on-use.ts'
import { loadReadMore } from '../tool/read-more-listing.ts'
import { loadValidation } from '../types/load-json-check.ts'
import { loadChildRuns } from './children.ts'
import { loadConsulting } from './run-follower.ts'
import { loadStarting } from './start-run.ts'

/** Loads what runs load on use. A replay does it first: it takes what is still to come for missing, and must not wait for code. */
export async function loadOnUse(): Promise<void> {
  const modules = [
    import('./answer-question.ts'),
    import('./view-run.ts'),
    import('./require-model.ts'),
    import('./wait-of.ts'),
    import('../question/pending.ts'),
    import('./resume-input.ts'),
    import('./send-signal.ts'),
    import('./ask-resolver.ts'),
    import('./follow.ts'),
    import('./look-again.ts'),
    import('./resume-children.ts'),
    import('../thread/child-work.ts'),
    import('../thread/observe.ts'),
    import('../thread/guard-steering.ts'),
    import('../thread/restore-files.ts'),
    import('../call/stand-in.ts'),
    import('../definition/system-layers.ts'),
    import('../tool/stop-note.ts'),
    import('../tool/read-more.ts'),
    import('../definition/ask-functions.ts'),
    import('../model/output.ts'),
    import('../platform/adopt-thenable.ts'),
    import('../platform/memory-queries.ts'),
    import('../platform/memory-dropping.ts'),
    import('../platform/read-memory-feed.ts'),
    import('./recover.ts'),
    import('../platform/check-queries.ts'),
  ]
  await Promise.all([
    loadJudging(),
    loadBudgeting(),
    loadMarking(),
    loadOutputFormat(),
    loadRecording(),
    loadJudgement(),
    loadDurableBodies(),
    loadChildRuns(),
    loadConsulting(),
    loadStarting(),
    loadForkModels(),
    loadAsking(),
    loadHookPoints(),
    loadEpochs(),
    loadRedaction(),
    loadValidation(),
    loadWords(),
    loadReadMore(),
    loadGuarding(),
    ...modules,
  ])
}
