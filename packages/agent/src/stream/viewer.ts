/**
 * A viewer of one thread: a cursor on its journal that also gets live events and signals.
 *
 * STREAM-1. Events come in order of seq, each once, none left out: what was missed live is read from the journal.
 * STREAM-2. The buffer is bounded. A viewer that falls behind is cut over to the journal: while its buffer is full nothing is added to it; the
 *     events are read once it is drained. Only signals can be lost, and a `gap` stands for them.
 * STREAM-4. A journal in memory may drop what has finished, but not what is read: a viewer that was asked for an item keeps its thread until it has all.
 */
import type { Incarnation, Journal, LoomEvent } from '@loom-agent/kernel'
import { keepThread } from '../platform/keep-thread.ts'
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

/** A signal, and the seq of the last event before it. */
interface Waiting {
  readonly after: number
  readonly item: Signal
}

interface ViewerState {
  readonly journal: Journal
  readonly thread: string
  /** The seq of the first event that is not in the buffer yet, and the highest seq that is known to be in the journal. */
  next: number
  known: number
  /** Signals that came behind events which have to be read. */
  waiting: Waiting[]
  incarnation: Incarnation | undefined
  /** Ends what is live; the journal can still be read. */
  detach: () => void
  /** Ends the keeping of the thread (STREAM-4); undefined before the first item is asked for. */
  release: (() => void) | undefined
  buffer: RunEvent[]
  taken: number
  /** The buffer was full: until it is drained, what comes is read from the journal or lost. */
  isCut: boolean
  /** The last signal that was lost since the buffer was full. */
  lost: Signal | undefined
  last: number
  failure: { readonly error: unknown } | undefined
  closed: boolean
  /** Set while the viewer catches up in the middle of a reply; signals of that time are in it. */
  soFar: (() => Signal | undefined) | undefined
  resume: (() => void) | undefined
  /** The item that was asked for last. */
  reading: Promise<unknown>
}

/** Makes a viewer that has delivered nothing and knows of nothing. */
function createState(journal: Journal, thread: string, detached: () => void): ViewerState {
  return {
    journal,
    thread,
    next: Number.POSITIVE_INFINITY,
    known: 0,
    waiting: [],
    incarnation: undefined,
    detach: detached,
    release: undefined,
    buffer: [],
    taken: 0,
    isCut: false,
    lost: undefined,
    last: Number.POSITIVE_INFINITY,
    failure: undefined,
    closed: false,
    soFar: undefined,
    resume: undefined,
    reading: Promise.resolve(),
  }
}

/** A viewer of a thread, not started yet. */
export function createViewer(journal: Journal, thread: string, closed: () => void): Viewer {
  const state = createState(journal, thread, closed)
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
      dropAfter(state, lastSeq)
      // Nothing live follows: a viewer that is not iterated can be collected.
      detach(state)
      if (state.release && Number.isFinite(state.next) && !isBehind(state)) release(state)
      wake(state)
    },
    fail(error) {
      state.failure = { error }
      detach(state)
      release(state)
      wake(state)
    },
    next() {
      // One after another, as a generator does it: each takes what comes next.
      if (!state.closed && !state.failure) state.release ??= keepThread(journal, thread)
      const read = () => next(state)
      const item = state.reading.then(read, read)
      state.reading = item
      return item
    },
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

/** Drops what was buffered of a later run. */
function dropAfter(state: ViewerState, lastSeq: number): void {
  const later = state.buffer.findIndex((item) => !isSignal(item) && item.seq > lastSeq)
  if (later >= state.taken) state.buffer.splice(later)
  state.waiting = state.waiting.filter(({ after }) => after <= lastSeq)
}

function detach(state: ViewerState): void {
  state.detach()
  state.detach = () => {}
}

function release(state: ViewerState): void {
  state.release?.()
  state.release = () => {}
}

function close(state: ViewerState): void {
  detach(state)
  release(state)
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
    if (state.isCut) reopen(state)
    else if (isBehind(state)) await readMissed(state)
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

/** The buffer is drained: it is filled again, behind what has to be read. */
function reopen(state: ViewerState): void {
  const { lost } = state
  state.isCut = false
  state.lost = undefined
  if (lost) state.buffer.push({ type: 'gap', thread: lost.thread, run: lost.run, turn: lost.turn })
}

const isBehind = ({ known, last, next }: ViewerState): boolean => Math.min(known, last) >= next

/** Reads a page of what was missed, and nothing beyond what is known; what is pushed meanwhile waits behind it. */
async function readMissed(state: ViewerState): Promise<void> {
  const { journal, thread, incarnation } = state
  const limit = Math.min(longestBuffer, Math.min(state.known, state.last) - state.next + 1)
  const page = await journal.read(thread, { from: state.next, limit, incarnation })
  const last = page.at(-1)?.seq ?? 0
  const pending = state.buffer.slice(state.taken).filter((item) => isSignal(item) || item.seq > last)
  state.next = Math.max(state.next, last + 1)
  if (page.length === 0) state.known = state.next - 1
  state.buffer = [...withSignals(state, page), ...pending]
  state.taken = 0
}

/** A page with the signals that came between and behind its events. */
function withSignals(state: ViewerState, page: readonly LoomEvent[]): readonly RunEvent[] {
  const isDue = ({ after }: Waiting): boolean => after < state.next
  const signals = state.waiting.filter(isDue)
  if (signals.length === 0) return page
  state.waiting = state.waiting.filter((one) => !isDue(one))
  const events = page.map((event) => ({ after: event.seq, item: event }))
  // Sorting keeps the order of equals: an event, then the signals behind it.
  return [...events, ...signals].sort((one, other) => one.after - other.after).map(({ item }) => item)
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

const isFull = ({ isCut, buffer, taken, waiting }: ViewerState): boolean => isCut || buffer.length - taken + waiting.length >= longestBuffer

/** An event goes in when it is the next one and there is room; otherwise the journal is read. */
function addEvent(state: ViewerState, event: LoomEvent): void {
  const { seq } = event
  state.known = Math.max(state.known, seq)
  if (seq !== state.next) return
  if (isFull(state)) {
    state.isCut = true
    return
  }
  state.buffer.push(event)
  state.next += 1
}

function addSignal(state: ViewerState, signal: Signal): void {
  if (state.soFar) return
  const mustWait = isBehind(state)
  const last = state.isCut ? undefined : mustWait ? lastWaiting(state) : state.buffer[Math.max(state.taken, state.buffer.length - 1)]
  const isMerged = last && isDelta(signal) && isDelta(last) && isContinued(last, signal)
  const isLong = last && isDelta(last) && last.text.length > longestText
  if (isLong || (!isMerged && isFull(state))) {
    state.isCut = true
    state.lost = signal
    return
  }
  const item = isMerged ? { ...last, text: last.text + signal.text } : signal
  if (isMerged) (mustWait ? state.waiting : state.buffer).pop()
  if (mustWait) state.waiting.push({ after: state.known, item })
  else state.buffer.push(item)
}

/** The last signal behind all events that have to be read. */
function lastWaiting({ waiting, known }: ViewerState): Signal | undefined {
  const last = waiting.at(-1)
  return last?.after === known ? last.item : undefined
}

type Delta = Extract<Signal, { type: 'text-delta' | 'reasoning-delta' }>

const isDelta = (item: RunEvent): item is Delta => item.type === 'text-delta' || item.type === 'reasoning-delta'

const isContinued = (last: Delta, next: Delta): boolean => last.type === next.type && last.turn === next.turn && last.attempt === next.attempt
