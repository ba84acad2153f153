/**
 * The history checker: a pure judge of what a journal says happened.
 *
 * It looks at each event once, in order, and knows nothing but the events before. It asserts the laws of pairing, of the one winner
 * and of no silent loss as far as one journal can show them, that epochs fence, and that no work begins after a stop request.
 */
import { isContributed } from '@loom-agent/agent/kit'
import { type EventType, eventVersions, type LoomEvent } from '@loom-agent/kernel'
import { callChecks } from './check-calls.ts'
import { checkRestoring } from './check-files.ts'
import { isMadeByEdit } from './check-forks.ts'
import { hookApplied } from './check-hooks.ts'
import { questionChecks } from './check-questions.ts'
import { askQueued, lifecycleChecks, threadChecks } from './check-runs.ts'
import { stepChecks } from './check-steps.ts'
import { turnChecks } from './check-turns.ts'
import { blame, createLedger, isEnded, type Ledger, type RunChecks, type RunNote } from './ledger.ts'
import type { Violation } from './rules.ts'

const runChecks: RunChecks<Exclude<EventType, keyof typeof threadChecks>> = {
  ...lifecycleChecks,
  ...turnChecks,
  ...callChecks,
  ...stepChecks,
  ...questionChecks,
  'hook.applied': hookApplied,
}

type Judge = (ledger: Ledger, event: LoomEvent) => void
type RunJudge = (ledger: Ledger, run: RunNote, event: LoomEvent) => void

/** Everything that is wrong with the events of one thread, as read from its journal. */
export function checkHistory(events: readonly LoomEvent[]): readonly Violation[] {
  const ledger = createLedger()
  for (const event of events) look(ledger, event)
  return ledger.found
}

/** Throws when the events of a thread break a rule. */
export function assertHistory(events: readonly LoomEvent[]): void {
  const found = checkHistory(events)
  if (found.length === 0) return
  const lines = found.map(({ rule, seq, message }) => `  ${rule} at ${events[0]?.thread}@${seq}: ${message}`)
  throw new Error(`The history breaks ${found.length === 1 ? 'a rule' : `${found.length} rules`}:\n${lines.join('\n')}`)
}

function look(ledger: Ledger, event: LoomEvent): void {
  const first = ledger.thread === undefined
  // The events of a fork continue where its parent was cut.
  const next = first && event.type === 'thread.forked' ? event.seq : ledger.seq + 1
  ledger.seq = event.seq
  ledger.thread ??= event.thread
  if (event.seq !== next) blame(ledger, 'HIST-1', `The seq is ${event.seq}, and ${next} is next.`)
  if (event.thread !== ledger.thread) blame(ledger, 'HIST-1', `The event belongs to ${event.thread}, not to ${ledger.thread}.`)
  if (first && event.type !== 'thread.started' && event.type !== 'thread.forked') blame(ledger, 'HIST-2', `The thread begins with ${event.type}.`)
  if (!first && event.type === 'thread.started') blame(ledger, 'HIST-2', 'The thread has begun already.')
  checkDriver(ledger, event)
  judge(ledger, event)
  checkPlace(ledger, event)
  ledger.time = event.time
}

function checkDriver(ledger: Ledger, event: LoomEvent): void {
  if (event.type === 'driver.acquired') {
    const { epoch } = event.data
    if (epoch <= ledger.epoch) blame(ledger, 'HIST-4', `A driver has the epoch ${epoch}, and ${ledger.epoch} was there before.`)
    ledger.epoch = epoch
    ledger.acquiredAt = event.time
    ledger.driven = true
    if (ledger.fork) ledger.fork.driven = true
    return
  }
  if (isContributed(event)) return
  if (ledger.fork && !ledger.fork.driven) {
    if (!isMadeByEdit(ledger.fork, event)) blame(ledger, 'HIST-39', `${event.type} comes before the first driver of the fork, and no edit makes it.`)
  } else if (ledger.driven) checkRestoring(ledger, event)
  else blame(ledger, 'HIST-5', `Only a driver writes ${event.type}, and there was none.`)
}

/** What makes a run that has ended go on. */
const goesOn: ReadonlySet<EventType> = new Set<EventType>(['run.resumed', 'limit.raised'])
/** A run that has failed may be resumed, also by newer code; until the next run starts, its calls may be answered and get their results. */
const ofFailed: ReadonlySet<EventType> = new Set<EventType>(['agent.upgraded', 'question.answered', 'tool.finished', 'tool.denied'])

function judge(ledger: Ledger, event: LoomEvent): void {
  if (event.v > (eventVersions[event.type] ?? 1)) return
  const ofThread = (threadChecks as { readonly [type: string]: unknown })[event.type] as Judge | undefined
  if (ofThread) return ofThread(ledger, event)
  if (event.type === 'run.stop-requested' && event.data.run !== undefined) return askQueued(ledger, event.data.run, { stop: true })
  if (event.type === 'run.pause-requested' && event.data.run !== undefined) return askQueued(ledger, event.data.run, { pause: true })
  const ofRun = (runChecks as { readonly [type: string]: unknown })[event.type] as RunJudge | undefined
  if (!ofRun) return
  const { run } = ledger
  if (!run) return blame(ledger, 'HIST-8', `${event.type} comes before any run.`)
  if (isEnded(run) && !goesOn.has(event.type) && !(run.status === 'failed' && ofFailed.has(event.type)))
    return blame(ledger, 'HIST-8', `${event.type} comes after the end of ${run.id} (${run.status}).`)
  checkWork(ledger, run, event)
  ofRun(ledger, run, event)
}

/** Events that say that something new begins. */
const work: ReadonlySet<EventType> = new Set<EventType>([
  'turn.entered',
  'context.assembled',
  'model.requested',
  'tool.started',
  'tool.step-started',
  'child.started',
])

function checkWork(ledger: Ledger, run: RunNote, event: LoomEvent): void {
  if (!work.has(event.type)) return
  const { stop } = run
  // What is pure or reads need not wait for its intent: the record may come after a stop request that the driver had not read when it started.
  const late = (event.type === 'tool.started' || event.type === 'tool.step-started') && ['pure', 'read'].includes(event.data.effect)
  // Nor has a new driver read, in its first batch, what was appended while it acquired the thread.
  const unread = stop !== undefined && (stop.epoch === ledger.epoch || event.time === ledger.acquiredAt)
  if (stop && !(late && unread)) blame(ledger, 'HIST-10', `${event.type} comes after ${run.id} was asked to stop.`)
  if (run.status === 'suspended' && !late) blame(ledger, 'HIST-9', `${event.type} comes while ${run.id} is suspended.`)
  const between = event.type === 'turn.entered' || event.type === 'context.assembled' || event.type === 'model.requested'
  for (const { asked } of ledger.questions.values()) {
    if (between || asked.call === undefined) blame(ledger, 'HIST-31', `${event.type} comes while the question ${asked.id} is open.`)
  }
}

function checkPlace(ledger: Ledger, event: LoomEvent): void {
  const run = event.type === 'run.queued' ? event.data.run : ledger.run?.id
  if (event.run !== run) blame(ledger, 'HIST-3', `The event carries the run ${event.run}, and ${run} is in force.`)
  if ((event.turn ?? 0) !== ledger.turn) blame(ledger, 'HIST-3', `The event carries the turn ${event.turn}, and ${ledger.turn} is in force.`)
}
