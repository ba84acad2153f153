/** Data of events on demand: what a list shows of a long text is its beginning, and the rest is read when somebody wants it. */
import { type Head, type Json, LoomError, type LoomEvent } from '@loom-agent/kernel'
import { flag, object, optional, text, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { versioned } from '../route/versioned.ts'
import { findThread } from '../service/find-thread.ts'

function noSuch(message: string, context: { readonly thread: string }): LoomError {
  return new LoomError('LOOM_THREAD_NOT_FOUND', message, { context })
}

/** The seq that a path names; 0 for what is none. */
const seqIn = (given: string): number => (/^[1-9]\d{0,14}$/.test(given) ? Number(given) : 0)

/** An event that a request names. */
interface FoundEvent {
  readonly head: Head
  readonly at: number
  read(): Promise<LoomEvent | undefined>
}

/** An event of a thread that the sender may use, with the head of that thread. */
export async function findEvent(call: Call<{ readonly thread: string; readonly seq: string }>): Promise<FoundEvent> {
  const { thread, seq } = call.params
  const { head } = await findThread(call, thread)
  const at = seqIn(seq)
  if (at === 0 || at > head.seq) throw noSuch(`The thread ${thread} has no event ${seq.slice(0, 20)}. Its events are 1 to ${head.seq}.`, { thread })
  const read = async (): Promise<LoomEvent | undefined> =>
    (await call.service.journal.read(head.thread, { from: at, limit: 1, incarnation: head.incarnation }))[0]
  return { head, at, read }
}

/** The value at a path of an event's data, such as `parts.0.text`. */
function valueAt(data: Json, path: string): Json | undefined {
  let value: Json | undefined = data
  for (const key of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as { readonly [key: string]: Json })[key]
  }
  return value
}

const longestSlice = 1 << 20

const getPayload = route({
  name: 'getPayload',
  method: 'GET',
  path: '/threads/{thread}/events/{seq}/payload',
  scope: 'read',
  summary: 'A part of the data of an event, as text: the value at a path, from one character to another.',
  query: object({
    path: optional(text('The way to the value, with dots between: `parts.0.text`; default: all data.', { most: 2000 })),
    from: optional(whole('The first character; default 0.')),
    length: optional(whole('How many characters; default 65,536.', { least: 1, most: longestSlice })),
  }),
  reply: {
    schema: object({
      text: text('The characters of the range.', { most: longestSlice }),
      isText: flag('The value is a text; otherwise these are characters of its JSON.'),
      length: whole('How many characters the value has.'),
      next: optional(whole('The first character that follows the range.')),
    }),
  },
  async handle(call) {
    const { path = '', from = 0, length = 1 << 16 } = call.query
    const { head, at, read } = await findEvent(call)
    const of = `payload.${encodeURIComponent(path)}.${from}.${length}`
    return versioned(call, { head, seq: at, of }, async () => {
      const event = await read()
      const value = event && valueAt(event.data as unknown as Json, path)
      if (value === undefined) throw noSuch(`The event ${at} of ${head.thread} has nothing at ${JSON.stringify(path)}.`, { thread: head.thread })
      const whole = typeof value === 'string' ? value : JSON.stringify(value)
      const end = endOf(whole, from + length)
      const next = end < whole.length ? { next: end } : {}
      return { text: whole.slice(from, end), isText: typeof value === 'string', length: whole.length, ...next }
    })
  },
})

/** The end of a range: half of a surrogate pair is no character, so a pair is in the range whole. */
function endOf(whole: string, end: number): number {
  const last = whole.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}

/** Data of events. */
export const payloadRoutes: readonly Route[] = [getPayload]
