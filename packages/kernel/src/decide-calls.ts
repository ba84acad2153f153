/**
 * The part of `decide` that handles the calls of a turn.
 *
 * DECIDE-4. Every call gets exactly one result.
 * DECIDE-5. A serial call never overtakes an earlier serial call that is not settled.
 * DECIDE-7. A decision looks at the calls of `openCalls` only, so that its cost does not grow with the reply. What has begun is always among
 *     them: the window only moves on.
 * DECIDE-6. An unsafe effect whose performer was lost is never run again silently and never forgotten: it becomes a question.
 */
import type { Effect, Suspend, Wait } from './effect.ts'
import type { Draft, EffectClass, ToolOutcome } from './event.ts'
import type { Call, Frame, Run } from './frame.ts'
import { items } from './list.ts'
import { openCalls } from './open-calls.ts'
import { nearestWake } from './wake.ts'

const none: readonly never[] = []

/** The next effect for the calls of this turn. */
export function decideCalls(frame: Frame, run: Run): Effect {
  const drafts: Draft[] = []
  let authorize: string[] = []
  let execute: string[] = []
  let serialBlocked = false
  let running = 0
  const open = openCalls(run)
  for (const call of open) {
    for (const draft of conclude(frame, call)) drafts.push(draft)
    const blocked = call.part.serial === true && serialBlocked
    serialBlocked ||= call.part.serial === true
    if (call.state === 'proposed') authorize = added(authorize, call.id)
    if (blocked) continue
    if (isPerformed(frame, call)) running += 1
    else if (mayExecute(frame, call)) execute = added(execute, call.id)
  }
  if (drafts.length > 0) return { kind: 'record', events: drafts }
  const until = nearestWake(frame, open)
  const asked = Object.keys(frame.questions).length > 0
  const otherwise: Wait | Suspend = running > 0 ? { kind: 'wait', until } : { kind: 'suspend', reason: asked ? 'question' : 'waiting', until }
  if (authorize.length + execute.length === 0) return otherwise
  return { kind: 'call-tools', authorize, execute, otherwise }
}

/** A list with one more. Most turns have one call, and a list that grows takes room for many. */
function added(list: string[], id: string): string[] {
  if (list.length === 0) return [id]
  list.push(id)
  return list
}

const isPerformed = (frame: Frame, call: Call): boolean => call.state === 'running' && call.epoch === frame.epoch

/** Whether this driver performs a call of the run. */
export const hasPerformed = (frame: Frame, run: Run): boolean => openCalls(run).some((call) => isPerformed(frame, call))

/** A call may (again) execute when it is cleared, when its performer was lost and its class allows it, or when its body has been woken. */
function mayExecute(frame: Frame, { state, open, woken, epoch }: Call): boolean {
  if (state === 'proposed' || state === 'cleared' || state === 'running') return true
  // A child may have moved on while no process drove this thread: a new driver has to look.
  return state === 'suspended' && (woken || (epoch < frame.epoch && open.some((step) => step.child !== undefined)))
}

/** Facts about a call that follow from the frame alone. */
function conclude(frame: Frame, call: Call): readonly Draft[] {
  const { start, epoch } = call
  const given = givenResult(call)
  if (given) return [given]
  if (call.state !== 'running' || epoch === frame.epoch) return none
  if (!start?.durable) return start?.effect === 'unsafe' ? inDoubt(frame, call, { why: lostWhile(call) }) : none
  const lost = call.open.filter((step) => step.effect === 'unsafe' && step.epoch !== frame.epoch && step.question === undefined)
  return lost.flatMap(({ key }) => inDoubt(frame, call, { why: lostWhile(call, key), key }))
}

/** The result that a human has given a call: a rejection, or its outcome. */
function givenResult(call: Call): Draft | undefined {
  const { id, state, start, answer: given } = call
  const answer = given?.answer
  if (state === 'rejected') {
    const why = answer?.kind === 'reject' && answer.reason ? `: ${answer.reason}` : ''
    const rejection = `A human rejected this call${why}`
    // A call that had begun may have happened: only who was asked about that can say that it has not.
    if (start && given?.kind === 'approval') return { type: 'tool.finished', data: { call: id, ...unknownOutcome(`${rejection}.`, stepsNote(call)) } }
    const reason = `${rejection}${/[.!?。！？]$/.test(rejection) ? '' : '.'} Try another way, or say what you need.`
    return { type: 'tool.denied', data: { call: id, reason, errorType: 'rejected' } }
  }
  if (state !== 'responded') return undefined
  const value = answer?.kind === 'respond' ? answer.value : null
  const output = typeof value === 'string' ? ({ type: 'text', value } as const) : ({ type: 'json', value } as const)
  return { type: 'tool.finished', data: { call: id, status: 'success', output, meta: { answered: true } } }
}

const lostWhile = ({ id, part: { name } }: Call, key?: string): string =>
  `The process was lost while ${key === undefined ? name : `${stepName(key)} of call ${id} (${name})`} ran: it may or may not have happened.`

/** The key of a step in words: its kind, its name if it has one, and which occurrence it is. */
export const stepName = (key: string): string => key.replace(/^(\w+):(.*):(\d+)$/s, '$1 $2 #$3').replace('  ', ' ')

/**
 * The facts about a call, or one step of it, that may or may not have happened: it becomes a question (DECIDE-6), or where questions are denied, an
 * outcome that says so. `why` tells a human what is in doubt.
 */
export function inDoubt(frame: Frame, call: Call, { why, key }: { readonly why: string; readonly key?: string | undefined }): readonly Draft[] {
  const { id } = call
  const about = key === undefined ? { call: id } : { call: id, key }
  const fact: Draft = { type: 'tool.in-doubt', data: about }
  if (frame.run?.request.unattended !== 'deny') {
    const done = key === undefined ? '' : named(' Completed of this call', completed(call))
    const prompt = `${why}${done && `${done}.`} Respond with its result if it did, approve to run it if it did not, or reject.`
    const asked = { id: `${Object.values(about).join('/')}#${frame.asked + 1}`, kind: 'in-doubt', ...about, prompt, show: call.input } as const
    return [fact, { type: 'question.asked', data: asked }]
  }
  if (key === undefined) return [fact, { type: 'tool.finished', data: { call: id, ...unknownOutcome(why) } }]
  const error = { code: 'LOOM_STEP_REJECTED', message: why, recoverable: false }
  return [fact, { type: 'tool.step-finished', data: { call: id, key, error } }]
}

/** The keys of a durable body in doubt: steps that were lost, children that have not ended, and children that left a call in doubt. */
export function keysInDoubt({ open, done }: Call): readonly string[] {
  const lost = open.filter(({ effect, child }) => child !== undefined || mayHaveRun(effect))
  const left = [...items(done)].filter(({ key, value }) => key.startsWith('run:') && (value as { inDoubt?: true } | undefined)?.inDoubt)
  return [...lost, ...left].map(({ key }) => key)
}

/** The steps of a durable body that was interrupted, in words: those that may have happened, and those that have. Empty where there are none. */
export function stepsNote(call: Call): string {
  const before = named('completed before', completed(call))
  return named(' In doubt', keysInDoubt(call)) + (before && ` (${before})`)
}

const named = (what: string, keys: readonly string[]): string => (keys.length > 0 ? `${what}: ${keys.map(stepName).join(', ')}` : '')

/** The steps and children of a durable body that have happened, in order. */
function completed(call: Call): readonly string[] {
  const lost = keysInDoubt(call)
  const done = [...items(call.done)].filter(({ key, error }) => !error && /^(step|run):/.test(key) && !lost.includes(key))
  return done.map(({ key }) => key)
}

const mayHaveRun = (effect: EffectClass | undefined): boolean => effect !== undefined && effect !== 'pure' && effect !== 'read'

/** The outcome of a call of which it is not known whether it happened. */
export function unknownOutcome(why: string, steps = ''): ToolOutcome {
  const value = `${why}${steps && `${steps}.`} The outcome is unknown: verify it before you call this again.`
  return { status: 'error', output: { type: 'error', value }, errorType: 'outcome-unknown' }
}

/** Where a run is stopped or is left: aborts what is performed and gives every other call its result. Undefined when all are settled. */
export function settleCalls(frame: Frame, run: Run, reason: string = failed): Effect | undefined {
  if (hasPerformed(frame, run)) return { kind: 'abort', reason }
  const events = leaveCalls(run, reason)
  return events.length > 0 ? { kind: 'record', events } : undefined
}

const failed = 'the run failed before this call ended'

/** The results of the calls that a run leaves open; without a reason, because it has failed. */
export function leaveCalls(run: Run, reason?: string): readonly Draft[] {
  const open = [...items(run.calls)].filter(({ state }) => state !== 'settled')
  return open.map((call) => givenResult(call) ?? { type: 'tool.finished', data: { call: call.id, ...leftOutcome(call, reason) } })
}

/** The outcome of a call that is left open: unknown where it may have happened, unless a human said that it did not. */
export function leftOutcome(call: Call, reason: string = failed): ToolOutcome {
  const { start, state, answer } = call
  const steps = stepsNote(call)
  const isCleared = state === 'cleared' && answer?.kind === 'in-doubt'
  const inDoubt = start?.durable ? keysInDoubt(call).length > 0 : mayHaveRun(start?.effect) && !isCleared
  if (inDoubt) return unknownOutcome(state === 'suspended' ? `${call.part.name} ended before it was done.` : lostWhile(call), steps)
  return { status: 'error', output: { type: 'error', value: `Cancelled: ${reason}${steps}` }, errorType: 'cancelled' }
}
