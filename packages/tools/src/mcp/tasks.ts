/**
 * Tasks: calls that a server works on while nobody is connected (2025-11-25).
 *
 * MCP-12. The id of a task is recorded before anything else is done with it. Every later driver of the thread asks for that task, and never begins another one.
 */
import type { JsonObject } from '@loom-agent/kernel'
import type { Session } from './connection.ts'
import { isRefused, reasonOf } from './failure.ts'
import type { HeldCalls } from './held-calls.ts'
import { boundedResult, type Reply } from './reply.ts'
import { anyObject } from './schemas.ts'

/** How a task is looked at. */
export interface Watching {
  readonly session: Session
  readonly calls: HeldCalls
  readonly task: string
  /** Milliseconds between two looks. */
  readonly every: number
  readonly timeout: number
  readonly signal: AbortSignal
  readonly progress: (data: unknown) => void
}

/** Milliseconds: how long one look lasts at most, and what may be between two. */
const look = { longest: 30_000, soonest: 50, latest: 10_000 }

/** How often a server wants to be asked. */
export const intervalOf = (task: JsonObject): number => {
  const { pollInterval } = task
  return typeof pollInterval === 'number' && Number.isFinite(pollInterval) ? Math.min(Math.max(pollInterval, look.soonest), look.latest) : 1_000
}

/** Asks for a task until it has ended, asks something itself, or has been looked at for long enough. */
export async function watchTask(watching: Watching): Promise<Reply> {
  const { session, task, timeout, signal } = watching
  const end = Date.now() + look.longest
  let every = watching.every
  for (;;) {
    let state: JsonObject
    try {
      state = await session.client.request({ method: 'tasks/get', params: { taskId: task } }, anyObject, { timeout, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (isRefused(error))
        return { kind: 'failed', why: 'lost', message: `does not know the task ${task.slice(0, 80)} any more (${reasonOf(error)})` }
      return { kind: 'task', task, every, unreached: true }
    }
    const { status } = state
    if (status === 'completed' || status === 'failed' || status === 'input_required') return resultOf(watching)
    if (status === 'cancelled') return { kind: 'failed', why: 'lost', message: 'has cancelled the task' }
    if (Date.now() + every > end) return { kind: 'task', task, every }
    watching.progress({ task, status })
    await pause(every, signal)
    every = Math.min(every * 1.2, look.latest)
  }
}

/** The result of a task; the server may ask a person within this request. */
function resultOf({ session, calls, task, timeout, signal, progress }: Watching): Promise<Reply> {
  return calls.begin({
    session,
    timeout,
    signal,
    progress,
    task,
    send: async (options) =>
      boundedResult(
        await session.client.request({ method: 'tasks/result', params: { taskId: task } }, anyObject, { ...options, timeout: 2 ** 31 - 1 }),
      ),
  })
}

/** Asks a server to leave a task: nobody waits for it any more. */
export async function cancelTask({ client }: Session, task: string): Promise<void> {
  await client.request({ method: 'tasks/cancel', params: { taskId: task } }, anyObject, { timeout: 5_000 }).catch(() => {})
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
