/**
 * Rewinding: a fork whose files are put back as they were where it is cut.
 *
 * REWIND-2. Said again with the same id, it goes on with the fork that is there: its files are put back once, and what became of them is read from its record.
 */
import { canonicalJson, type Json, LoomError, threadQuarantined } from '@loom-agent/kernel'
import { sleepUntil } from '../resilience/sleep.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { recordedRestore, restoreFiles } from '../thread/restore-files.ts'
import { foldNews } from '../thread/thread-cache.ts'
import { nameMoment, parseMoment } from '../types/moment.ts'
import type { Workspace } from '../types/workspace.ts'
import { appendFork, cutAt, firstBatch, type MadeFork, madeFork, requireFree } from './fork.ts'
import { checkRewind } from './fork-options.ts'
import type { Cut, ErasedRewound, RewindOptions, RewindPlan } from './fork-types.ts'
import { planOf } from './plan.ts'
import { planRestore, type RestorePlan, restoreDraft } from './plan-restore.ts'

/** Returns what a rewind would do, and does nothing. */
export async function planRewind(instance: AgentInstance, at: string, options: RewindOptions): Promise<RewindPlan> {
  const rewinding = await beginRewind(instance, at, options)
  const { cut, made } = rewinding
  const { from: folder, files, conflicts, unseen, shared } = await plannedRestore(instance, rewinding)
  return { fork: await planOf(instance, { ...cut, ...made }), folder, files, conflicts, unseen, shared }
}

/** Forks a thread, and puts the files of its workspace back. The parent is only read. */
export async function rewindThread(instance: AgentInstance, at: string, options: RewindOptions): Promise<ErasedRewound> {
  const rewinding = await beginRewind(instance, at, options)
  const { cut, workspace, thread } = rewinding
  let { made } = rewinding
  let known: Pick<RestorePlan, 'unseen' | 'shared'> = { unseen: [], shared: [] }
  const plan = await planOf(instance, { ...cut, ...made })
  if (!(await isMade(instance, rewinding))) {
    requireFree(thread)
    // Its lines come from outside, and would say what is written where.
    if (cut.quarantined) throw threadQuarantined(rewinding.asked)
    const restore = await plannedRestore(instance, rewinding)
    known = { unseen: restore.unseen, shared: restore.shared }
    made = firstBatch(instance, cut, { thread, more: [restoreDraft(nameMoment(cut.moment), restore, workspace.name)] })
    await appendFork(instance, cut, { ...made, isAnonymous: options.thread === undefined || undefined })
  }
  const { incarnation, ...restored } = await restoreAll(instance, thread)
  return { ...madeFork(instance, { thread, incarnation, plan, edits: cut.edits }), ...restored, ...known }
}

/** A rewind that is about to be planned. */
interface Rewind {
  readonly cut: Cut
  readonly asked: string
  readonly from: string
  readonly thread: string
  readonly workspace: Workspace
  readonly made: MadeFork
}

async function beginRewind(instance: AgentInstance, at: string, options: RewindOptions): Promise<Rewind> {
  const { definition, runtime } = instance
  checkRewind(definition, options)
  const { workspace } = definition.options
  if (!workspace) {
    const message = `${definition.name} has no workspace whose files could be put back. Give it one: agent({ workspace }), or make a fork.`
    throw new LoomError('LOOM_WORKSPACE_MISSING', message, { context: { agent: definition.name } })
  }
  const cut = await cutAt(instance, at, options)
  const { thread: asked } = parseMoment(at)
  const thread = options.thread ?? runtime.ports.ids()
  return { cut, asked, from: options.from ?? asked, thread, workspace, made: firstBatch(instance, cut, { thread }) }
}

/** Plans what is done to files, unless the agent may be changing them. */
async function plannedRestore({ runtime }: AgentInstance, { from, ...rewinding }: Rewind): Promise<RestorePlan> {
  const head = await runtime.journal.head(from)
  if (head?.summary.status === 'running') {
    const message = `The thread ${from} is running, and may change files while they are put back. Stop it first: agent.stop('${from}').`
    throw new LoomError('LOOM_THREAD_BUSY', message, { context: { thread: from } })
  }
  return planRestore(runtime.journal, { ...rewinding, from })
}

/** Whether the fork is there already, and is this rewind. */
async function isMade({ runtime }: AgentInstance, { thread, made }: Rewind): Promise<boolean> {
  const { journal } = runtime
  const head = await journal.head(thread)
  if (!head?.forkOf) return false
  const [first] = await journal.read(thread, { from: head.forkOf.seq + 1, incarnation: head.incarnation, limit: 1 })
  const { intent } = await recordedRestore(journal, thread)
  const about = (data: object): string => canonicalJson({ ...data, incarnation: '' } as Json)
  const [own] = made.own
  return intent !== undefined && first?.type === 'thread.forked' && own?.type === 'thread.forked' && about(first.data) === about(own.data)
}

/** How long another driver that puts the files back is waited for, in milliseconds, before it is looked at again. */
const patience = 50

/** Puts the files back, or waits until another driver has; returns what became of them. */
async function restoreAll(
  instance: AgentInstance,
  thread: string,
): Promise<Pick<RewindPlan, 'folder' | 'files' | 'conflicts'> & { incarnation: string }> {
  const { threads, journal, ports } = instance.runtime
  const { cached, unpin } = await threads.pin(thread)
  try {
    while (cached.frame.restoring && (await restoreFiles(instance, cached)) === 'held') {
      await sleepUntil(ports.clock.now() + patience, ports)
      await foldNews(journal, cached)
    }
  } finally {
    unpin()
  }
  const { intent, end } = await recordedRestore(journal, thread)
  return { incarnation: cached.frame.incarnation, folder: intent?.from ?? thread, files: end?.files ?? [], conflicts: end?.conflicts ?? [] }
}
