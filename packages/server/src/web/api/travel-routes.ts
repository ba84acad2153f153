/** Routes that look at moments: frames, differences, requests, explanations. */
import {
  type Difference,
  diffFrames,
  type ExplainWhat,
  type Explanation,
  explain,
  frameAt,
  type Presence,
  presenceOf,
  type RequestAt,
  requestAt,
  searchThread,
  type TurnSummary,
  turnsOf,
} from '@loom-agent/agent'
import { redactJson } from '@loom-agent/agent/kit'
import type { Json } from '@loom-agent/kernel'
import type { PlainFrame } from '../../client/plain-frame.ts'
import { anything, list, named, object, optional, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { versioned } from '../route/versioned.ts'
import { findThread } from '../service/find-thread.ts'
import { plainFrame } from './plain-frame.ts'
import { ofAgent, seqOf } from './schemas.ts'

type ThreadCall = Call<{ readonly thread: string }>

/** A response of a thread up to a moment, by default its end. */
async function atMoment(
  call: ThreadCall,
  wanted: { readonly at: number | undefined; readonly of: string },
  make: (seq: number) => unknown,
): Promise<Response> {
  const { head } = await findThread(call, call.params.thread)
  // A moment that is not there yet has no tag: what makes the response refuses it.
  if (wanted.at !== undefined && wanted.at > head.seq) await frameAt(call.service.journal, head.thread, wanted.at)
  const seq = wanted.at ?? head.seq
  return versioned(call, { head, seq, of: wanted.of }, () => make(seq))
}

const getFrame = route({
  name: 'getFrame',
  method: 'GET',
  path: '/threads/{thread}/frame',
  scope: 'read',
  summary: 'The state of a thread after an event, folded from its events.',
  query: object({ at: optional(seqOf('The event; default: the last one.')) }),
  reply: { schema: named<PlainFrame>('PlainFrame', '@loom-agent/server/client', 'A frame, with its lists as JSON has them.') },
  handle: (call) =>
    atMoment(call, { at: call.query.at, of: 'frame' }, async (seq) => plainFrame(await frameAt(call.service.journal, call.params.thread, seq))),
})

const getDifference = route({
  name: 'getDifference',
  method: 'GET',
  path: '/threads/{thread}/diff',
  scope: 'read',
  summary: 'Where two moments differ, of one thread or of two.',
  query: object({
    from: seqOf('The moment before.'),
    to: seqOf('The moment after.'),
    with: optional(text('The thread of the moment after; default: the same.', { least: 1 })),
  }),
  reply: { schema: object({ items: list('The places, path by path.', ofAgent<Difference>('Difference', 'A place.')) }) },
  async handle(call) {
    const { from, to } = call.query
    const { journal } = call.service
    const before = await findThread(call, call.params.thread)
    const after = call.query.with === undefined ? before : await findThread(call, call.query.with)
    const [first, second] = await Promise.all([frameAt(journal, before.head.thread, from), frameAt(journal, after.head.thread, to)])
    return { items: diffFrames(plainFrame(first), plainFrame(second)) }
  },
})

const listTurns = route({
  name: 'listTurns',
  method: 'GET',
  path: '/threads/{thread}/turns',
  scope: 'read',
  summary: 'The turns of a thread, in order.',
  reply: { schema: object({ items: list('The turns.', ofAgent<TurnSummary>('TurnSummary', 'A turn.')) }) },
  handle: (call) => atMoment(call, { at: undefined, of: 'turns' }, async () => ({ items: await turnsOf(call.service.journal, call.params.thread) })),
})

const getRequest = route({
  name: 'getRequest',
  method: 'GET',
  path: '/threads/{thread}/request',
  scope: 'read',
  summary: 'What the model was sent at a moment, rendered again from the record, with marks in place of secrets.',
  query: object({ at: optional(seqOf('The moment; default: the end.')) }),
  reply: { schema: ofAgent<RequestAt>('RequestAt', 'A request.') },
  handle: (call) =>
    atMoment(call, { at: call.query.at, of: 'request' }, async (seq) => {
      const request = await requestAt(call.service.journal, `${call.params.thread}@${seq}`)
      // Settings and headers of a vendor may hold what no journal has redacted. As JSON it is what is sent here anyway.
      return redactJson(JSON.parse(JSON.stringify(request)) as Json)
    }),
})

const what = {
  text: optional(text('A text to look for, compared without case and spaces.', { least: 1, most: 10_000 })),
  seq: optional(seqOf('An entry to look for, by the event that brought it.')),
  call: optional(text('A call to look for, by its id.', { least: 1 })),
  item: optional(text('An item to look for, by its id.', { least: 1 })),
}

/** What is looked for: the first that is given. */
function whatOf({
  text: words,
  seq,
  call,
  item,
}: { readonly [K in keyof typeof what]?: NonNullable<(typeof what)[K]['type']> | undefined }): ExplainWhat | undefined {
  if (words !== undefined) return { text: words }
  if (seq !== undefined) return { seq }
  if (call !== undefined) return { call }
  return item === undefined ? undefined : { item }
}

const getExplanation = route({
  name: 'getExplanation',
  method: 'GET',
  path: '/threads/{thread}/explanation',
  scope: 'read',
  summary: 'What a request held, what it did not hold, and why.',
  query: object({
    at: optional(seqOf('The moment; default: the end.')),
    turn: optional(whole('The turn, in place of a moment.', { least: 1 })),
    ...what,
  }),
  reply: { schema: ofAgent<Explanation>('Explanation', 'An explanation.') },
  async handle(call) {
    const { at, turn, ...asked } = call.query
    const { thread } = call.params
    const { head } = await findThread(call, thread)
    const place = turn === undefined ? `${thread}@${at ?? head.seq}` : { thread, turn }
    return explain(call.service.journal, place, whatOf(asked))
  },
})

const getPresence = route({
  name: 'getPresence',
  method: 'GET',
  path: '/threads/{thread}/presence',
  scope: 'read',
  summary: 'Which entries of a thread were in the requests of which turns.',
  query: object(what),
  reply: { schema: ofAgent<Presence>('Presence', 'Entries and turns.') },
  handle: async (call) => {
    const { head } = await findThread(call, call.params.thread)
    return presenceOf(call.service.journal, head.thread, whatOf(call.query))
  },
})

const searchEvents = route({
  name: 'searchThread',
  method: 'GET',
  path: '/threads/{thread}/search',
  scope: 'read',
  summary: 'The events whose data holds some words, in any letter case.',
  query: object({ words: text('The words.', { least: 1, most: 1000 }) }),
  reply: { schema: object({ items: list('What was found.', anything('A place.')) }) },
  async handle(call) {
    const { head } = await findThread(call, call.params.thread)
    return { items: await searchThread(call.service.journal, head.thread, call.query.words) }
  },
})

/** Moments. */
export const travelRoutes: readonly Route[] = [...[getFrame, getDifference, listTurns, getRequest, getExplanation], ...[getPresence, searchEvents]]
