/** The world of one replay: recorded threads, gates at which the agent waits for what others did, and one clock. */
import { type Journal, type LoomEvent, memoryJournal } from '@loom-agent/kernel'
import { eventsIn, type Fixture, type FixtureRequest } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'
import type { Redact } from './redact.ts'
import { type ReplayClock, replayClock } from './replay-clock.ts'
import { type Line, scriptOf } from './script.ts'
import { createStrand, findLine, isSpent, type Strand } from './strand.ts'

/** Somebody waits for what was recorded at a line. */
export interface Gate {
  readonly strand: Strand
  readonly index: number
  readonly open: (event: LoomEvent) => void
}

/** Everything that a replay works with. */
export interface Replay {
  readonly fixture: Fixture
  readonly redact: Redact
  readonly journal: Journal
  readonly clock: ReplayClock
  readonly root: Strand
  readonly strands: ReadonlyMap<string, Strand>
  readonly requests: ReadonlyMap<string, ReadonlyMap<number, FixtureRequest>>
  /** What recorded children are called, by what their ids are made of. */
  readonly children: ReadonlyMap<string, string>
  /** The model of each run of the root. */
  readonly models: ReadonlyMap<string, string>
  readonly gates: Set<Gate>
  /** Threads that somebody drives, with the epoch. */
  readonly held: Map<string, number>
  /** Threads whose model is about to be called, in order. */
  readonly asking: string[]
  /** How many processes were lost. */
  era: number
  /** Counts everything that happens: when it stands still, nobody has anything to do. */
  beats: number
  /** Set when the replay is over: by a divergence, by an error, or because the record is. */
  ended: boolean
  failure: unknown
}

/** A replay at its beginning. */
export function createReplay(fixture: Fixture, redact: Redact): Replay {
  const strands = new Map<string, Strand>()
  const requests = new Map<string, ReadonlyMap<number, FixtureRequest>>()
  const children = new Map<string, string>()
  const names = new Map<string, string>()
  const eras = new Map<string, number>()
  for (const recorded of fixture.threads) {
    const events = eventsIn(recorded)
    for (const event of events) {
      if (event.type !== 'child.started') continue
      const { call, key, child, agent } = event.data
      children.set(`${recorded.thread}/${call}/${key}`, child)
      names.set(child, [names.get(recorded.thread) ?? '', `child of call ${call} (${agent})`].filter(Boolean).join(', '))
    }
    strands.set(recorded.thread, createStrand(scriptOf(recorded.thread, events, eras), names.get(recorded.thread) ?? ''))
    requests.set(recorded.thread, new Map(recorded.requests.map((request) => [request.turn, request])))
  }
  const root = strands.get(fixture.thread) as Strand
  const replay: Replay = {
    fixture,
    redact,
    journal: memoryJournal(),
    clock: replayClock(() => timeOf(replay)),
    root,
    strands,
    requests,
    children,
    models: modelsIn(fixture.threads[0] ? eventsIn(fixture.threads[0]) : []),
    gates: new Set(),
    held: new Map(),
    asking: [],
    era: 0,
    beats: 0,
    ended: false,
    failure: undefined,
  }
  return replay
}

/** Strands that have begun and are not at their end. */
export function* livingIn({ strands }: Replay): Generator<Strand, void> {
  for (const strand of strands.values()) if (strand.begun && !isSpent(strand)) yield strand
}

/**
 * What the clock shows: the time of what the agent has to do next. While others are next the time stands still, or the agent would do at once what it
 * did only after they had spoken.
 */
function timeOf(replay: Replay): number {
  let least = Number.POSITIVE_INFINITY
  for (const strand of livingIn(replay)) {
    const line = strand.lines[strand.next] as Line
    least = Math.min(least, line.kind === 'made' || line.kind === 'aside' ? line.event.time : strand.time)
  }
  return least === Number.POSITIVE_INFINITY ? 0 : least
}

/** Ends the replay with an error. */
export function fail(replay: Replay, error: unknown): void {
  if (replay.ended) return
  replay.ended = true
  replay.failure = error
}

/** Never resolves: whoever waits for what was not recorded waits for ever. */
export const never: Promise<never> = new Promise(() => {})

/** Waits until the replay is at the first line that fits; for ever when there is none. */
export function awaitLine(replay: Replay, strand: Strand, fits: (line: Line) => boolean): Promise<LoomEvent> {
  replay.beats += 1
  const index = findLine(strand, fits)
  if (index === undefined) return never
  return new Promise((open) => replay.gates.add({ strand, index, open }))
}
