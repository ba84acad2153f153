/**
 * Recovery: finds threads that need a driver and have none, and drives them on.
 *
 * A thread that is found is driven like any other. A thread whose driver is alive is left alone, and so is one that a caller has paused (PAUSE-1), or a
 * fork that nobody has resumed, or a thread that was imported and not adopted (RECOVER-1).
 *
 * RECOVER-1. A thread that is quarantined (JOURNAL-23) is not looked at further than its row: neither driven, nor stopped as an orphan, nor reported.
 * ORPHAN-1. A child that goes on while nobody waits for it is stopped: a thread above it has ended, or has recorded an end for the child below it and
 *     goes on.
 */
import { type Head, isLoomError, type Journal, LoomError, type ThreadQuery } from '@loom-agent/kernel'
import { requireForkModel } from '../definition/fork-model.ts'
import { callUser, notify } from '../platform/call-user.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { loadRedaction } from '../platform/redaction.ts'
import { setByHead } from '../platform/store-clock.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { joinDrain } from '../thread/drain.ts'
import { driveThread } from '../thread/drive-thread.ts'
import { releaseOverdue } from '../thread/lease.ts'
import type { CachedThread } from '../thread/thread-cache.ts'
import { lookAtLeft } from './left-runs.ts'
import type { Recovered, RecoverOptions } from './recover-types.ts'
import { resumeInput } from './resume-input.ts'
import type { StartRequest } from './run-input.ts'
import { startRun } from './start-run.ts'
import { leftBehind, treeOf } from './tree-place.ts'
import { isUnresumedFork } from './unresumed-fork.ts'

/** What the options of a recovery must be. */
const recoverShape: Shape & Record<keyof RecoverOptions, Expected> = {
  every: { ...expected.number(1), words: 'milliseconds, at least 1' },
  alongside: expected.function,
  signal: expected.signal,
  onRecovered: expected.function,
  onError: expected.function,
}

/** Threads that are driven at once. */
const together = 20
/** Drivers in a row that left no new fact, after which a thread is driven by itself: if it ends its process, it alone is counted. */
const suspectAfter = 2
const pageSize = 100

/**
 * Drives on all unfinished threads of an agent. Resolves when those that were found are at rest. When the signal is aborted it resolves at once, with those
 * that are, of looks which have not ended: the callback has those of earlier ones, and a list of all would grow without bound. No other thread is taken,
 * and those under way go on until they rest, or until `drain` hands them on.
 */
export async function recover(instance: AgentInstance, options: RecoverOptions): Promise<readonly Recovered[]> {
  checkOptions(`recover of ${instance.definition.name}`, options, recoverShape)
  const { every, signal } = options
  if (signal?.aborted) return []
  const aborted = Promise.withResolvers<void>()
  const onAbort = (): void => aborted.resolve()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const recovery: Recovery = { instance, options, underWay: new Set(), suspects: Promise.resolve(), warned: undefined }
    const passes = every === undefined ? [startPass(recovery)] : await repeat(recovery, every)
    await Promise.race([Promise.all(passes.map(({ ended }) => ended)), aborted.promise])
    return passes.flatMap(({ recovered }) => recovered)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Looks again and again, until the signal is aborted or the process drains. Returns the passes that have not ended. */
async function repeat(recovery: Recovery, every: number): Promise<readonly Pass[]> {
  const { instance, options } = recovery
  const { drain } = instance.runtime
  const passes = new Set<Pass>()
  while (!options.signal?.aborted && !drain.isDraining) {
    // A pass with a slow thread does not delay the next pass, and neither does one that could not look.
    const { recovered, ended } = startPass(recovery)
    const passing: Pass = { recovered, ended: ended.catch((error: unknown) => loadRedaction().then(() => reportFailure(recovery, error))) }
    passes.add(passing)
    void passing.ended.then(() => passes.delete(passing))
    await untilNext(instance, every, options.signal)
  }
  return [...passes]
}

/** What the passes of one recovery share. */
interface Recovery {
  readonly instance: AgentInstance
  readonly options: RecoverOptions
  /** Threads that an earlier pass still drives. */
  readonly underWay: Set<string>
  /** Resolves when the thread that is driven because it may have ended earlier processes has a new fact. */
  suspects: Promise<void>
  /** What was last written to the log about a look that failed; undefined after one that did not. */
  warned: string | undefined
}

/** One look for threads, and the driving of those that it found. */
interface Pass {
  /** Those that are at rest so far. */
  readonly recovered: readonly Recovered[]
  readonly ended: Promise<void>
}

/**
 * A look has failed: the caller is notified, or without `onError` the log. A journal that stays away is written there once, not at every look. A process
 * that drains looks no more, and closes its journal: that is no failure.
 */
function reportFailure(recovery: Recovery, error: unknown): void {
  const { options, instance, warned } = recovery
  if (instance.runtime.drain.isDraining) return
  if (options.onError) return notify(options.onError, error)
  recovery.warned = `recover of ${instance.definition.name} could not look for threads: ${toSentence(messageOf(error))} It looks again every ${options.every} ms.`
  if (recovery.warned !== warned) notify((message) => console.warn(message), recovery.warned)
}

function untilNext({ runtime }: AgentInstance, every: number, signal: AbortSignal | undefined): Promise<void> {
  const { clock } = runtime.ports
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel()
      signal?.removeEventListener('abort', wake)
      leaveDrain()
      resolve()
    }
    const cancel = clock.at(clock.now() + every, wake)
    signal?.addEventListener('abort', wake, { once: true })
    const leaveDrain = joinDrain(runtime.drain, wake)
  })
}

function startPass(recovery: Recovery): Pass {
  const recovered: Recovered[] = []
  const { alongside } = recovery.options
  const others = alongside ? [(async () => callUser(alongside))()] : []
  return { recovered, ended: allEnded([pass(recovery, recovered), ...others]) }
}

/** Waits for all, then throws the first failure. */
async function allEnded(all: readonly unknown[]): Promise<void> {
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** One pass: finds threads, then drives a bounded number at a time. */
async function pass(recovery: Recovery, recovered: Recovered[]): Promise<void> {
  const { instance, options, underWay } = recovery
  await releaseOverdue(instance.runtime)
  if (instance.runtime.left.size > 0) await lookAtLeft(instance.runtime)
  const { roots, orphans, broken } = await unfinished(instance)
  recovery.warned = undefined
  const { drain } = instance.runtime
  // A process that drains looks no more: another one recovers what is left.
  const isLeft = (): boolean => options.every !== undefined && drain.isDraining
  const isOver = (): boolean => options.signal?.aborted === true || isLeft()
  const report = (outcome: Recovered): void => {
    if (outcome.status === 'refused' && isLeft()) return
    recovered.push(outcome)
    notify(options.onRecovered, outcome)
  }
  for (const outcome of broken) report(outcome)
  const queue = [...orphans, ...roots].filter((thread) => !underWay.has(thread))
  const work = async (): Promise<void> => {
    for (let thread = queue.shift(); thread !== undefined && !isOver(); thread = queue.shift()) {
      underWay.add(thread)
      const outcome = await (orphans.has(thread) ? stopOrphan(instance, thread) : recoverSuspect(recovery, thread))
      underWay.delete(thread)
      if (outcome) report(outcome)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
}

/** Stops a child that nobody waits for. One that cannot be stopped is reported. */
async function stopOrphan(instance: AgentInstance, thread: string): Promise<Recovered | undefined> {
  try {
    const { stopChild } = await import('./run-child.ts')
    await stopChild(instance, thread, 'Nobody waits for it any more.')
    return undefined
  } catch (error) {
    return refused(thread, error)
  }
}

/**
 * Drives a thread. One that drivers before have left without a new fact may be what ended their processes: it is driven when no other such thread is,
 * until it has a new fact. So if it ends this process too, it alone is counted, and it alone is parked in the end.
 */
async function recoverSuspect(recovery: Recovery, thread: string): Promise<Recovered> {
  const { instance } = recovery
  const { threads, journal, bus } = instance.runtime
  const [cached, head] = await Promise.all([threads.load(thread), journal.head(thread)]).catch(() => [])
  if (!cached || !head) return recoverThread(instance, thread)
  const { takeovers, epoch, incarnation } = cached.frame
  // A driver that died before its first commit has left nothing but its epoch.
  if (takeovers + head.epoch - epoch < suspectAfter) return recoverThread(instance, thread)
  const before = recovery.suspects
  const { promise, resolve } = Promise.withResolvers<void>()
  recovery.suspects = promise
  await before
  const stopListening = bus.onCommit(incarnation, (_, frame) => (frame.takeovers === 0 ? resolve() : undefined))
  return recoverThread(instance, thread).finally(() => {
    stopListening()
    resolve()
  })
}

/** What a look found: threads to drive, children that nobody waits for, and threads that could not be looked at. */
interface Unfinished {
  readonly roots: ReadonlySet<string>
  readonly orphans: ReadonlySet<string>
  readonly broken: readonly Recovered[]
}

/** The roots of all threads that are running, that are due, or whose child has ended while they had no driver, and all orphans. Each is judged alone. */
async function unfinished({ definition, runtime }: AgentInstance): Promise<Unfinished> {
  const { journal, ports } = runtime
  const roots = new Set<string>()
  const orphans = new Set<string>()
  const broken: Recovered[] = []
  const add = async (head: Head): Promise<void> => {
    const { root, isOrphan, parents } = await treeOf(journal, head)
    // A claim on a root that is being copied would get in the way of the copy.
    if (root?.summary.agent !== definition.name || root.summary.status === 'partial' || root.summary.quarantined) return
    const left = isOrphan ? head.thread : await leftBehind(runtime.threads, parents)
    if (left !== undefined) orphans.add(left)
    // A caller decides whether a failed run is resumed; until then its children stay as they are.
    else if (root.summary.status !== 'failed' && !(await isUnresumedFork(journal, root))) roots.add(root.thread)
  }
  const addIfMoved = async (head: Head): Promise<void> => {
    if (head.summary.parent !== undefined && (await treeOf(journal, head)).isOrphan) return add(head)
    for await (const { summary } of heads(journal, { parent: head.thread })) {
      if (!/waiting|idle|partial/.test(summary.status)) return add(head)
    }
  }
  const judge = async (head: Head, how: (head: Head) => Promise<void>): Promise<void> => {
    if (head.summary.quarantined) return
    await how(head).catch((error: unknown) => void broken.push(refused(head.thread, error)))
  }
  for await (const head of heads(journal, { status: 'running' })) await judge(head, add)
  // What is due is due by the clock of the store (CLOCK-4): any head has it, and without one nothing is due.
  for (const head of await journal.threads({ limit: 1 })) setByHead(ports.clock, head)
  for await (const head of heads(journal, { dueBy: ports.clock.now() })) await judge(head, add)
  for await (const page of pages(journal, { status: 'waiting' })) {
    await Promise.all(page.filter(({ thread }) => !roots.has(thread)).map((head) => judge(head, addIfMoved)))
  }
  return { roots, orphans, broken }
}

/** The rows of the thread table that a query finds, page by page. */
async function* heads(journal: Journal, query: ThreadQuery): AsyncGenerator<Head, void> {
  for await (const page of pages(journal, query)) yield* page
}

async function* pages(journal: Journal, query: ThreadQuery): AsyncGenerator<readonly Head[], void> {
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ ...query, limit: pageSize, ...(after !== undefined && { after }) })
    yield page
    if (page.length < pageSize) return
    after = page.at(-1)?.thread
  }
}

async function recoverThread(instance: AgentInstance, thread: string): Promise<Recovered> {
  const request: StartRequest = { thread, options: {}, isRecovery: true }
  try {
    const { cached, unpin } = await instance.runtime.threads.pin(thread)
    try {
      if (cached.frame.restoring) return { thread, status: await restoreFiles(instance, cached) }
      const { drive } = resumeInput(instance, request, cached.frame)
      await requireForkModel(instance.definition, cached.frame, { overrides: {}, models: instance.runtime.models })
      if (drive && (await driveThread(instance, cached, { force: true })) === 'held') return { thread, status: 'held' }
    } finally {
      unpin()
    }
    // The resolver of this process is asked now.
    const { status } = await startRun(instance, request).result()
    return { thread, status }
  } catch (error) {
    return refused(thread, error)
  }
}

/** Puts the files of a rewind back whose process was lost; loaded on use. Its fork is gone on with when a caller says so. */
async function restoreFiles(instance: AgentInstance, cached: CachedThread): Promise<'restored' | 'held'> {
  return (await import('../thread/restore-files.ts')).restoreFiles(instance, cached)
}

function refused(thread: string, error: unknown): Recovered {
  const known = isLoomError(error)
    ? error
    : new LoomError('LOOM_RUN_FAILED', `${thread} could not be recovered: ${messageOf(error)}`, { cause: error, context: { thread } })
  return { thread, status: 'refused', error: known }
}
