/**
 * What differs each time the same run is recorded, and means nothing: times, names of workers, ids of children, incarnations.
 *
 * RECORDED-10. Two recordings of the same run give the same fixture, as far as the run itself does: a new recording shows what has changed, and nothing else.
 */
import { createHash } from 'node:crypto'
import { childIdOf } from '@loom-agent/agent/kit'
import type { EventOf, JsonObject, LoomEvent } from '@loom-agent/kernel'
import type { Collected } from './collect.ts'

/** When every recorded thread begins: 1 January 2001. */
const epoch = 978_307_200_000
/** Shorter pauses between two events are chance, in milliseconds; longer ones are kept in whole seconds. */
const shortest = 1000

/** The threads without noise, and what each of them is called now. */
export function withoutNoise(collected: Collected): Collected {
  const names = new Map<string, string>()
  const workers = new Map<string, string>()
  const threads = collected.threads.map(({ thread, events, ...rest }) => {
    const name = names.get(thread) ?? thread
    for (const event of events) if (event.type === 'child.started') names.set(event.data.child, childName(name, event.data))
    const quiet = quietTimes(events).map((event) => named(event, { name, names, workers }))
    return { ...rest, thread: name, events: quiet }
  })
  return { ...collected, threads }
}

/** The id of a child, from what stays the same: the name of its parent, the call, and the key. */
function childName(parent: string, { call, key }: EventOf<'child.started'>['data']): string {
  return childIdOf(createHash('sha256').update(`${parent}/${call}/${key}`).digest('hex'))
}

/** The same events with times that show only the pauses that mean something. */
function quietTimes(events: readonly LoomEvent[]): readonly LoomEvent[] {
  let time = epoch
  let before = events[0]?.time ?? 0
  return events.map((event) => {
    const pause = event.time - before
    if (pause >= shortest) time += Math.round(pause / 1000) * 1000
    before = Math.max(before, event.time)
    return { ...event, time, data: moved(event, time - event.time) } as LoomEvent
  })
}

const moments = ['until', 'expires', 'retryAt'] as const

/** The data of an event that was moved in time: the moments that it names stay as far away as they were. */
function moved({ data }: LoomEvent, by: number): JsonObject {
  const { ms, stages: _stages, ...rest } = data as JsonObject
  const named = moments.flatMap((key) => (typeof rest[key] === 'number' ? [[key, rest[key] + by] as const] : []))
  const took = typeof ms === 'number' && ms >= shortest ? { ms: Math.round(ms / 1000) * 1000 } : {}
  return { ...rest, ...Object.fromEntries(named), ...took }
}

interface Names {
  readonly name: string
  readonly names: ReadonlyMap<string, string>
  readonly workers: Map<string, string>
}

/** An event with names that stay the same. */
function named(event: LoomEvent, { name, names, workers }: Names): LoomEvent {
  const nameOf = (thread: string): string => names.get(thread) ?? thread
  const place = { ...event, thread: name }
  switch (event.type) {
    case 'thread.started': {
      const { incarnation: _incarnation, parent, ...data } = event.data
      const { incarnation: _parent, ...link } = parent ?? { thread: '', call: '', depth: 0 }
      return { ...place, data: { ...data, ...(parent && { parent: { ...link, thread: nameOf(link.thread) } }) } } as LoomEvent
    }
    case 'thread.forked': {
      const { incarnation: _incarnation, ...data } = event.data
      return { ...place, data } as LoomEvent
    }
    case 'driver.acquired': {
      const { worker } = event.data
      if (!workers.has(worker)) workers.set(worker, `worker ${workers.size + 1}`)
      return { ...place, data: { ...event.data, worker: workers.get(worker) } } as LoomEvent
    }
    case 'child.started':
    case 'child.finished':
      return { ...place, data: { ...event.data, child: nameOf(event.data.child) } } as LoomEvent
    case 'run.started':
    case 'run.queued':
      return 'request' in event.data ? withoutFingerprint(place as EventOf<'run.queued'>) : place
    default:
      return place
  }
}

/** A fingerprint changes with every version of an agent, and what differs is compared. */
function withoutFingerprint(event: EventOf<'run.queued'>): LoomEvent {
  const { request } = event.data
  return { ...event, data: { ...event.data, request: { ...request, agent: { ...request.agent, fingerprint: '' } } } }
}
