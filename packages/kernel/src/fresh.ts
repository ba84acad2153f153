/** What the handlers of the fold share: fresh copies, and the few ways in which they change. */
import type { EventOf, EventType, LoomEvent } from './event.ts'
import type { Call, Entry, Frame, Run } from './frame.ts'
import { append, at, emptyList, listOf, replaceAt } from './list.ts'
import { repetition } from './loop.ts'
import type { CallPart, Message, Part } from './message.ts'

/** A fresh copy that a handler may change before anybody sees it. */
export type Fresh<T> = { -readonly [K in keyof T]: T[K] }
/** Handlers of the given types; they are called only when the thread has a run. */
export type Handlers<T extends EventType> = { readonly [K in T]: (frame: Fresh<Frame>, run: Fresh<Run>, event: EventOf<K>) => void }

/** Appends a message to the history. */
export function tell(frame: Fresh<Frame>, event: LoomEvent, entry: { origin: Entry['origin']; message: Message }): void {
  frame.history = append(frame.history, { seq: event.seq, turn: event.turn ?? 0, ...entry })
}

/** Takes the calls that a reply proposes, under Loom's own ids. */
export function propose(frame: Frame, run: Fresh<Run>, parts: readonly Part[]): void {
  const proposed = parts.filter((part) => part.type === 'call')
  run.calls = listOf(proposed.map((part, index) => proposedCall(`${frame.turn}.${index}`, part)))
  run.unsettled = proposed.length
  run.phase = proposed.length > 0 ? 'tools' : 'answer'
}

function proposedCall(id: string, part: CallPart): Call {
  const nothing = { start: undefined, answer: undefined, woken: undefined, outcome: undefined }
  return { id, part, input: part.input, state: 'proposed', epoch: 0, open: [], done: emptyList(), ...nothing }
}

/** The call of the current turn with this id. */
export function callOf(run: Run, id: string): Call | undefined {
  const call = at(run.calls, indexOf(id))
  return call?.id === id ? call : undefined
}

const indexOf = (id: string): number => Number(id.slice(id.indexOf('.') + 1))

/** Changes one call of the run and keeps count of the unsettled ones. */
export function changeCall(frame: Fresh<Frame>, run: Fresh<Run>, id: string, change: (call: Fresh<Call>) => void): void {
  const call = callOf(run, id)
  if (!call) return
  const next: Fresh<Call> = { ...call }
  change(next)
  run.calls = replaceAt(run.calls, indexOf(id), next)
  if (next.state !== 'settled' || call.state === 'settled') return
  run.unsettled -= 1
  const others = Object.entries(frame.questions).filter(([, question]) => question.call !== id)
  if (others.length < Object.keys(frame.questions).length) frame.questions = Object.fromEntries(others)
  frame.takeovers = 0
  if (call.part.name === run.request.done) run.reminded = true
  if (run.unsettled > 0) return
  run.phase = 'enter'
  if (run.limits.loop === false) return
  const { recent, repeated } = repetition(run)
  run.recent = recent
  run.repeated = repeated
}
