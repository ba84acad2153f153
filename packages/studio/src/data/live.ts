/**
 * What changes on the server, over one stream for the whole page.
 *
 * TOPIC-1. There is one connection, whatever is followed: browsers allow six to one server.
 * TOPIC-2. When the set of topics changes, the stream goes on behind what was seen of those that stay.
 */
import type { Client, ServerMessage } from '@loom-agent/server/client'

/** Follows topics of a server: `threads`, `thread:<id>`. */
export interface Live {
  /** Calls a listener with each message of a topic; returns what ends that. `after`: where it begins, as a cursor of this topic. */
  follow(topic: string, listener: (message: ServerMessage) => void, after?: string): () => void
}

interface Followed {
  readonly listeners: Set<(message: ServerMessage) => void>
  cursor: string | undefined
}

/** Takes the cursors of all topics from one message. */
function note(topics: ReadonlyMap<string, Followed>, cursor: string | undefined): void {
  for (const [name, value] of new URLSearchParams(cursor ?? '')) {
    const topic = topics.get(name)
    if (topic) topic.cursor = value
  }
}

const topicOf = ({ data }: ServerMessage): string | undefined => (data as { readonly topic?: string } | null)?.topic

/** Opens the stream when the first topic is followed, and again when the topics change. */
export function createLive(client: Pick<Client, 'streamTopics'>, onError: (error: unknown) => void): Live {
  const topics = new Map<string, Followed>()
  let open: AbortController | undefined
  let isPlanned = false

  const read = async (signal: AbortSignal): Promise<void> => {
    const after = new URLSearchParams([...topics].flatMap(([name, { cursor }]) => (cursor === undefined ? [] : [[name, cursor]]))).toString()
    const names = [...topics.keys()].map(encodeURIComponent).join(',')
    try {
      for await (const message of client.streamTopics({ topics: names, ...(after !== '' && { after }) }, { signal })) {
        note(topics, message.cursor)
        for (const listener of topics.get(topicOf(message) ?? '')?.listeners ?? []) listener(message)
      }
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
  }

  const reopen = (): void => {
    isPlanned = false
    open?.abort()
    open = undefined
    if (topics.size === 0) return
    open = new AbortController()
    void read(open.signal)
  }

  /** Views that appear together are one change. */
  const plan = (): void => {
    if (isPlanned) return
    isPlanned = true
    queueMicrotask(reopen)
  }

  return {
    follow(name, listener, after) {
      const topic = topics.get(name) ?? { listeners: new Set(), cursor: after }
      if (!topics.has(name)) {
        topics.set(name, topic)
        plan()
      }
      topic.listeners.add(listener)
      return () => {
        topic.listeners.delete(listener)
        if (topic.listeners.size > 0) return
        topics.delete(name)
        plan()
      }
    },
  }
}
