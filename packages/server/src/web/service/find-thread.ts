/** Finding the thread that a request names, for who sends it. */
import { type Head, type Journal, LoomError } from '@loom-agent/kernel'
import type { Identity } from '../access/identity.ts'
import type { ServedAgent } from './served-agent.ts'
import type { Service } from './service.ts'

/** A thread, the root of its tree, and the agent of that root where it is served. */
export interface FoundThread {
  readonly head: Head
  readonly root: Head
  readonly agent: ServedAgent | undefined
}

/** Who asks, of which server. */
export interface Asking {
  readonly service: Service
  readonly identity: Identity
}

/** The error for a thread that is not there, or not for this identity. */
export function threadNotFound(thread: string): LoomError {
  const name = thread.slice(0, 200)
  return new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${name} in this journal. GET /threads lists those that are there.`, {
    context: { thread: name },
  })
}

/** Whether an identity may use the threads below a root. */
export const mayUse = ({ threads }: Identity, root: string): boolean => threads === undefined || threads(root)

/** The root of a thread's tree. A parent that is gone ends the way up. */
export async function rootOf(journal: Pick<Journal, 'head'>, head: Head): Promise<Head> {
  let root = head
  // A row that names a parent of its own tree below it would lead round in a circle.
  for (const seen = new Set([head.thread]); root.summary.parent !== undefined && !seen.has(root.summary.parent); seen.add(root.thread)) {
    const parent = await journal.head(root.summary.parent)
    if (!parent) break
    root = parent
  }
  return root
}

/** Finds a thread. Throws `LOOM_THREAD_NOT_FOUND` for one that is not there, and for one that the identity may not use. */
export async function findThread({ service, identity }: Asking, thread: string): Promise<FoundThread> {
  const head = await service.journal.head(thread)
  if (!head?.seq) throw threadNotFound(thread)
  const root = await rootOf(service.journal, head)
  if (!mayUse(identity, root.thread)) throw threadNotFound(thread)
  return { head, root, agent: service.agents.get(root.summary.agent ?? '') }
}

/** The same, where the agent is needed. */
export async function findDriven(asking: Asking, thread: string): Promise<FoundThread & { readonly agent: ServedAgent }> {
  const found = await findThread(asking, thread)
  const { agent, root } = found
  if (agent) return { ...found, agent }
  const name = root.summary.agent ?? ''
  throw new LoomError(
    'LOOM_AGENT_OTHER',
    `The thread ${thread} belongs to the agent ${name}, which this server does not have. Ask one that has it.`,
    {
      context: { thread, agent: name },
    },
  )
}
