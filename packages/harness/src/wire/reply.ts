/** Replies of a wire server, in no vendor's format. */
import type { VendorError } from './vendor-error.ts'

/** Tokens of a reply. */
export interface WireUsage {
  /** Tokens that were neither read from a cache nor written to one. */
  readonly input?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  /** All tokens of the answer, with those of the reasoning. */
  readonly output?: number
  readonly reasoning?: number
}

/** A call that a reply makes. */
export interface WireCall {
  readonly tool: string
  /** An object; a text is sent as it is, JSON or not. */
  readonly input?: unknown
  /** Default: made up, as the vendor's ids look. */
  readonly id?: string
  /** The pieces that the arguments come in; default: a few characters each. Google sends arguments whole. */
  readonly pieces?: readonly string[]
}

/**
 * A failure. `after` counts the events of the stream that go out before it; without it not even headers do.
 * `status`, `overflow`, `html` and `empty` answer at once.
 */
export type WireFault =
  | (VendorError & { readonly kind: 'status' })
  /** The request is longer than the model can read, in the words of the vendor. */
  | { readonly kind: 'overflow' }
  | { readonly kind: 'html'; readonly status?: number }
  | { readonly kind: 'empty'; readonly status?: number }
  /** The vendor's error event in the middle of a stream. */
  | { readonly kind: 'error'; readonly after: number; readonly status?: number; readonly message?: string }
  /** Sends nothing more, and keeps the socket open. */
  | { readonly kind: 'stall'; readonly after?: number }
  /** The socket is torn. */
  | { readonly kind: 'cut'; readonly after?: number }
  /** The stream is closed cleanly, without its finish. */
  | { readonly kind: 'end'; readonly after: number }
  /** Bytes that are neither JSON nor text. */
  | { readonly kind: 'junk'; readonly after: number }

/** How a reply ends. */
export type WireFinish = 'stop' | 'length' | 'tool-calls' | 'content-filter'

/** One reply. Reasoning comes first, then text, then calls. */
export interface WireReply {
  /** A text, or the pieces that it comes in; default: a word each. */
  readonly text?: string | readonly string[]
  /** OpenAI's own chat completions do not show it. */
  readonly reasoning?: string | readonly string[]
  /** Reasoning that only the vendor can read. Anthropic only. */
  readonly hidden?: string
  readonly calls?: readonly WireCall[]
  readonly usage?: WireUsage
  readonly finish?: WireFinish
  /** Writes at most so many bytes at a time, wherever characters and events end. */
  readonly bytes?: number
  readonly fault?: WireFault
}

/** A call, ready to be sent. */
export interface ReadyCall {
  readonly id: string
  readonly tool: string
  /** The arguments as text. */
  readonly json: string
  readonly pieces: readonly string[]
}

/** A reply, ready to be sent: nothing is left open. */
export interface Ready {
  /** Part of the ids of this reply, which no other reply has. */
  readonly number: number
  readonly model: string
  /** Seconds. */
  readonly created: number
  readonly request: Readonly<Record<string, unknown>>
  readonly reasoning: readonly string[]
  readonly hidden: string | undefined
  readonly text: readonly string[]
  readonly calls: readonly ReadyCall[]
  readonly usage: Required<WireUsage>
  readonly finish: WireFinish
}

/** An event of a stream. A text is sent as it is. */
export interface StreamEvent {
  readonly event?: string
  readonly data: unknown
}

/** The format of a wire: a reply as the events of a stream, and in one piece. */
export interface ReplyFormat {
  events(ready: Ready): readonly StreamEvent[]
  whole(ready: Ready): unknown
}

/** Characters of arguments that are sent at a time: few enough to cut words and surrogate pairs. */
const pieceLength = 5

const piecesOf = (given: string | readonly string[] | undefined): readonly string[] =>
  typeof given === 'string' ? given.split(/(?<=\s)/).filter((piece) => piece !== '') : (given ?? [])

/** What a reply is completed with. */
export interface ReplyContext extends Pick<Ready, 'number' | 'model' | 'created' | 'request'> {
  /** What the ids of calls begin with. */
  readonly idPrefix: string
  /** Whether the vendor counts what is written to a cache apart; if not, it is input like any other. */
  readonly countsWrites: boolean
}

/** Completes a reply. */
export function makeReady(reply: WireReply, context: ReplyContext): Ready {
  const { idPrefix, countsWrites, ...facts } = context
  const calls = (reply.calls ?? []).map(({ tool, input = {}, id, pieces }, index): ReadyCall => {
    const json = pieces?.join('') ?? (typeof input === 'string' ? input : JSON.stringify(input))
    return { id: id ?? `${idPrefix}_${facts.number}_${index}`, tool, json, pieces: pieces ?? cut(json) }
  })
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...reply.usage }
  return {
    ...facts,
    reasoning: piecesOf(reply.reasoning),
    hidden: reply.hidden,
    text: piecesOf(reply.text),
    calls,
    usage: countsWrites ? usage : { ...usage, input: usage.input + usage.cacheWrite, cacheWrite: 0 },
    finish: reply.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
  }
}

function cut(json: string): readonly string[] {
  return Array.from({ length: Math.ceil(json.length / pieceLength) }, (_, index) => json.slice(index * pieceLength, (index + 1) * pieceLength))
}
