/**
 * A viewer: a cursor on the journal that also gets live events and signals.
 *
 * STREAM-1. Events come in order of seq, each once, none left out: what was missed live is read from the journal.
 * STREAM-2. The buffer is bounded. A viewer that falls behind loses signals (and gets a `gap` instead), never events.
 */
import type { Incarnation, Journal, LoomEvent } from '@loom-agent/kernel'
import type { RunEvent } from '../types/run-event.ts'
import { isSignal, type Signal } from '../types/signal.ts'

/** Items, and characters of merged deltas, that a slow viewer may have waiting. */
const longestBuffer = 1000
const longestText = 1 << 20

/** A viewer, as the bus and the handle use it. */
export interface Viewer extends AsyncIterableIterator<RunEvent> {
  /** Where the cursor stands, and in which thread of the id; what is pushed before is not for this viewer. */
  start(from: number, incarnation: Incarnation | undefined): void
  push(item: RunEvent): void
  /** A reply is under way: once caught up the viewer gets what it missed of it as one signal. */
  join(soFar: () => Signal | undefined): void
  /** There is news in the journal that was not pushed. */
  hint(seq: number): void
  /** Everything up to this seq is delivered, then the iteration is done. */
  end(lastSeq: number): void
  fail(error: unknown): void
}

interface ViewerState {
  readonly journal: Journal
  readonly thread: string
  incarnation: Incarnation | undefined
  /** Ends what is live; the journal can still be read. */
  detach: () => void
  buffer: RunEvent[]
  taken: number
  next: number
  known: number
  last: number
  failure: { readonly error: unknown } | undefined
  closed: boolean
  /** Set while the viewer catches up in the middle of a reply; signals of that time are in it. */
  soFar: (() => Signal | undefined) | undefined
  resume: (() => void) | undefined
}

/** A viewer of a thread, not started yet. */
export function createViewer(journal: Journal, thread: string, closed: () => void): Viewer {
  const state: ViewerState = {
    journal,
    thread,
    incarnation: undefined,
    detach: closed,
    buffer: [],
    taken: 0,
    next: Number.POSITIVE_INFINITY,
    known: 0,
    last: Number.POSITIVE_INFINITY,
    failure: undefined,
    closed: false,
    soFar: undefined,
    resume: undefined,
  }
  return {
    start(from, incarnation) {
      state.next = from
      state.incarnation = incarnation
      wake(state)
    },
    push(item) {
      if (state.closed || !Number.isFinite(state.next)) return
      if (isSignal(item)) addSignal(state, item)
      else addEvent(state, item)
      wake(state)
    },
    join(soFar) {
      state.soFar = soFar
    },
    hint(seq) {
      state.known = Math.max(state.known, seq)
      wake(state)
    },
    end(lastSeq) {
      state.last = lastSeq
      state.known = Math.max(state.known, lastSeq)
      // Nothing live follows: a viewer that is not iterated can be collected.
      detach(state)
      wake(state)
    },
    fail(error) {
      state.failure = { error }
      wake(state)
    },
    next: () => next(state),
    return: async () => {
      close(state)
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function wake(state: ViewerState): void {
  state.resume?.()
  state.resume = undefined
}

function detach(state: ViewerState): void {
  state.detach()
  state.detach = () => {}
}

function close(state: ViewerState): void {
  detach(state)
  state.closed = true
  state.buffer = []
  wake(state)
}

async function next(state: ViewerState): Promise<IteratorResult<RunEvent>> {
  for (;;) {
    if (state.failure) {
      close(state)
      throw state.failure.error
    }
    if (state.taken < state.buffer.length) return { done: false, value: take(state) }
    if (state.closed) return { done: true, value: undefined }
    if (state.known >= state.next) await readMissed(state)
    else if (state.soFar) joinReply(state)
    else if (Number.isFinite(state.next) && state.next > state.last) close(state)
    else await new Promise<void>((resolve) => (state.resume = resolve))
  }
}

/** Everything up to the reply is delivered: now what there is of it, as one piece. */
function joinReply(state: ViewerState): void {
  const soFar = state.soFar?.()
  state.soFar = undefined
  if (soFar) state.buffer.push(soFar)
}

/** Reads what was missed; what is pushed meanwhile waits behind it. */
async function readMissed(state: ViewerState): Promise<void> {
  const { journal, thread, incarnation } = state
  const read = await journal.read(thread, { from: state.next, incarnation })
  // The thread may have gone on after the end of the run.
  const page = read.filter(({ seq }) => seq <= state.last)
  const last = page.at(-1)?.seq ?? 0
  const pending = state.buffer.slice(state.taken).filter((item) => isSignal(item) || item.thread !== thread || item.seq > last)
  state.buffer = [...page, ...pending]
  state.taken = 0
  state.next = Math.max(state.next, last + 1)
  if (page.length === 0) state.known = state.next - 1
}

function take(state: ViewerState): RunEvent {
  const item = state.buffer[state.taken] as RunEvent
  state.taken += 1
  if (state.taken === state.buffer.length) {
    state.buffer = []
    state.taken = 0
  }
  return item
}

/** An event of the thread itself goes in when it is the next one; otherwise the journal is read. Events of children are added as they come. */
function addEvent(state: ViewerState, event: LoomEvent): void {
  if (event.thread !== state.thread) return void state.buffer.push(event)
  if (event.seq < state.next) return
  state.known = Math.max(state.known, event.seq)
  if (event.seq !== state.next) return
  state.buffer.push(event)
  state.next += 1
  if (state.buffer.length - state.taken > longestBuffer) dropSignals(state, event)
}

function addSignal(state: ViewerState, signal: Signal): void {
  if (state.soFar && signal.thread === state.thread) return
  const last = state.buffer.length > state.taken ? state.buffer.at(-1) : undefined
  if (last && isDelta(signal) && isDelta(last) && isContinued(last, signal)) {
    state.buffer[state.buffer.length - 1] = { ...last, text: last.text + signal.text }
    if (last.text.length > longestText) dropSignals(state, signal)
    return
  }
  state.buffer.push(signal)
  if (state.buffer.length - state.taken > longestBuffer) dropSignals(state, signal)
}

type Delta = Extract<Signal, { type: 'text-delta' | 'reasoning-delta' }>

const isDelta = (item: RunEvent): item is Delta => item.type === 'text-delta' || item.type === 'reasoning-delta'

const isContinued = (last: Delta, next: Delta): boolean =>
  last.type === next.type && last.thread === next.thread && last.turn === next.turn && last.attempt === next.attempt

function dropSignals(state: ViewerState, at: RunEvent): void {
  const kept = state.buffer.slice(state.taken).filter((item) => !isSignal(item))
  state.taken = 0
  state.buffer = [...kept, { type: 'gap', thread: at.thread, run: at.run ?? '', turn: at.turn ?? 0 }]
}
