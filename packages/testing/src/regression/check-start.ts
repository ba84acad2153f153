/** Compares the starts of recorded runs with what the agent would append. */
import { type AgentInstance, type StartRequest, startInput, toMessages } from '@loom-agent/agent/kit'
import { type Draft, emptyFrame, evolve, type Frame, type JsonObject, type LoomEvent, place, type RunRequest } from '@loom-agent/kernel'
import { comparedDataOf, firstDifference } from './compared-data.ts'
import { differs, stepOf } from './divergence.ts'
import { inputOf } from './recorded-input.ts'
import { replaceTexts } from './redact.ts'
import { acceptEvent, changeOf, type RecordedThread, type Replay } from './replay.ts'
import { isStart, runTrack } from './script.ts'

/** What the runs of a thread are started with. */
export interface StartSetup {
  readonly instance: AgentInstance
  /** What a run is started with, besides its input. */
  readonly startOf: (run: string) => Omit<StartRequest, 'thread' | 'messages'>
}

/** An event of the record that no driver of the replay makes, and the thread before it. */
export interface Passing {
  readonly frame: Frame
  readonly at: number
  readonly setup: StartSetup
}

/** Folds a recorded event; the start of a run is compared. Throws where the agent would start it differently. */
export function passEvent(replay: Replay, recorded: RecordedThread, { frame, at, setup }: Passing): Frame {
  const event = recorded.events[at] as LoomEvent
  const isRoot = recorded.of === ''
  // A thread begins with its first run, which is compared.
  if (isStart(event) || (event.type === 'thread.started' && !isRoot)) {
    const now = startedNow(recorded, event, { frame, setup, isRoot })
    if (now) compareStart(replay, recorded, [event, now])
  }
  return evolve(frame, recorded.events[at] as LoomEvent)
}

interface Started extends Omit<Passing, 'at'> {
  readonly isRoot: boolean
}

/** The event that the agent would append where the given one was recorded. */
function startedNow({ events }: RecordedThread, event: LoomEvent, { frame, setup, isRoot }: Started): LoomEvent | undefined {
  const { instance, startOf } = setup
  const started = isStart(event) ? event : events.find(isStart)
  const request = started && 'request' in started.data ? started.data.request : undefined
  if (!started || !request) return undefined
  const { thread } = frame
  // The first start of a thread brings two events. Before it was adopted, the thread was an agent's of another name.
  const before = frame.seq <= 1 ? emptyFrame(thread) : isRoot ? { ...frame, agent: instance.definition.name } : frame
  // What a caller says of an input is given, as the input is.
  const messages = isRoot ? { messages: toMessages(inputOf(request.input)), taint: request.taint } : {}
  const { drafts } = startInput(instance, { thread, ...messages, ...startOf(started.data.run) }, before)
  const draft = drafts.find(({ type }) => type === event.type) ?? drafts.findLast(({ type }) => type === 'run.started' || type === 'run.queued')
  const { seq, time, run, turn } = event
  const [now] = draft ? place({ thread, seq, time, run, turn }, [isRoot ? draft : allotted(draft, request)]) : []
  return now
}

/** A child's part of what its parent has left depends on how far its siblings were: it is taken from the record, at most what the child may spend. */
function allotted(draft: Draft, { limits }: RunRequest): Draft {
  if (draft.type !== 'run.started' || !('request' in draft.data)) return draft
  const { request } = draft.data
  const own = request.limits as JsonObject
  const parts = (['tokens', 'cost', 'calls', 'children'] as const).flatMap((key) =>
    own[key] !== undefined && limits[key] !== undefined ? [[key, limits[key]] as const] : [],
  )
  return { type: draft.type, data: { ...draft.data, request: { ...request, limits: { ...request.limits, ...Object.fromEntries(parts) } } } }
}

function compareStart(replay: Replay, recorded: RecordedThread, [event, now]: readonly [before: LoomEvent, now: LoomEvent]): void {
  const [before, after] = [comparedDataOf(event), comparedDataOf(now)]
  const found = firstDifference(before, after) && firstDifference(before, replaceTexts(after, replay.redact))
  if (!found) return
  const where = { of: recorded.of, event, track: runTrack }
  if (!replay.accepted) throw differs(where, found)
  replay.accepted.push(changeOf(stepOf(where, found.path), found))
  acceptEvent(recorded, event, now)
}
