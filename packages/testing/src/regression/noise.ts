/**
 * What differs each time the same run is recorded, and means nothing: times, names of workers, incarnations, and the ids and keys that follow from them.
 *
 * RECORDED-10. Two recordings of the same run give the same fixture, as far as the run itself does: a new recording shows what has changed, and nothing else.
 * RECORDED-13. Without an incarnation a thread has its name for one. Ids of children and keys of calls are replaced, wherever they are, by what follows from
 *     that name: a replay makes the same ones.
 */
import { completePorts, type Ports } from '@loom-agent/agent'
import { childIdOf } from '@loom-agent/agent/kit'
import type { EventOf, JsonObject, LoomEvent } from '@loom-agent/kernel'
import type { CollectedThread } from './collect.ts'
import { quietTimes } from './quiet-times.ts'
import { replaceTexts } from './redact.ts'

/** The hash of every replay. */
export const replayHash: Ports['hash'] = completePorts(undefined).hash

/** The threads without noise, parents before their children. */
export function withoutNoise(threads: readonly CollectedThread[]): readonly CollectedThread[] {
  const ids = new Map<string, string>()
  const workers = new Map<string, string>()
  // Every text is looked at once: an id is a whole word.
  const rename = (text: string): string => ids.get(text) ?? text.replace(/[\w-]{16,}/g, (word) => ids.get(word) ?? word)
  return threads.map(({ thread, events, ...rest }) => {
    const name = ids.get(thread) ?? thread
    collectIds(ids, name, events)
    const quiet = quietTimes(events).map((event) => {
      const bare = withoutNames(event, workers)
      return { ...bare, thread: name, data: replaceTexts(bare.data as JsonObject, rename) } as LoomEvent
    })
    return { ...rest, thread: name, events: quiet }
  })
}

/** Notes the ids and keys that follow from the incarnation of a thread, each with what follows from its name instead. */
function collectIds(ids: Map<string, string>, name: string, events: readonly LoomEvent[]): void {
  let incarnation = events[0]?.thread ?? name
  for (const { type, data, thread } of events) {
    if (type === 'thread.started' || type === 'thread.forked') incarnation = data.incarnation ?? thread
    if (type === 'child.started') ids.set(data.child, childIdOf(replayHash(`${name}/${data.call}/${data.key}`)))
    if (type !== 'tool.started') continue
    const key = replayHash(`${name}/${data.call}`)
    ids.set(replayHash(`${incarnation}/${data.call}`), key)
    if (data.key !== undefined) ids.set(data.key, key)
  }
}

/** An event without the names that each recording makes up. */
function withoutNames(event: LoomEvent, workers: Map<string, string>): LoomEvent {
  switch (event.type) {
    case 'thread.started': {
      const { incarnation: _incarnation, parent, ...data } = event.data
      const { incarnation: _parent, ...link } = parent ?? {}
      return { ...event, data: { ...data, ...(parent && { parent: link }) } } as LoomEvent
    }
    case 'thread.forked': {
      const { incarnation: _incarnation, ...data } = event.data
      return { ...event, data } as LoomEvent
    }
    case 'driver.acquired': {
      const { worker } = event.data
      if (!workers.has(worker)) workers.set(worker, `worker ${workers.size + 1}`)
      return { ...event, data: { ...event.data, worker: workers.get(worker) ?? worker } }
    }
    case 'run.started':
    case 'run.queued':
      return 'request' in event.data ? withoutFingerprint(event as EventOf<'run.queued'>) : event
    default:
      return event
  }
}

/** A fingerprint changes with every version of an agent, and what differs is compared. */
function withoutFingerprint(event: EventOf<'run.queued'>): LoomEvent {
  const { request } = event.data
  return { ...event, data: { ...event.data, request: { ...request, agent: { ...request.agent, fingerprint: '' } } } }
}
