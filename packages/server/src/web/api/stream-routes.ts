/** Routes of streams. */
import { LoomError } from '@loom-agent/kernel'
import { flag, object, oneOf, optional, text } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { findThread } from '../service/find-thread.ts'
import { eventStream } from '../stream/sse.ts'
import { threadMessages } from '../stream/thread-messages.ts'
import { prepareTopic, readTopics, topicStream } from '../stream/topics.ts'

const longestCursor = 16_384

/** Where a client continues: what it says, or what its event source says when it connects again. */
const afterOf = ({ request, query }: Call<unknown, { readonly after?: string | undefined }>): string | undefined =>
  request.headers.get('last-event-id') || query.after || undefined

const streamThread = route({
  name: 'streamThread',
  method: 'GET',
  path: '/threads/{thread}/stream',
  scope: 'read',
  summary: 'The events of a thread as they are stored, and its signals where this server drives it, as server-sent events.',
  query: object({
    after: optional(text('The id of the last message that was seen; the header last-event-id comes first.', { most: longestCursor })),
    nested: optional(flag('The events of children too.')),
    until: optional(oneOf('Ends when the run rests; default: never.', 'rest')),
  }),
  reply: { type: 'text/event-stream' },
  async handle(call) {
    const { nested, until } = call.query
    const found = await findThread(call, call.params.thread)
    return eventStream(call, (signal) => {
      const messages = threadMessages(call.service, { found, after: afterOf(call), nested, until, signal })
      return {
        next: async () => (await messages.next()).value ?? undefined,
        close: () => void messages.return?.(),
      }
    })
  },
})

/** The cursors of topics, as the id of a message has them. */
function cursorsOf(after: string | undefined): ReadonlyMap<string, string> {
  return new Map(new URLSearchParams(after ?? ''))
}

const strangeTopic = (topic: string): LoomError =>
  new LoomError('LOOM_REQUEST_INVALID', `The cursor is of ${JSON.stringify(topic)}, which is not among the topics.`, { context: { topic } })

const streamTopics = route({
  name: 'streamTopics',
  method: 'GET',
  path: '/stream',
  scope: 'read',
  summary: 'Several topics as one stream of server-sent events: `threads` (what changes in all of them), `thread:<id>`, `tree:<id>`.',
  query: object({
    topics: text('The topics, with commas between; each encoded as addresses are.', { least: 1, most: longestCursor }),
    after: optional(text('The id of the last message that was seen; the header last-event-id comes first.', { most: longestCursor })),
  }),
  reply: { type: 'text/event-stream' },
  async handle(call) {
    const cursors = cursorsOf(afterOf(call))
    const topics = readTopics(call.query.topics)
    const strange = [...cursors.keys()].find((name) => !topics.some((topic) => topic.name === name))
    if (strange !== undefined) throw strangeTopic(strange.slice(0, 100))
    const prepared = await Promise.all(topics.map((topic) => prepareTopic(call, topic, cursors.get(topic.name))))
    return eventStream(call, (signal) => topicStream(prepared, signal))
  },
})

/** Streams. */
export const streamRoutes: readonly Route[] = [streamThread, streamTopics]
