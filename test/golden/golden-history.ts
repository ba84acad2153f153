/** A golden history: what a version of Loom once wrote, byte for byte, and what every later version must read in it. */
import { decide, decodeBatch, type Frame, fold, items, type Json, type LoomEvent, type Message } from '@loom-agent/kernel'

/** One stored batch of a thread. */
export interface GoldenBatch {
  readonly thread: string
  readonly first: number
  /** The batch as `encodeBatch` wrote it. */
  readonly line: string
}

/** What a thread folds to, in a form that stays right when frames gain fields. */
export interface GoldenFacts {
  readonly seq: number
  readonly status: string
  readonly next: string
  readonly turn: number
  readonly usage: readonly [input: number, output: number]
  readonly cost: number
  readonly questions: readonly string[]
  /** What the model was sent: the origin and the content of each message. The stored files have this name for it. */
  readonly told: readonly Json[]
}

/** A history in a file: its facts by thread on the first line, then one batch a line. */
export interface GoldenHistory {
  readonly facts: Readonly<Record<string, GoldenFacts>>
  readonly batches: readonly GoldenBatch[]
}

/** The file of a history. */
export function writeGolden({ facts, batches }: GoldenHistory): string {
  return `${[JSON.stringify(facts), ...batches.map((batch) => JSON.stringify(batch))].join('\n')}\n`
}

/** The history of a file. */
export function readGolden(text: string): GoldenHistory {
  const [facts = '{}', ...batches] = text.trimEnd().split('\n')
  return { facts: JSON.parse(facts) as GoldenHistory['facts'], batches: batches.map((line) => JSON.parse(line) as GoldenBatch) }
}

/** The events of each thread, as this version reads them. */
export function eventsByThread(batches: readonly GoldenBatch[]): ReadonlyMap<string, readonly LoomEvent[]> {
  const threads = new Map<string, LoomEvent[]>()
  for (const { thread, first, line } of batches) {
    const events = threads.get(thread) ?? []
    threads.set(thread, events)
    events.push(...decodeBatch(thread, first, line))
  }
  return threads
}

/** What this version folds a thread to. */
export function factsOf(thread: string, events: readonly LoomEvent[]): GoldenFacts {
  const frame: Frame = fold(thread, events)
  const { run } = frame
  return {
    seq: frame.seq,
    status: run?.status ?? 'none',
    next: decide(frame).kind,
    turn: frame.turn,
    usage: [run?.usage.input ?? 0, run?.usage.output ?? 0],
    cost: run?.cost ?? 0,
    questions: Object.keys(frame.questions),
    told: [...items(frame.history)].map(({ origin, message }) => [origin, bodyOf(message)]),
  }
}

const bodyOf = (message: Message): Json => JSON.parse(JSON.stringify(message.role === 'tool' ? message.results : message.parts)) as Json
