/**
 * What going on with a thread appends, or stopping its run. Loaded on use: most runs are started and end.
 *
 * RESUME-2. A thread that is quarantined (JOURNAL-23) is not gone on with, also where there is nothing to append or to drive: nobody is asked a question
 *     that only its lines say was asked, and no result of theirs is returned as one of a run.
 */
import { type Draft, type Frame, isOver, LoomError, type Run, threadQuarantined } from '@loom-agent/kernel'
import { checkDeps } from '../definition/run-context.ts'
import { adoptionOf, requireOwn } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { Runtime } from '../thread/runtime.ts'
import { type RunInput, type StartRequest, stopOf } from './run-input.ts'
import { checkReadable, childError, depsFor, stopInput } from './start-input.ts'

/** Throws for a thread that was imported and not adopted (RESUME-2). */
export async function requireAdopted({ journal }: Pick<Runtime, 'journal'>, thread: string): Promise<void> {
  if ((await journal.head(thread))?.summary.quarantined) throw threadQuarantined(thread)
}

/** What a request without messages appends, to the thread as it is. */
export function inputToGoOn(instance: AgentInstance, request: StartRequest, frame: Frame): RunInput {
  const stop = stopOf(request)
  if (!stop) return resumeInput(instance, request, frame)
  requireOwn(instance, frame)
  return stopInput(runToGoOn(frame, 'stop'), stop)
}

/** Going on: a finished run is not run again; a failed, paused or limited one is. */
export function resumeInput(instance: AgentInstance, { options, isRecovery }: StartRequest, frame: Frame): RunInput {
  const run = runToGoOn(frame, 'resume')
  const { id, status } = run
  const check = (going: Pick<Run, 'id' | 'request'>): void => checkDeps(going, depsFor(instance, frame, { run: going.id, options }))
  if (!isOver(run) || status === 'failed') check(run)
  const adopted = adoptionOf(instance, frame, options)
  const drafts: Draft[] = [...adopted, ...(options.limits ? [{ type: 'limit.raised', data: { limits: options.limits } } as const] : [])]
  if (status === 'failed' || status === 'suspended') {
    const needsCaller = status === 'failed' || run.pause
    return { run: id, drafts, drive: needsCaller && !isRecovery ? { resume: 'asked' } : { force: true } }
  }
  if (status === 'active') return { run: id, drafts, drive: {} }
  const isLimited = status === 'stopped' && (run.end?.kind === 'limit' || run.end?.kind === 'budget') && options.limits !== undefined
  if (isLimited) return { run: id, drafts, drive: {} }
  // What waits in the queue is what there is to go on with: its driver may have died before it started.
  const [next] = frame.queue
  if (!next) return { run: id, drafts: adopted, drive: undefined }
  check({ id: next.run, request: next.request })
  return { run: next.run, drafts: adopted, drive: {} }
}

/** The run that is resumed or stopped. */
function runToGoOn(frame: Frame, verb: 'resume' | 'stop'): Run {
  const { run, thread, parent } = frame
  if (!run) {
    throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no run to ${verb} on the thread ${thread}. Start one.`, { context: { thread } })
  }
  if (parent) throw childError(thread, `${verb} that thread, it drives its children`, parent.thread)
  checkReadable(frame)
  return run
}
