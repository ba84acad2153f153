/** The state of one replay: recorded threads, gates at which the agent waits for what others did, and one clock. */
import { memoryJournal } from '@loom-agent/agent'
import { childIdOf } from '@loom-agent/agent/kit'
import type { Journal, LeaseId, LoomEvent } from '@loom-agent/kernel'
import { eventsIn, type Fixture, type FixtureRequest } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'
import type { Redact } from './redact.ts'
import { type ReplayClock, replayClock } from './replay-clock.ts'
import { type Line, scriptOf } from './script.ts'
import { createThreadReplay, findLine, isSpent, type ThreadReplay } from './thread-replay.ts'

/** A wait for what was recorded at a line. */
export interface Gate {
  readonly threadReplay: ThreadReplay
  readonly index: number
  readonly open: (event: LoomEvent) => void
}

/** Everything that a replay works with. */
export interface Replay {
  readonly fixture: Fixture
  readonly redact: Redact
  readonly journal: Journal
  readonly clock: ReplayClock
  readonly root: ThreadReplay
  readonly threads: ReadonlyMap<string, ThreadReplay>
  readonly requests: ReadonlyMap<string, ReadonlyMap<number, FixtureRequest>>
  /** The digests in the ids of recorded children, by what they are made of. */
  readonly children: ReadonlyMap<string, string>
  /** The model of each run of the root. */
  readonly models: ReadonlyMap<string, string>
  readonly gates: Set<Gate>
  /** Threads that have a driver, with its lease. */
  readonly held: Map<string, LeaseId>
  /** Threads whose model is about to be called, in order. */
  readonly asking: string[]
  /** How many processes were lost. */
  era: number
  /** Counts everything that happens: when it does not change, nothing makes progress. */
  progress: number
  /** Set when the replay is over: by a divergence, by an error, or because the record is. */
  ended: boolean
  failure: unknown
}

/** The digest in the id of a child. */
const digestIn = (child: string): string => child.replace(/^child-/, '')

/** A replay at its beginning. */
export function createReplay(fixture: Fixture, redact: Redact): Replay {
  const threads = new Map<string, ThreadReplay>()
  const requests = new Map<string, ReadonlyMap<number, FixtureRequest>>()
  const children = new Map<string, string>()
  const names = new Map<string, string>()
  const eras = new Map<string, number>()
  for (const recorded of fixture.threads) {
    const events = eventsIn(recorded)
    // What was recorded before ids of children had a form of their own is replayed under ids of that form.
    const thread = recorded.thread === fixture.thread ? recorded.thread : childIdOf(digestIn(recorded.thread))
    for (const event of events) {
      if (event.type !== 'child.started') continue
      const { call, key, child, agent } = event.data
      children.set(`${thread}/${call}/${key}`, digestIn(child))
      names.set(childIdOf(digestIn(child)), [names.get(thread) ?? '', `child of call ${call} (${agent})`].filter(Boolean).join(', '))
    }
    threads.set(thread, createThreadReplay(scriptOf(thread, events, eras), names.get(thread) ?? ''))
    requests.set(thread, new Map(recorded.requests.map((request) => [request.turn, request])))
  }
  const root = threads.get(fixture.thread) as ThreadReplay
  const replay: Replay = {
    fixture,
    redact,
    journal: memoryJournal(),
    clock: replayClock(() => timeOf(replay)),
    root,
    threads,
    requests,
    children,
    models: modelsIn(fixture.threads[0] ? eventsIn(fixture.threads[0]) : []),
    gates: new Set(),
    held: new Map(),
    asking: [],
    era: 0,
    progress: 0,
    ended: false,
    failure: undefined,
  }
  return replay
}

/** Threads that have started and are not at their end. */
export function* activeThreads({ threads }: Replay): Generator<ThreadReplay, void> {
  for (const threadReplay of threads.values()) if (threadReplay.started && !isSpent(threadReplay)) yield threadReplay
}

/**
 * What the clock shows: the time of what the agent has to do next. While an input is next the time does not move, or the agent would do at once what it
 * did only after that input.
 */
function timeOf(replay: Replay): number {
  let least = Number.POSITIVE_INFINITY
  for (const threadReplay of activeThreads(replay)) {
    const line = threadReplay.lines[threadReplay.next] as Line
    least = Math.min(least, line.kind === 'made' || line.kind === 'aside' ? line.event.time : threadReplay.time)
  }
  return least === Number.POSITIVE_INFINITY ? 0 : least
}

/** Ends the replay with an error. */
export function fail(replay: Replay, error: unknown): void {
  if (replay.ended) return
  replay.ended = true
  replay.failure = error
}

/** Never resolves: a wait for what was not recorded lasts forever. */
export const never: Promise<never> = new Promise(() => {})

/** Waits until the replay is at the first line that fits; forever when there is none. */
export function awaitLine(replay: Replay, threadReplay: ThreadReplay, fits: (line: Line) => boolean): Promise<LoomEvent> {
  replay.progress += 1
  const index = findLine(threadReplay, fits)
  if (index === undefined) return never
  return new Promise((open) => replay.gates.add({ threadReplay, index, open }))
}
