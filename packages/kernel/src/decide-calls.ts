/**
 * The part of `decide` that sees to the calls of a turn.
 *
 * K14. Every call gets exactly one result, whatever happens.
 * K15. A serial call never overtakes an earlier serial call that is not settled.
 * K16. An unsafe effect whose performer was lost is never run again silently and never forgotten: it becomes a question.
 */
import type { Effect } from './effect.ts'
import type { Draft, ToolOutcome } from './event.ts'
import type { Call, Frame, OpenStep, Run } from './frame.ts'
import type { HookPoint } from './hooks.ts'
import { at, items } from './list.ts'
import type { Output } from './message.ts'
import { nearestWake } from './wake.ts'

const afterReply: readonly HookPoint[] = ['afterModelReply']
const none: readonly Draft[] = []

/** What is to be done about the calls of this turn. */
export function decideCalls(frame: Frame, run: Run): Effect {
  const drafts: Draft[] = []
  const authorize: string[] = []
  const execute: string[] = []
  let serialBlocked = false
  let running = 0
  for (let index = 0; index < run.calls.length; index += 1) {
    const call = at(run.calls, index) as Call
    if (call.state === 'settled') continue
    drafts.push(...conclude(frame, run, call))
    const blocked = call.part.serial === true && serialBlocked
    if (call.part.serial) serialBlocked = true
    if (call.state === 'proposed') authorize.push(call.id)
    if (blocked) continue
    if (isPerformed(frame, call)) running += 1
    else if (mayExecute(frame, call)) execute.push(call.id)
  }
  if (drafts.length > 0) return { kind: 'record', hooks: [], events: drafts }
  const until = nearestWake(frame, run)
  const otherwise: Effect = running > 0 ? { kind: 'wait', until } : { kind: 'suspend', reason: reasonOf(frame), until }
  if (run.pause && running === 0) return { kind: 'suspend', reason: 'paused' }
  if (authorize.length + execute.length === 0) return otherwise
  return { kind: 'call-tools', hooks: authorize.length === run.calls.length ? afterReply : [], authorize, execute, otherwise }
}

const isPerformed = (frame: Frame, call: Call): boolean => call.state === 'running' && call.epoch === frame.epoch

/** A call may (again) execute when it is cleared, when its performer was lost and its class allows it, or when its body has been woken. */
function mayExecute(frame: Frame, call: Call): boolean {
  if (call.state === 'proposed' || call.state === 'cleared') return true
  if (call.state === 'running') return true
  const children = call.open.some((step) => step.child !== undefined)
  return call.state === 'suspended' && (call.woken === true || (children && call.epoch < frame.epoch))
}

/** Facts about a call that follow from the frame alone. */
function conclude(frame: Frame, run: Run, call: Call): readonly Draft[] {
  const answer = call.answer?.answer
  if (call.state === 'rejected') {
    const reason = (answer?.kind === 'reject' && answer.reason) || 'A human rejected this call.'
    return [{ type: 'tool.denied', data: { call: call.id, reason, errorType: 'rejected' } }]
  }
  if (call.state === 'responded') {
    const value = answer?.kind === 'respond' ? answer.value : null
    const output: Output = typeof value === 'string' ? { type: 'text', value } : { type: 'json', value }
    return [{ type: 'tool.finished', data: { call: call.id, status: 'success', output, meta: { answered: true } } }]
  }
  if (call.state !== 'running' || call.epoch === frame.epoch) return none
  if (call.start?.durable) return call.open.flatMap((step) => doubtStep(frame, call, step))
  return call.start?.effect === 'unsafe' ? doubt(frame, run, call) : none
}

const inDoubt = (call: Call): string => `The process was lost while ${call.part.name} ran: it may or may not have happened.`

function doubt(frame: Frame, run: Run, call: Call): readonly Draft[] {
  const fact: Draft = { type: 'tool.in-doubt', data: { call: call.id } }
  if (run.request.unattended === 'deny') return [fact, { type: 'tool.finished', data: { call: call.id, ...unknownOutcome(inDoubt(call)) } }]
  const prompt = `${inDoubt(call)} Respond with its result if it did, approve to run it if it did not, or reject.`
  return [
    fact,
    { type: 'question.asked', data: { id: `${call.id}#${frame.asked + 1}`, kind: 'in-doubt', call: call.id, prompt, show: call.input } },
  ]
}

function doubtStep(frame: Frame, call: Call, step: OpenStep): readonly Draft[] {
  if (step.effect !== 'unsafe' || step.epoch === frame.epoch || step.question !== undefined) return []
  const { key } = step
  const prompt = `The process was lost inside the step ${key} of ${call.part.name}: it may or may not have happened. Respond, approve to run it again, or reject.`
  const id = `${call.id}/${key}#${frame.asked + 1}`
  return [
    { type: 'tool.in-doubt', data: { call: call.id, key } },
    { type: 'question.asked', data: { id, kind: 'in-doubt', call: call.id, key, prompt, show: call.input } },
  ]
}

/** How a call ends when nobody can tell whether it happened. */
export function unknownOutcome(why: string): ToolOutcome {
  const value = `${why} The outcome is unknown: verify it before you call this again.`
  return { status: 'error', output: { type: 'error', value }, errorType: 'outcome-unknown' }
}

const reasonOf = (frame: Frame): 'question' | 'waiting' => (Object.keys(frame.questions).length > 0 ? 'question' : 'waiting')

/** After a stop request: aborts what is performed and gives every other call its result. Undefined when all are settled. */
export function settleCalls(frame: Frame, run: Run, reason: string): Effect | undefined {
  const drafts: Draft[] = []
  for (const call of items(run.calls)) {
    if (call.state === 'settled') continue
    if (isPerformed(frame, call)) return { kind: 'abort', reason }
    const begun =
      call.start !== undefined && (call.start.effect === 'unsafe' || call.start.effect === 'reconcilable') && !call.start.durable
    const cancelled: ToolOutcome = { status: 'error', output: { type: 'error', value: `Cancelled: ${reason}` }, errorType: 'cancelled' }
    drafts.push({ type: 'tool.finished', data: { call: call.id, ...(begun ? unknownOutcome(inDoubt(call)) : cancelled) } })
  }
  return drafts.length > 0 ? { kind: 'record', hooks: [], events: drafts } : undefined
}
