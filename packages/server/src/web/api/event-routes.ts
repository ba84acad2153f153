/** Routes of events: as they are stored, in one line each, and what they refer to. */
import type { Head, LoomEvent } from '@loom-agent/kernel'
import { LoomError } from '@loom-agent/kernel'
import { type EventHeader, headerOf } from '@loom-agent/telemetry'
import { named, object, optional, page, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { versioned } from '../route/versioned.ts'
import { findThread } from '../service/find-thread.ts'
import { findEvent } from './payload-routes.ts'
import { seqOf, view } from './schemas.ts'

const loomEvent = named<LoomEvent>('LoomEvent', '@loom-agent/kernel', 'An event, as docs/reference/events.md has it.')

const range = object({
  from: optional(seqOf('The first seq; default 1.')),
  limit: optional(whole('Events of a page; default 200.', { least: 1, most: 1000 })),
  types: optional(text('Events of these types, with commas between.', { most: 2000 })),
})
type RangeCall = Call<{ readonly thread: string }, NonNullable<typeof range.type>>

/** A page of events: the range that was looked at, of which some may be left out. */
interface EventPage<T> {
  readonly items: readonly T[]
  readonly next?: number
}

/**
 * A page of events in some form. A range that is full never changes, and neither does its tag; one at the end of the thread changes with the next event. The
 * page is read only when the client does not have it.
 */
async function eventPage<T>(call: RangeCall, of: string, form: (event: LoomEvent) => T): Promise<Response> {
  const { from = 1, limit = 200, types } = call.query
  const { head } = await findThread(call, call.params.thread)
  const last = Math.min(head.seq, from + limit - 1)
  const wanted = types === undefined ? undefined : new Set(types.split(','))
  const version = `${of}.${from}${types === undefined ? '' : `.${encodeURIComponent(types)}`}`
  return versioned(call, { head, seq: last, of: version }, async (): Promise<EventPage<T>> => {
    const events = last < from ? [] : await readRange(call, head, { from, limit: last - from + 1 })
    const items = events.filter(({ type }) => wanted === undefined || wanted.has(type)).map(form)
    return { items, ...(last < head.seq && { next: last + 1 }) }
  })
}

/** The events of a range. A journal may return them in smaller pages. */
async function readRange(
  { service }: Pick<Call, 'service'>,
  head: Head,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  while (events.length < limit) {
    const read = await service.journal.read(head.thread, { from: from + events.length, limit: limit - events.length, incarnation: head.incarnation })
    if (read.length === 0) break
    events.push(...read)
  }
  return events
}

const next = whole('The seq with which the next page begins.')

const listEvents = route({
  name: 'listEvents',
  method: 'GET',
  path: '/threads/{thread}/events',
  scope: 'read',
  summary: 'Events of a thread, as they are stored.',
  query: range,
  reply: { schema: page(loomEvent, next) },
  handle: (call) => eventPage(call, 'events', (event) => event),
})

const listHeaders = route({
  name: 'listEventHeaders',
  method: 'GET',
  path: '/threads/{thread}/headers',
  scope: 'read',
  summary: 'Events of a thread in one line each, without their data.',
  query: range,
  reply: { schema: page(view<EventHeader>('EventHeader', 'An event without its data.'), next) },
  handle: (call) => eventPage(call, 'headers', headerOf),
})

const getEvent = route({
  name: 'getEvent',
  method: 'GET',
  path: '/threads/{thread}/events/{seq}',
  scope: 'read',
  summary: 'One event with its data.',
  reply: { schema: loomEvent },
  async handle(call) {
    const { head, at, read } = await findEvent(call)
    return versioned(call, { head, seq: at, of: 'event' }, async () => (await read()) ?? null)
  },
})

function noSuch(message: string, thread: string): LoomError {
  return new LoomError('LOOM_THREAD_NOT_FOUND', message, { context: { thread } })
}

const getBlob = route({
  name: 'getBlob',
  method: 'GET',
  path: '/threads/{thread}/blobs/{hash}',
  scope: 'read',
  summary: 'Bytes that an event of the thread refers to.',
  reply: { type: 'application/octet-stream' },
  async handle(call) {
    const { thread, hash } = call.params
    const { head } = await findThread(call, thread)
    // A blob belongs to the threads that brought it: its name alone opens nothing.
    const isOwn = (await namesOf(call, head)).includes(hash)
    const bytes = isOwn ? await call.service.journal.blob(hash) : undefined
    if (!bytes) throw noSuch(`The thread ${thread} has no blob of this name.`, thread)
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'cache-control': 'private, max-age=31536000, immutable',
    }
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
  },
})

/** The names of the blobs that a thread may refer to: its own, and of a fork those of the past that it shares. */
async function namesOf({ service }: Pick<Call, 'service'>, head: Head): Promise<readonly string[]> {
  const names = [...(await service.journal.blobNames(head.thread))]
  for (let cut = head.forkOf; cut; cut = (await service.journal.head(cut.thread))?.forkOf)
    names.push(...(await service.journal.blobNames(cut.thread)))
  return names
}

/** Events. */
export const eventRoutes: readonly Route[] = [listEvents, listHeaders, getEvent, getBlob]
