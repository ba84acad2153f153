/**
 * Recovery: finds threads that need a driver and have none, and drives them on.
 *
 * A thread that is found is driven like any other. A thread whose driver is alive is left alone.
 */
import { type Head, isLoomError, type Journal, LoomError, type ThreadQuery } from '@loom-agent/kernel'
import { messageOf } from '../platform/normalize.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { driveThread } from '../thread/drive-thread.ts'
import { stopChild } from './children.ts'
import type { Recovered, RecoverOptions } from './recover-types.ts'
import { resumeInput } from './run-input.ts'
import { startRun } from './start-run.ts'

/** Threads that are driven at once. */
const together = 20
const pageSize = 100

/** Drives on all unfinished threads of an agent. Resolves when those that were found are at rest, or when the signal is aborted. */
export async function recover(instance: AgentInstance, options: RecoverOptions): Promise<readonly Recovered[]> {
  const { every, signal } = options
  if (every !== undefined && !(every > 0))
    throw new LoomError('LOOM_OPTION_INVALID', `recover: every is ${every}. Give milliseconds above 0.`, { context: { every } })
  const underWay = new Set<string>()
  if (every === undefined) return pass(instance, options, underWay)
  const all: Promise<readonly Recovered[]>[] = []
  while (!signal?.aborted) {
    // A pass with a slow thread does not delay the next pass.
    const passing = pass(instance, options, underWay)
    all.push(passing)
    void passing.finally(() => all.splice(all.indexOf(passing), 1)).catch(() => {})
    await untilNext(instance, every, signal)
  }
  return (await Promise.all(all)).flat()
}

function untilNext({ runtime }: AgentInstance, every: number, signal: AbortSignal | undefined): Promise<void> {
  const { clock } = runtime.ports
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel()
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = clock.at(clock.now() + every, wake)
    signal?.addEventListener('abort', wake, { once: true })
  })
}

/** One pass: finds threads, then drives a bounded number at a time. */
async function pass(instance: AgentInstance, options: RecoverOptions, underWay: Set<string>): Promise<readonly Recovered[]> {
  const { roots, orphans } = await unfinished(instance)
  for (const orphan of orphans) await stopChild(instance, orphan, 'Nobody waits for it any more.')
  const waiting = [...roots].filter((thread) => !underWay.has(thread))
  const recovered: Recovered[] = []
  const work = async (): Promise<void> => {
    for (let thread = waiting.shift(); thread !== undefined && !options.signal?.aborted; thread = waiting.shift()) {
      underWay.add(thread)
      const outcome = await recoverThread(instance, thread)
      underWay.delete(thread)
      recovered.push(outcome)
      options.onRecovered?.(outcome)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return recovered
}

/** The roots of all threads that are running, that are due, or whose child has ended while they had no driver. */
async function unfinished({ definition, runtime }: AgentInstance): Promise<{ roots: ReadonlySet<string>; orphans: ReadonlySet<string> }> {
  const { journal, ports } = runtime
  const roots = new Set<string>()
  const orphans = new Set<string>()
  const add = async (head: Head): Promise<void> => {
    const { root, isOrphan } = await treeOf(journal, head)
    if (root?.summary.agent !== definition.name) return
    if (isOrphan) orphans.add(head.thread)
    // A caller decides whether a failed run is resumed; until then its children stay as they are.
    else if (root.summary.status !== 'failed') roots.add(root.thread)
  }
  for await (const head of heads(journal, { status: 'running' })) await add(head)
  for await (const head of heads(journal, { dueBy: ports.clock.now() })) await add(head)
  for await (const head of heads(journal, { status: 'waiting' })) {
    if (roots.has(head.thread)) continue
    for await (const { summary } of heads(journal, { parent: head.thread })) {
      if (summary.status === 'waiting' || summary.status === 'idle') continue
      await add(head)
      break
    }
  }
  return { roots, orphans }
}

/** The rows of the thread table that a query finds, page by page. */
async function* heads(journal: Journal, query: ThreadQuery): AsyncGenerator<Head, void> {
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ ...query, limit: pageSize, ...(after !== undefined && { after }) })
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)?.thread
  }
}

/** A child is driven by its parent: the tree is driven from its root. It is an orphan when a thread above it has ended and cannot be resumed. */
async function treeOf(journal: Journal, head: Head): Promise<{ root: Head | undefined; isOrphan: boolean }> {
  let root: Head | undefined = head
  let isOrphan = false
  while (root?.summary.parent !== undefined) {
    root = await journal.head(root.summary.parent)
    const { status, parent } = root?.summary ?? {}
    // A child that failed has its result in its parent, and is not resumed.
    isOrphan ||= status === 'done' || status === 'stopped' || (status === 'failed' && parent !== undefined)
  }
  return { root, isOrphan }
}

async function recoverThread(instance: AgentInstance, thread: string): Promise<Recovered> {
  const request = { thread, options: {} }
  try {
    const { cached, unpin } = await instance.runtime.threads.pin(thread)
    try {
      resumeInput(instance, request, cached.frame)
      if ((await driveThread(instance, cached, { force: true })) === 'held') return { thread, status: 'held' }
    } finally {
      unpin()
    }
    // The resolver of this process is asked now.
    const { status } = await startRun(instance, request).result()
    return { thread, status }
  } catch (error) {
    const known = isLoomError(error)
      ? error
      : new LoomError('LOOM_RUN_FAILED', `${thread} could not be recovered: ${messageOf(error)}`, { cause: error, context: { thread } })
    return { thread, status: 'refused', error: known }
  }
}
