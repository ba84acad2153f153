/** What a journal says of the effects of a thread. */
import type { LoomEvent } from '@loom-agent/kernel'

/** An effect that a call, or a step of one, has outside. */
export interface Effect {
  readonly label: string
  /** The process that wrote the first intent. */
  readonly firstProcess: number
  /** Whether a key makes a repetition harmless. */
  readonly isKeyed: boolean
  /** Whether the journal has a result that says it happened. */
  succeeded: boolean
}

/** The effects of a thread, and the intents that have no end. */
export interface CallBook {
  readonly effects: readonly Effect[]
  readonly unended: readonly string[]
}

/** A book that is being written; places are `call` or `call/key`. */
interface OpenBook {
  readonly thread: string
  /** The tools of the calls. */
  readonly names: Map<string, string>
  readonly effects: Map<string, Effect>
  readonly open: Set<string>
  /** The places that questions are in doubt about. */
  readonly doubts: Map<string, string>
  /** The process that writes. */
  process: number
}

/** The tools that act outside, and the places whose effects have keys. */
const acting: ReadonlySet<string> = new Set(['put', 'send', 'pay', 'book'])
const isKeyed = (book: OpenBook, place: string): boolean => book.names.get(place) === 'put' || place.endsWith('/step:note:1')

/** Reads the effects of a thread from its events. */
export function readCalls(thread: string, events: readonly LoomEvent[]): CallBook {
  const book: OpenBook = { thread, names: new Map(), effects: new Map(), open: new Set(), doubts: new Map(), process: 0 }
  for (const event of events) enter(book, event)
  return { effects: [...book.effects.values()], unended: [...book.open].map((place) => `${thread}/${place}`) }
}

function enter(book: OpenBook, { type, data, turn }: LoomEvent): void {
  switch (type) {
    case 'driver.acquired':
      // Drivers are named after the process of the life that they are in.
      book.process = Number.parseInt(data.worker, 10)
      return
    case 'model.replied':
      for (const [index, { name }] of data.parts.filter((part) => part.type === 'call').entries()) book.names.set(`${turn}.${index}`, name)
      return
    case 'tool.started':
      return begin(book, data.call, acting.has(book.names.get(data.call) ?? ''))
    case 'tool.step-started':
      if (data.until === undefined) begin(book, `${data.call}/${data.key}`, true)
      return
    case 'tool.finished':
      return end(book, data.call, data.status === 'success')
    case 'tool.denied':
      return end(book, data.call, false)
    case 'tool.step-finished':
      return end(book, `${data.call}/${data.key}`, data.error === undefined)
    case 'question.asked':
      if (data.kind === 'in-doubt' && data.key !== undefined) book.doubts.set(data.id, `${data.call}/${data.key}`)
      return
    case 'question.answered':
      // Who knows the result of a step in doubt ends it with the answer: no other event does.
      if (data.answer.kind === 'respond') end(book, book.doubts.get(data.id) ?? '', true)
      return
    default:
      return
  }
}

function begin(book: OpenBook, place: string, acts: boolean): void {
  const label = `${book.thread}/${place}`
  book.open.add(place)
  if (!acts || book.effects.has(label)) return
  book.effects.set(label, { label, firstProcess: book.process, isKeyed: isKeyed(book, place), succeeded: false })
}

function end(book: OpenBook, place: string, succeeded: boolean): void {
  book.open.delete(place)
  const effect = book.effects.get(`${book.thread}/${place}`)
  if (effect && succeeded) effect.succeeded = true
}
