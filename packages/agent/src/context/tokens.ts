/**
 * The tokens of what a model is shown.
 *
 * TOKENS-1. An entry is counted once in a process, however many turns and readers ask for it: entries never change.
 * TOKENS-2. Between two rebases a turn counts only what it adds.
 */
import { at, type Context, type Entry, type Frame, type Segment, type ToolSpec, type Trim } from '@loom-agent/kernel'
import { type CountText, evened, tokensInMessage, tokensInTools } from '../model/message-tokens.ts'
import { tokensInText } from '../model/text-tokens.ts'
import { loadTokenizer } from '../model/tokenizer.ts'
import { type Calibration, factorOf, type LastRequest, learn, noCalibration, restOf } from './calibration.ts'
import { trimmed } from './trim.ts'

/** Counts tokens of a thread; estimated, and calibrated by what the vendor counted for earlier requests of the thread. */
export interface ContextTokens {
  /** The tokens of an entry of the history, by its index; with `trims`, of what they leave of it. */
  entry(index: number, trims?: readonly Trim[]): number
  /** The tokens of a text. */
  text(text: string): number
  /** The tokens of the system text and the tools. */
  fixed(): number
  /** The tokens of the whole request, as it would be sent now. */
  shown(): number
  /** The tokens of the whole request, if these segments were shown of the history. */
  showing(segments: readonly Segment[]): number
  /** The same counts by an exact tokenizer, where the package `gpt-tokenizer` is installed; otherwise these. It is loaded on first use, and large. */
  exact(): Promise<ContextTokens>
}

/** The counts of one thread, by one counter. */
interface Ledger {
  /** The tokens of all entries before an index; as many as were read, and one. */
  readonly sums: number[]
  readonly calibration: Calibration
  /** What the segments in force show: the segments, their tokens, and the entry after them. */
  cut: { readonly segments: readonly Segment[]; readonly tokens: number; readonly end: number } | undefined
}

/** Ledgers by their counters. */
export type Ledgers = Map<CountText, Ledger>

/** What is counted. */
export interface Counted {
  readonly frame: Frame
  /** The system text and the tools of the next request. */
  readonly next: Pick<Context, 'system' | 'tools'>
  readonly ledgers: Ledgers
}

/** Counts by counter and object: what never changes is counted once. */
function countedOnce<T extends object>(make: (of: T, count: CountText) => number): (of: T, count: CountText) => number {
  const kept = new WeakMap<CountText, WeakMap<T, number>>()
  return (of, count) => {
    let counts = kept.get(count)
    if (!counts) {
      counts = new WeakMap()
      kept.set(count, counts)
    }
    let tokens = counts.get(of)
    if (tokens === undefined) {
      tokens = make(of, count)
      counts.set(of, tokens)
    }
    return tokens
  }
}

const ofEntry = countedOnce<Entry>(({ message }, count) => tokensInMessage(message, count))
const ofTools = countedOnce<readonly ToolSpec[]>(tokensInTools)

const ofFixed = ({ system, tools }: Counted['next'], count: CountText): number =>
  (system === '' ? 0 : evened(count(system))) + (tools.length === 0 ? 0 : ofTools(tools, count))

/** The ledger of a counter, with the entries that are new. */
function readLedger({ frame: { history }, ledgers }: Counted, count: CountText): Ledger {
  let ledger = ledgers.get(count)
  if (!ledger) {
    ledger = { sums: [0], calibration: noCalibration(), cut: undefined }
    ledgers.set(count, ledger)
  }
  const { sums, calibration } = ledger
  const between = (from: number, to: number): number => (sums[to] as number) - (sums[from] as number)
  for (let index = sums.length - 1; index < history.length; index += 1) {
    const entry = at(history, index) as Entry
    learn(calibration, { entry, index }, between)
    sums.push((sums[index] as number) + ofEntry(entry, count))
  }
  return ledger
}

/** What segments show, and the entry after them. */
function ofSegments(
  { history, summaries }: Frame,
  segments: readonly Segment[],
  { sums, count }: { sums: readonly number[]; count: CountText },
): Cut {
  const told = new Set<number>()
  let tokens = 0
  let end = 0
  for (const segment of segments) {
    const to = Math.max(end, Math.min(segment.to, history.length))
    if (segment.as === 'kept') {
      tokens += segment.trims ? ofTrimmed(history, [end, to, segment.trims], count) : (sums[to] as number) - (sums[end] as number)
    } else if (segment.as === 'summary') {
      const text = 'text' in segment ? segment.text : told.has(segment.summary) ? '' : (at(summaries, segment.summary)?.summary ?? '')
      if (!('text' in segment)) told.add(segment.summary)
      if (text !== '') tokens += tokensInMessage({ role: 'user', parts: [{ type: 'text', text }] }, count)
    }
    end = to
  }
  return { segments, tokens, end }
}

type Cut = NonNullable<Ledger['cut']>

function ofTrimmed(history: Frame['history'], [from, to, trims]: readonly [number, number, readonly Trim[]], count: CountText): number {
  let tokens = 0
  for (let index = from; index < to; index += 1) {
    const entry = at(history, index) as Entry
    const shown = trimmed(entry, trims)
    tokens += shown === entry ? ofEntry(entry, count) : tokensInMessage(shown.message, count)
  }
  return tokens
}

/** What the segments in force show; counted when they change, and then kept. */
function cutOf(ledger: Ledger, frame: Frame, count: CountText): Cut {
  const { segments } = frame.context
  if (ledger.cut?.segments !== segments) ledger.cut = ofSegments(frame, segments, { sums: ledger.sums, count })
  return ledger.cut
}

/** What the calibration of a thread knows at one of its frames. */
interface Measured {
  readonly ledger: Ledger
  /** By how much estimates are multiplied. */
  readonly factor: number
  /** The tokens that every request has besides. */
  readonly rest: number
  /** The tokens of what is shown of the history before an index, estimated. */
  upTo(index: number): number
}

function measureThread(counted: Counted, count: CountText): Measured {
  const { frame } = counted
  const { context } = frame
  const ledger = readLedger(counted, count)
  const { asked } = ledger.calibration
  const upTo = (index: number): number => {
    const { tokens, end } = cutOf(ledger, frame, count)
    return tokens + (ledger.sums[Math.max(index, end)] as number) - (ledger.sums[end] as number)
  }
  const last: LastRequest | undefined =
    asked?.rebases === context.rebases && context.rebases > 0
      ? { actual: asked.input, estimated: ofFixed(context, count) + upTo(asked.index) }
      : undefined
  const factor = factorOf(ledger.calibration, last)
  return { ledger, factor, rest: restOf(factor, last), upTo }
}

const calibrated = (tokens: number, factor: number, rest = 0): number => Math.max(0, Math.ceil(tokens * factor + rest))

/** Turns estimates of what a request of a frame holds into the counts that strategies see. */
export interface RequestScale {
  /** By how much estimates are multiplied. */
  readonly factor: number
  /** The tokens of the whole request, of the sum of the estimates of its parts. */
  total(estimated: number): number
}

/** The scales of the requests of one thread, for frames that follow each other. */
export function createScales(count: CountText = tokensInText): (frame: Frame) => RequestScale {
  const ledgers: Ledgers = new Map()
  return (frame) => {
    const { factor, rest } = measureThread({ frame, next: frame.context, ledgers }, count)
    return { factor, total: (estimated) => calibrated(estimated, factor, rest) }
  }
}

/** Counts of a thread; nothing is counted before it is asked for. */
export function contextTokens(counted: Counted, count: CountText = tokensInText): ContextTokens {
  const { frame, next } = counted
  const { history } = frame
  let measured: Measured | undefined
  const measure = (): Measured => {
    measured ??= measureThread(counted, count)
    return measured
  }
  const scaled = (tokens: number, rest = 0): number => calibrated(tokens, measure().factor, rest)
  return {
    entry(index, trims) {
      const entry = at(history, index)
      const shown = entry && trims ? trimmed(entry, trims) : entry
      return shown ? scaled(shown === entry ? ofEntry(entry, count) : tokensInMessage(shown.message, count)) : 0
    },
    text: (text) => scaled(count(text)),
    fixed: () => scaled(ofFixed(next, count)),
    shown() {
      const { upTo, rest } = measure()
      return scaled(ofFixed(next, count) + upTo(history.length), rest)
    },
    showing(segments) {
      const { sums } = measure().ledger
      const { tokens, end } = ofSegments(frame, segments, { sums, count })
      return scaled(ofFixed(next, count) + tokens + (sums[history.length] as number) - (sums[end] as number))
    },
    async exact() {
      const exactly = await loadTokenizer().catch(() => undefined)
      return exactly ? contextTokens(counted, exactly) : this
    },
  }
}
