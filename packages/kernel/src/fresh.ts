/** What the handlers of the fold share: fresh copies, and the few ways in which they change. */
import { leftOutcome } from './decide-calls.ts'
import type { EndedCall, Entry } from './entry.ts'
import type { EventOf, EventType, LoomEvent } from './event.ts'
import type { Call, Frame, Run } from './frame.ts'
import { freshDigest, type Json, rollDigest, rollJson } from './json.ts'
import { append, at, emptyList, type List, replaceAt } from './list.ts'
import { addUsage, type CallResult, type Part, type Usage } from './message.ts'

/** A fresh copy that a handler may change before it is shared. */
export type Fresh<T> = { -readonly [K in keyof T]: T[K] }
/** A frame and its run, both fresh. */
export type Folding = { readonly frame: Fresh<Frame>; readonly run: Fresh<Run> }
/** Handlers of the given types; they are called only when the thread has a run. */
export type Handlers<T extends EventType> = { readonly [K in T]: (folding: Folding, event: EventOf<K>) => void }

/** How many recent calls are compared when looking for a loop. */
const loopWindow = 20

/** Appends an entry to the history. Those of every turn are made in one piece: an object that grows takes a second one for what is added. */
export function addEntry(frame: Fresh<Frame>, entry: Entry): void {
  frame.history = append(frame.history, entry)
}

/** Appends a message to the history. */
export function addMessage(frame: Fresh<Frame>, event: LoomEvent, entry: Omit<Entry, 'seq' | 'turn'>): void {
  addEntry(frame, { seq: event.seq, turn: event.turn ?? 0, ...entry })
}

/** Changes fields of a run. */
export function change(run: Fresh<Run>, fields: Partial<Run>): void {
  Object.assign(run, fields)
}

/** Adds what a reply, a child or a summary has used; where its price is not known, that is counted. */
export function pay(run: Fresh<Run>, usage: Usage | undefined, cost: number | undefined): void {
  if (usage) run.usage = addUsage(run.usage, usage)
  run.cost += cost ?? 0
  if (usage && cost === undefined) run.unpriced += 1
}

/** The state of a call that was proposed. */
const untouched = { open: [], woken: false, unread: [], hooks: [], outcome: undefined } as const
const proposed = { state: 'proposed', epoch: 0, start: undefined, answer: undefined, ...untouched } as const

/** A call that is decided anew: without what hooks and humans made of its arguments, unless its durable body has done something with them. */
export function proposedAgain(call: Call): Call {
  return { ...call, ...proposed, input: call.done.length > 0 ? call.input : call.part.input }
}

/** Replaces the calls of the run by those that a reply proposes, under Loom's own ids. */
export function propose({ frame, run }: Folding, parts: readonly Part[]): void {
  let calls: List<Call> = emptyList()
  for (const part of parts) {
    if (part.type === 'call') calls = append(calls, { id: `${frame.turn}.${calls.length}`, part, input: part.input, done: emptyList(), ...proposed })
  }
  // A hook may replace a reply: its calls count once.
  run.called += calls.length - run.calls.length
  run.calls = calls
  run.unsettled = calls.length
  run.settledTo = 0
  run.phase = calls.length > 0 ? 'tools' : 'answer'
}

/** Moves the calls of a turn into the history as one tool message: results stay next to their calls, in call order. */
export function closeTurn({ frame, run }: Folding, { seq, turn = 0 }: LoomEvent): void {
  if (run.calls.length === 0) return
  const results = new Array<CallResult>(run.calls.length)
  const calls = new Array<EndedCall>(run.calls.length)
  for (let index = 0; index < run.calls.length; index += 1) {
    const call = at(run.calls, index) as Call
    const { id, part, input, start, outcome = leftOutcome(call) } = call
    results[index] = { call: id, id: part.id, name: part.name, output: outcome.output }
    calls[index] = { input, outcome, start }
  }
  addEntry(frame, { seq, turn, origin: 'results', message: { role: 'tool', results }, calls })
  run.calls = emptyList()
  run.unsettled = 0
}

/** The place of a call among those of its turn. */
export const indexOf = (id: string): number => Number(id.slice(id.indexOf('.') + 1))

/** The call of the current turn with this id. */
export function callOf(run: Run, id: string): Call | undefined {
  const call = at(run.calls, indexOf(id))
  return call?.id === id ? call : undefined
}

/** Changes one call that is not settled, and keeps count of those; the questions of a settled call are dropped. */
export function changeCall({ frame, run }: Folding, id: string, change: (call: Fresh<Call>) => void): void {
  const call = callOf(run, id)
  if (!call || call.state === 'settled') return
  const next: Fresh<Call> = { ...call }
  change(next)
  run.calls = replaceAt(run.calls, indexOf(id), next)
  if (next.state !== 'settled') return
  run.unsettled -= 1
  while (at(run.calls, run.settledTo)?.state === 'settled') run.settledTo += 1
  frame.takeovers = 0
  if (next.unread.length > 0) frame.signals = [...next.unread, ...frame.signals]
  for (const asked in frame.questions) if (frame.questions[asked]?.call === id) frame.questions = without(frame.questions, asked)
  if (call.part.name === run.request.done) run.reminded = true
  if (run.unsettled > 0) return
  run.phase = 'enter'
  if (run.limits.loop !== false) noteRepetition(run)
}

/** A record without one of its keys. */
export function without<T>(record: { readonly [key: string]: T }, key: string): { readonly [key: string]: T } {
  const { [key]: _dropped, ...rest } = record
  return rest
}

/** Name, canonical arguments and result make a call the same as an earlier one; within one turn it counts once. */
function noteRepetition(run: Fresh<Run>): void {
  const digests = new Array<number>(run.calls.length)
  run.repeated = undefined
  for (let index = 0; index < run.calls.length; index += 1) {
    const { part, input, outcome } = at(run.calls, index) as Call
    const digest = rollJson(rollJson(rollDigest(freshDigest, part.name), input), outcome?.output.value as Json | undefined)
    digests[index] = digest
    let count = 1
    for (let earlier = run.recent.indexOf(digest); earlier !== -1; earlier = run.recent.indexOf(digest, earlier + 1)) count += 1
    if (count > (run.repeated?.count ?? 1)) run.repeated = { tool: part.name, count }
  }
  run.recent = run.recent.concat(digests.length > 1 ? [...new Set(digests)] : digests).slice(-loopWindow)
}
