/** One stream of several topics: what changes in all threads, and what happens on some of them. */
import { LoomError } from '@loom-agent/kernel'
import { problemOf } from '../route/problem.ts'
import type { Call } from '../route/route.ts'
import { findThread } from '../service/find-thread.ts'
import { feedMessages } from './feed-messages.ts'
import { createMerge } from './merge.ts'
import type { Messages, StreamMessage } from './message.ts'
import type { EventStream } from './sse.ts'
import { threadMessages } from './thread-messages.ts'

/** Topics of one stream. */
const most = 64

/** What a client follows, and the name of it in queries and in cursors. */
export type Topic = { readonly name: string } & (
  | { readonly kind: 'threads' }
  | { readonly kind: 'thread'; readonly thread: string; readonly nested: boolean }
)

/** Reads the list of topics: `threads`, `thread:<id>`, `tree:<id>`, with commas between. */
export function readTopics(text: string): readonly Topic[] {
  const names = [...new Set(text.split(',').map(decoded))]
  if (names.length > most) throw invalid(`A stream has ${most} topics at most, and this one would have ${names.length}.`)
  return names.map((name): Topic => {
    if (name === 'threads') return { name, kind: 'threads' }
    const [, kind, thread] = /^(thread|tree):(.+)$/s.exec(name) ?? []
    if (thread === undefined)
      throw invalid(`${JSON.stringify(name.slice(0, 100))} is no topic. Use threads, thread:<id> or tree:<id>.`, name.slice(0, 100))
    return { name, kind: 'thread', thread, nested: kind === 'tree' }
  })
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw invalid(`The topic ${JSON.stringify(name.slice(0, 100))} is not encoded as addresses are.`, name.slice(0, 100))
  }
}

function invalid(message: string, topic = ''): LoomError {
  return new LoomError('LOOM_REQUEST_INVALID', message, { context: { topic } })
}

/** What opens a topic, and the cursor at which it begins. */
export interface PreparedTopic {
  readonly name: string
  readonly after: string | undefined
  open(signal: AbortSignal): Messages
}

/** Finds what a topic is about. The feed begins now, so that a client that leaves before its first entry misses none. */
export async function prepareTopic(call: Pick<Call, 'service' | 'identity'>, topic: Topic, after: string | undefined): Promise<PreparedTopic> {
  const { service, identity } = call
  const { name } = topic
  if (topic.kind === 'threads') {
    const from = after ?? (await service.feed.now())
    return { name, after: from, open: (signal) => feedMessages(service, { identity, after: from, signal }) }
  }
  const found = await findThread(call, topic.thread)
  return { name, after, open: (signal) => threadMessages(service, { found, nested: topic.nested, until: undefined, after, signal }) }
}

/** A problem of one topic: the others go on. */
export const problemMessage = (error: unknown): StreamMessage => ({ event: 'problem', data: problemOf(error) })

/** Topics as one stream. The cursor of every message has where all of them go on. */
export function topicStream(topics: readonly PreparedTopic[], signal: AbortSignal): EventStream {
  const merge = createMerge({ isOpen: false, failed: problemMessage })
  const cursors = new Map(topics.flatMap(({ name, after }) => (after === undefined ? [] : [[name, after] as const])))
  for (const { name, open } of topics) merge.add(name, open(signal))
  return {
    async next() {
      const merged = await merge.next()
      if (!merged) return undefined
      const { source, message } = merged
      if (message.cursor !== undefined) cursors.set(source, message.cursor)
      const cursor = message.cursor === undefined ? undefined : new URLSearchParams([...cursors]).toString()
      return { event: message.event, data: { topic: source, [message.event]: message.data }, cursor }
    },
    close: merge.close,
  }
}
