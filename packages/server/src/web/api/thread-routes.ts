/** Routes that list, label and remove threads. */
import { setLabels, threads } from '@loom-agent/agent'
import { type Head, type JsonObject, LoomError, type ThreadQuery } from '@loom-agent/kernel'
import { anything, object, oneOf, optional, page, record, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { findThread, mayUse, rootOf } from '../service/find-thread.ts'
import { rowOf, status, threadRow } from './schemas.ts'

const query = object({
  agent: optional(text('Threads of this agent.')),
  status: optional(status),
  parent: optional(text('Children of this thread.')),
  labels: optional(text('Threads with these labels, as JSON; a label that is null is one that the thread does not have.', { most: 2000 })),
  sort: optional(
    oneOf('By id, or by when the summary changed: from the oldest on, or from the newest on. Default `latest`.', 'id', 'changed', 'latest'),
  ),
  since: optional(whole('Summaries that changed at this time or later, in milliseconds since 1970.')),
  before: optional(whole('Summaries that changed before this time.')),
  after: optional(text('Where the page before has ended: its `next`.', { most: 2000 })),
  limit: optional(whole('Threads of a page; default 100.', { least: 1, most: 1000 })),
})
type Query = NonNullable<typeof query.type>

function labelsOf(given: string | undefined): JsonObject | undefined {
  if (given === undefined) return undefined
  try {
    const labels: unknown = JSON.parse(given)
    if (typeof labels === 'object' && labels !== null && !Array.isArray(labels)) return labels as JsonObject
  } catch {
    // Refused below, as what is JSON and no object.
  }
  throw new LoomError('LOOM_REQUEST_INVALID', 'The labels of the query are no JSON object. Write them as {"team":"billing"}.')
}

/** Where the next page begins: the id of a head, and the time by which it is sorted. */
const nextOf = ({ thread, times }: Head): string => JSON.stringify([thread, times.changed])

function afterOf(next: string | undefined): ThreadQuery['after'] {
  if (next === undefined) return undefined
  try {
    const [thread, changed] = JSON.parse(next) as [unknown, unknown]
    if (typeof thread === 'string' && typeof changed === 'number') return { thread, times: { now: 0, began: 0, changed } }
  } catch {
    // Refused below.
  }
  throw new LoomError('LOOM_REQUEST_INVALID', 'The after of the query is not what a page has as next.')
}

/** The threads that the identity may use, one more than the page has. */
async function readHeads({ service, identity }: Call, given: Query, limit: number): Promise<readonly Head[]> {
  const { after, labels, ...described } = given
  const found: Head[] = []
  const wanted: ThreadQuery = { sort: 'latest', ...described, limit: undefined, labels: labelsOf(labels), after: afterOf(after) }
  for await (const head of threads(service.journal, wanted)) {
    if (identity.threads && !mayUse(identity, (await rootOf(service.journal, head)).thread)) continue
    found.push(head)
    if (found.length > limit) break
  }
  return found
}

const listThreads = route({
  name: 'listThreads',
  method: 'GET',
  path: '/threads',
  scope: 'read',
  summary: 'Threads, page by page; those that changed last first.',
  query,
  reply: { schema: page(threadRow, text('What the next page begins after.', { most: 2000 })) },
  async handle(call) {
    const limit = call.query.limit ?? 100
    const heads = await readHeads(call, call.query, limit)
    const shown = heads.slice(0, limit)
    const last = shown.at(-1)
    return { items: shown.map(rowOf), ...(heads.length > limit && last && { next: nextOf(last) }) }
  },
})

const getThread = route({
  name: 'getThread',
  method: 'GET',
  path: '/threads/{thread}',
  scope: 'read',
  summary: 'A thread as it is now.',
  reply: { schema: threadRow },
  handle: async (call) => rowOf((await findThread(call, call.params.thread)).head),
})

const removeThread = route({
  name: 'removeThread',
  method: 'DELETE',
  path: '/threads/{thread}',
  scope: 'admin',
  summary: 'Removes a thread and its children; not while one of them is driven, or read by a fork.',
  reply: { status: 204 },
  async handle(call) {
    const { head } = await findThread(call, call.params.thread)
    const removed = await call.service.journal.remove(head.thread, { expected: head })
    if (removed === 'removed') return
    throw new LoomError('LOOM_THREAD_BUSY', `The thread ${head.thread} has changed meanwhile. Look at it again before you remove it.`, {
      context: { thread: head.thread },
    })
  },
})

const labelThread = route({
  name: 'labelThread',
  method: 'PUT',
  path: '/threads/{thread}/labels',
  scope: 'run',
  summary: 'Sets labels of a thread, and removes those that are null; others stay.',
  body: object({ labels: record('The labels.', anything('A label.')) }),
  reply: { status: 204 },
  async handle(call) {
    await findThread(call, call.params.thread)
    await setLabels(call.service.journal, call.params.thread, call.body.labels as JsonObject)
  },
})

/** Threads: listing, labelling, removing. */
export const threadRoutes: readonly Route[] = [listThreads, getThread, removeThread, labelThread]
