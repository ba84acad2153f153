/** The state of one replay: the recorded threads, how children were started, and the driver that is replayed now. */
import type { ChildStart } from '@loom-agent/agent/kit'
import type { JsonObject, LoomEvent } from '@loom-agent/kernel'
import type { Difference } from './compared-data.ts'
import type { EpochReplay } from './epoch-replay.ts'
import { eventsIn, type Fixture } from './fixture.ts'
import { type RecordedRequests, recordedRequests } from './recorded-requests.ts'
import type { Redact } from './redact.ts'

/** A recorded thread. */
export interface RecordedThread {
  readonly thread: string
  /** Whose child it is, in words; empty for the root. */
  readonly of: string
  /** Its events; an accepted change takes the place of what was recorded. */
  readonly events: LoomEvent[]
  readonly requests: RecordedRequests
}

/** A change that was accepted: where, and both values. */
export interface AcceptedChange {
  readonly step: string
  readonly recorded: unknown
  readonly now: unknown
}

/** Everything that a replay works with. */
export interface Replay {
  readonly fixture: Fixture
  readonly redact: Redact
  readonly threads: ReadonlyMap<string, RecordedThread>
  /** How each child was started, by its thread. */
  readonly starts: Map<string, Promise<ChildStart>>
  /** Tools whose bodies run. */
  readonly executes: (tool: string) => boolean
  /** What was accepted; undefined when every difference is an error. */
  readonly accepted: AcceptedChange[] | undefined
  /** The driver that is replayed. */
  current: EpochReplay | undefined
}

/** What a replay does besides comparing. */
export type ReplayMode = Pick<Replay, 'redact' | 'executes' | 'accepted'>

/** A replay at its beginning. */
export function createReplay(fixture: Fixture, mode: ReplayMode): Replay {
  const threads = new Map<string, RecordedThread>()
  const names = new Map<string, string>()
  for (const recorded of fixture.threads) {
    const events = [...eventsIn(recorded)]
    const { thread } = recorded
    for (const event of events) {
      if (event.type !== 'child.started') continue
      const { call, child, agent } = event.data
      names.set(child, [names.get(thread) ?? '', `child of call ${call} (${agent})`].filter(Boolean).join(', '))
    }
    threads.set(thread, { thread, of: names.get(thread) ?? '', events, requests: recordedRequests(recorded.requests) })
  }
  return { fixture, ...mode, threads, starts: new Map(), current: undefined }
}

/** The driver that is replayed for a thread; undefined for what is left of an earlier one. */
export function epochOf({ current }: Replay, thread: string): EpochReplay | undefined {
  return current?.thread === thread && !current.ended ? current : undefined
}

/** Takes an accepted event into the record. */
export function acceptEvent({ events }: RecordedThread, recorded: LoomEvent, replayed: LoomEvent): void {
  events[recorded.seq - 1] = { ...recorded, data: replayed.data } as LoomEvent
}

/**
 * Takes the digests of a replayed event into the record, which has none: a later driver compares an approval with what it was given for.
 */
export function takeDigests({ events }: RecordedThread, recorded: LoomEvent, replayed: LoomEvent): void {
  const { digest, grant } = replayed.data as JsonObject
  if (digest === undefined && grant === undefined) return
  const at = recorded.seq - 1
  events[at] = {
    ...recorded,
    data: { ...recorded.data, ...(digest !== undefined && { digest }), ...(grant !== undefined && { grant }) },
  } as LoomEvent
}

/** What was accepted, as a change that people can read. */
export const changeOf = (step: string, { recorded, replayed }: Difference): AcceptedChange => ({ step, recorded, now: replayed })
