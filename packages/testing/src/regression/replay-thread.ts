/** Replays a recorded thread: the start of each of its runs, and each of its drivers. */
import { driveAlone, type RunOverrides, withoutCode } from '@loom-agent/agent/kit'
import { emptyFrame, evolve, fold, type LoomEvent } from '@loom-agent/kernel'
import { passEvent, type StartSetup } from './check-start.ts'
import type { Difference } from './compared-data.ts'
import { stepOf } from './divergence.ts'
import { createEpochReplay, type InputNews } from './epoch-replay.ts'
import { acceptEvent, changeOf, type RecordedThread, type Replay, takeDigests } from './replay.ts'
import { replayChildren } from './replay-children.ts'
import { replayJournal } from './replay-journal.ts'
import { scheduleReplay } from './replay-scheduler.ts'
import { epochAt, inputsBefore, type RecordedEpoch, runTrack } from './script.ts'

/** What a thread is replayed with. */
export interface ThreadSetup extends StartSetup {
  readonly overrides: ReadonlyMap<string, RunOverrides>
  readonly patience: number
}

/** Replays a thread. Throws at the first divergence. */
export async function replayThread(replay: Replay, recorded: RecordedThread, setup: ThreadSetup): Promise<void> {
  const { events, thread } = recorded
  let frame = emptyFrame(thread)
  const cut = events.findLastIndex(({ type }) => type === 'thread.forked')
  for (let at = 0; at < events.length; ) {
    const event = events[at] as LoomEvent
    if (event.type === 'driver.acquired' && at > cut) {
      // Before it was adopted, the thread was driven by an agent of another name.
      const known = frame.parent ? frame : { ...frame, agent: setup.instance.definition.name }
      const epoch = epochAt(known, events, at)
      await replayEpoch(replay, recorded, { setup, epoch })
      for (; at < epoch.end; at += 1) frame = passEvent(replay, recorded, { frame, at, setup })
    } else {
      frame = at > cut ? passEvent(replay, recorded, { frame, at, setup }) : evolve(frame, event)
      at += 1
    }
  }
}

interface ReplayedEpoch {
  readonly setup: ThreadSetup
  readonly epoch: RecordedEpoch
}

/** How a driver may have gone through its record: what it knew at first, how it learned of inputs, and whether it could only end the run. */
interface Way {
  readonly script: RecordedEpoch
  readonly news: InputNews
  readonly onlyEnds: boolean
}

/** Replays a driver in each way that it may have gone; throws the divergence of the first when none leads through the record. */
async function replayEpoch(replay: Replay, recorded: RecordedThread, { setup, epoch }: ReplayedEpoch): Promise<void> {
  if (!epoch.lines.some(({ kind }) => kind === 'made')) return
  const failures: unknown[] = []
  for (const way of waysOf(recorded, epoch)) {
    const changes: Changes = []
    try {
      await playEpoch(replay, recorded, { setup, way, changes })
      for (const [before, now, found, step] of changes) {
        replay.accepted?.push(changeOf(step, found))
        acceptEvent(recorded, before, now)
      }
      return
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

function* waysOf({ events }: RecordedThread, epoch: RecordedEpoch): Iterable<Way> {
  yield* waysThrough(epoch)
  const { start, acquired } = epoch
  const from = inputsBefore(events, acquired.seq - 1)
  if (from < start.seq) yield* waysThrough(epochAt({ ...fold(start.thread, events.slice(0, from)), agent: start.agent }, events, acquired.seq - 1))
}

function* waysThrough(script: RecordedEpoch): Iterable<Way> {
  const { lines, start } = script
  const isStopped = start.parent !== undefined && (start.run?.stop !== undefined || lines.some(({ event }) => event.type === 'run.stop-requested'))
  const hasInputs = lines.some(({ kind }) => kind === 'given')
  for (const onlyEnds of isStopped ? [false, true] : [false]) {
    yield { script, news: 'conflict', onlyEnds }
    if (hasInputs) yield* [{ script, news: 'hint', onlyEnds } as const, { script, news: 'late conflict', onlyEnds } as const]
  }
}

/** What was accepted of a driver: both events, where they differ, and the step. */
type Changes = [recorded: LoomEvent, replayed: LoomEvent, found: Difference, step: string][]

interface PlayedEpoch {
  readonly setup: ThreadSetup
  readonly way: Way
  readonly changes: Changes
}

async function playEpoch(replay: Replay, recorded: RecordedThread, { setup, way, changes }: PlayedEpoch): Promise<void> {
  const { script } = way
  const { of } = recorded
  const accept = (before: LoomEvent, now: LoomEvent, found: Difference): void => {
    const { call } = before.data as { readonly call?: string }
    changes.push([before, now, found, stepOf({ of, event: before, track: call ?? runTrack }, found.path)])
  }
  const epoch = createEpochReplay(script, {
    news: way.news,
    of,
    redact: replay.redact,
    isShared: replay.fixture.shared !== undefined,
    accept: replay.accepted && accept,
    matched: (before, now) => takeDigests(recorded, before, now),
  })
  const { run } = script.start
  const instance = way.onlyEnds && run ? withoutCode(setup.instance, run) : setup.instance
  const journal = replayJournal(epoch, {
    eventsOf: (thread) => replay.threads.get(thread)?.events ?? [],
    blob: (hash) => blobOf(replay, hash),
  })
  replay.current = epoch
  let drives = 0
  const drive = (): Promise<void> => {
    const resume = drives === 0 ? script.resume : undefined
    const at = { frame: epoch.frame, epoch: script.acquired.data.epoch + drives, journal, resume }
    drives += 1
    return driveAlone(instance, { ...at, overrides: setup.overrides, childRunner: (driving) => replayChildren(replay, epoch, driving) })
  }
  try {
    await scheduleReplay(epoch, { drive, patience: setup.patience })
  } finally {
    epoch.ended = true
    epoch.clock.clear()
  }
}

function blobOf({ fixture }: Replay, hash: string): Uint8Array | undefined {
  const base64 = fixture.blobs?.[hash]
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}
