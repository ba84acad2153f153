/** Reading moments and turns of a thread. Loaded on use. */
import type { Frame, Journal, LoomEvent, Seq } from '@loom-agent/kernel'
import { checkRead, recordOf } from '../look/record-of.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { notThereYet, parseMoment } from '../types/moment.ts'
import { proposedIn } from '../types/proposed-calls.ts'
import { spentIn } from '../types/spent-in.ts'
import { textOf } from '../types/text-of.ts'
import { threadNotFound } from '../types/thread-id.ts'
import { type Difference, diffFrames } from './diff-frames.ts'
import { storedFrame } from './stored-frame.ts'

/** One turn of a thread: from where it was entered to its last event. */
export interface TurnSummary {
  /** The number of the turn on its thread. */
  readonly turn: number
  /** The run that took it. */
  readonly run: string
  /** The seq of its first event. */
  readonly from: Seq
  /** The seq of its last event. */
  readonly to: Seq
  /** When it was entered, in milliseconds since 1970. */
  readonly time: number
  /** What the model said. */
  readonly text: string
  /** What the model called, and what became of it. */
  readonly calls: readonly { readonly call: string; readonly tool: string; readonly status: 'open' | 'success' | 'error' | 'warning' | 'denied' }[]
  /** Input and output tokens together, of its replies, failed attempts and children. */
  readonly tokens: number
  /** Integer micro-units, of the same; `undefined` when a price is not known. */
  readonly cost: number | undefined
}

/** The frame of a thread at `thread@seq`. */
export async function readMoment(journal: Journal, at: string): Promise<Frame> {
  const { thread, seq } = parseMoment(at)
  return readFrame(journal, thread, seq)
}

/** The frame of a thread after its event `upTo`; by default, as it is now. Throws when there is no such thread, or no such event yet. */
export async function readFrame(journal: Journal, thread: string, upTo?: Seq): Promise<Frame> {
  checkRead(journal, thread)
  checkOptions('frameAt', { upTo }, { upTo: expected.whole(1) })
  const frame = await storedFrame(journal, thread, upTo)
  if (frame.seq === 0) throw threadNotFound(thread)
  if (upTo !== undefined && frame.seq < upTo) throw notThereYet({ thread, seq: upTo }, frame.seq)
  return frame
}

/** Where two moments differ, of one thread or of two. */
export async function compareFrames(journal: Journal, before: string, after: string): Promise<readonly Difference[]> {
  const [first, second] = await Promise.all([readMoment(journal, before), readMoment(journal, after)])
  return diffFrames(first, second)
}

/** The turns of a thread, in order. */
export async function readTurns(journal: Journal, thread: string): Promise<readonly TurnSummary[]> {
  const turns: LoomEvent[][] = []
  for await (const event of recordOf(journal, thread)) {
    if (event.type === 'turn.entered') turns.push([])
    turns.at(-1)?.push(event)
  }
  return turns.map(summarizeTurn)
}

function summarizeTurn(events: readonly LoomEvent[]): TurnSummary {
  const first = events[0] as LoomEvent
  const last = events.at(-1) as LoomEvent
  const statuses = new Map<string, TurnSummary['calls'][number]['status']>()
  let text = ''
  for (const event of events) {
    if (event.type === 'tool.finished') statuses.set(event.data.call, event.data.status)
    if (event.type === 'tool.denied') statuses.set(event.data.call, 'denied')
    if (event.type === 'model.replied') text += textOf(event.data.parts)
  }
  const calls = events.flatMap(proposedIn).map(([call, { name }]) => ({ call, tool: name, status: statuses.get(call) ?? ('open' as const) }))
  return { turn: first.turn ?? 0, run: first.run ?? '', from: first.seq, to: last.seq, time: first.time, text, calls, ...spentIn(events) }
}
