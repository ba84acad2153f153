/**
 * decide: what happens next. All base cases of the recursion live here.
 *
 * DECIDE-1. `decide` is pure and total and looks at nothing but the frame: events have put everything there that it needs.
 * DECIDE-2. An intent of the current epoch is being performed: wait for it. An intent of an older epoch has lost its performer: judge it by its class.
 * DECIDE-3. After a stop request no new work starts; what is open is aborted, settled and recorded, then the run ends.
 * PAUSE-1. Only a caller's resume ends a pause, for a child that of the root of its tree: no answer, signal, time, message, child or driver does. What this driver has in flight is recorded, then
 *     the run is suspended; whatever comes meanwhile takes effect when the run is resumed.
 */
import { decideCalls, hasPerformed, settleCalls } from './decide-calls.ts'
import type { Effect, HookPoint } from './effect.ts'
import type { Draft, EventData, Note, QuestionData } from './event.ts'
import { type Frame, isOver, type Run } from './frame.ts'
import { at } from './list.ts'
import { type LoopLimits, leastGrant } from './run-request.ts'
import { nearestExpiry } from './wake.ts'

/** How many drivers in a row may leave no new fact before the thread is parked. */
const takeoverLimit = 5
/** The default of `limits.loop`: the third repetition is noted, the fourth is shown to the model, the fifth stops the run. */
export const defaultLoop: LoopLimits = { warn: 3, nudge: 4, stop: 5 }

const points = {
  first: ['beforeIterationStart'],
  context: ['beforeContextAssembly'],
  model: ['afterContextAssembly', 'beforeModelCall'],
  next: ['afterToolExecution', 'beforeRecursion', 'afterIterationEnd', 'beforeIterationStart'],
  again: ['afterModelReply', 'beforeRecursion', 'afterIterationEnd', 'beforeIterationStart'],
  end: ['afterModelReply', 'afterIterationEnd'],
  stop: ['afterToolExecution', 'afterIterationEnd'],
  cancel: ['afterToolExecution'],
} as const satisfies { readonly [place: string]: readonly HookPoint[] }

const rest: Effect = { kind: 'rest' }
const record = (event: Draft, hooks: readonly HookPoint[] = []): Effect => ({ kind: 'record', hooks, events: [event] })

/** The next effect of a thread. */
export function decide(frame: Frame): Effect {
  const { run, queue } = frame
  if (frame.unknown) return rest
  if (!run || isOver(run)) {
    const [next] = queue
    if (!next) return rest
    // A run that has failed may have left calls: each has its result before the thread moves on.
    return (run && settleCalls(frame, run)) ?? record({ type: 'run.started', data: { run: next.run, queued: next.seq } })
  }
  if (run.stop) return stopping(frame, run, run.stop)
  const effect = proceed(frame, run)
  if (run.status !== 'suspended' || effect.kind === 'suspend' || effect.kind === 'wait') return effect
  // Looking at calls that cannot start yet does not resume the run.
  return effect.kind === 'call-tools' && effect.execute.length === 0 ? effect : record({ type: 'run.resumed', data: { cause: 'ready' } })
}

/** Whether only others (a human, a time, a child, a new input) can move the thread on. */
export function isAtRest(frame: Frame): boolean {
  const effect = decide(frame)
  const looking = effect.kind === 'call-tools' && effect.execute.length === 0
  return effect.kind === 'rest' || (frame.run?.status === 'suspended' && (effect.kind === 'suspend' || looking))
}

function proceed(frame: Frame, run: Run): Effect {
  if (run.pause && run.sent === undefined) return hasPerformed(frame, run) ? { kind: 'wait' } : { kind: 'suspend', reason: 'paused' }
  if (frame.takeovers > takeoverLimit) {
    return asking(frame, run, { kind: 'parked', prompt: `${frame.takeovers} drivers took this thread in a row and none got further. Go on?` })
  }
  if (isBlocked(frame, run)) return { kind: 'suspend', reason: 'question', until: nearestExpiry(frame) }
  switch (run.phase) {
    case 'enter':
      return entering(frame, run)
    case 'context':
      return { kind: 'assemble', hooks: points.context }
    case 'model':
      return modelling(frame, run)
    case 'tools':
      return decideCalls(frame, run)
    case 'answer':
      return answering(frame, run)
  }
}

/** Whether a question blocks the whole run. */
function isBlocked(frame: Frame, run: Run): boolean {
  for (const id in frame.questions) if (frame.questions[id]?.call === undefined || run.phase !== 'tools') return true
  return false
}

/** The next turn, unless a limit or a loop prevents it. */
function entering(frame: Frame, run: Run): Effect {
  const loop = looping(run)
  if (frame.turn < run.firstTurn || !loop) return enter(frame, run, {})
  const { tool, count, level } = loop
  if (level === 'stop') {
    const reason = `The tool ${tool} was called ${count} times with the same arguments and the same result. Change the instructions or the tool.`
    return record({ type: 'run.stopped', data: { kind: 'loop', reason, used: count } }, points.stop)
  }
  const text = `You have called ${tool} again with the same arguments and got the same result. Do something else, or answer with what you have.`
  return enter(frame, run, { loop: { level, tool, count }, ...(level === 'nudge' && { notes: [{ kind: 'loop', text }] }) })
}

function enter(frame: Frame, run: Run, entered: Partial<EventData['turn.entered']>): Effect {
  const taken = frame.turn + 1 - run.firstTurn
  const { turns } = run.limits
  if (turns !== undefined && taken >= turns) return reached(frame, run, { limit: 'turns', used: taken, max: turns })
  const spent = spending(frame, run)
  if (spent) return reached(frame, run, spent)
  const hooks = run.phase === 'answer' ? points.again : taken === 0 ? points.first : points.next
  return record({ type: 'turn.entered', data: { turn: frame.turn + 1, ...entered } }, hooks)
}

function looping({ repeated, limits }: Run): { level: 'warn' | 'nudge' | 'stop'; tool: string; count: number } | undefined {
  if (!repeated || limits.loop === false) return undefined
  const { warn, nudge, stop } = limits.loop ?? defaultLoop
  const level = repeated.count >= stop ? 'stop' : repeated.count >= nudge ? 'nudge' : 'warn'
  return repeated.count < warn ? undefined : { ...repeated, level }
}

function modelling(frame: Frame, run: Run): Effect {
  const { sent, error, retryAt, attempt } = run
  if (sent) {
    if (sent.epoch === frame.epoch) return { kind: 'wait' }
    const lost = { code: 'LOOM_MODEL_LOST', message: 'The process that had called the model is gone.', recoverable: true }
    return record({ type: 'model.failed', data: { attempt: sent.attempt, error: lost, retryAt: 0 } })
  }
  if (error && retryAt === undefined) return record({ type: 'run.failed', data: { error } })
  const spent = spending(frame, run)
  if (spent) return reached(frame, run, spent)
  return { kind: 'call-model', hooks: attempt === 0 && retryAt === undefined ? points.model : [], attempt: attempt + 1, notBefore: retryAt }
}

type Reached = { readonly limit: 'turns' | 'tokens' | 'cost' | 'time'; readonly used: number; readonly max: number }

/** The first of tokens, cost and time that is used up. */
function spending(frame: Frame, { usage, lost, cost, driven, since, limits }: Run): Reached | undefined {
  const { tokens, cost: money, time } = limits
  const used = {
    tokens: usage.input + usage.output + lost.tokens,
    cost: cost + lost.cost,
    time: driven + Math.max(0, frame.time - (since ?? frame.time)),
  }
  if (tokens !== undefined && used.tokens >= tokens) return { limit: 'tokens', used: used.tokens, max: tokens }
  if (money !== undefined && used.cost >= money) return { limit: 'cost', used: used.cost, max: money }
  return time !== undefined && used.time >= time ? { limit: 'time', used: used.time, max: time } : undefined
}

function reached(frame: Frame, run: Run, { limit, used, max }: Reached): Effect {
  const budget = limit === 'tokens' || limit === 'cost'
  const asks = budget && run.limits.onReached !== 'stop' && run.request.unattended !== 'deny'
  const isUngranted = budget && run.ungranted !== undefined
  const reason = isUngranted
    ? `This fork was made without limits and may spend nothing yet (used before the cut: ${amountOf(limit, used)}). Grant what the whole run may use, such as approve({ limits: { ${limit}: ${used + 100_000} } }); approve() alone grants the limits that its run had.`
    : `The limit of ${amountOf(limit, max)} is reached (${amountOf(limit, used)} used). ${limitAdvice({ limit, max }, asks)}`
  if (asks) return asking(frame, run, { kind: 'limit', prompt: reason, key: isUngranted ? 'budget' : limit })
  const hooks = run.phase === 'enter' ? points.stop : run.phase === 'answer' ? points.end : []
  return record({ type: 'run.stopped', data: { kind: budget ? 'budget' : 'limit', reason, limit, used, max } }, hooks)
}

const sizes = { turns: 1, tokens: 1, 'money units': 1_000_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 }

/** An amount of what a limit counts, in words. Time is in the largest unit that divides it. */
export function amountOf(limit: Reached['limit'], count: number): string {
  const span = (['hours', 'minutes'] as const).find((unit) => count > 0 && count % sizes[unit] === 0) ?? 'seconds'
  const unit = limit === 'time' ? span : limit === 'cost' ? 'money units' : limit
  return `${count / sizes[unit]} ${count === sizes[unit] ? unit.slice(0, -1) : unit}`
}

/** What to do about a limit that is reached: answer its question, or resume the run that it has stopped. */
export const limitAdvice = ({ limit, max }: Pick<Reached, 'limit' | 'max'>, asks: boolean): string =>
  asks
    ? `Approve to add ${max === 0 ? amountOf(limit, leastGrant) : 'as much again'}, or set it: approve({ limits: { ${limit} } }).`
    : `Raise limits.${limit} and resume the thread.`

function asking(frame: Frame, run: Run, question: Omit<QuestionData, 'id'>): Effect {
  // A thread that is parked has done nothing wrong: it waits, also where nobody answers questions.
  if (run.request.unattended === 'deny' && question.kind !== 'parked')
    return record({ type: 'run.stopped', data: { kind: 'cancelled', reason: question.prompt } })
  if (Object.values(frame.questions).some(({ kind }) => kind === question.kind)) return { kind: 'suspend', reason: 'question' }
  return record({ type: 'question.asked', data: { id: `run:${question.kind}#${frame.asked + 1}`, ...question } })
}

/** Why a run stops whose last reply is not whole. */
const cutReasons = {
  length: 'The reply was cut before it was complete. Raise settings.maxOutputTokens, or run "Go on." on the thread: it has the reply so far.',
  filtered: "The provider's filter withheld the reply or a part of it. Change the instructions or the input, and run the thread again.",
}

/** The model has answered: another turn when a message, a repair or a reminder is due, otherwise the end. */
function answering(frame: Frame, run: Run): Effect {
  const again = (...notes: readonly Note[]): Effect => enter(frame, run, notes.length > 0 ? { notes } : {})
  if (frame.steering.length > 0) return again()
  const { verdict, request } = run
  const { finish } = at(frame.history, frame.history.length - 1)?.reply ?? {}
  const cut = finish === 'length' ? 'length' : finish === 'content-filter' ? 'filtered' : undefined
  if (verdict && 'error' in verdict) {
    const text = `Your answer does not fit the required form: ${verdict.error}.\nAnswer again, in that form only.`
    if (run.repairs < (request.repairs ?? 0)) return again({ kind: 'repair', text })
    const error = { code: 'LOOM_OUTPUT_INVALID', message: `The model's answer does not fit the output schema: ${verdict.error}.`, recoverable: true }
    if (!cut) return record({ type: 'run.failed', data: { error } })
  }
  if (request.done !== undefined && !run.reminded) {
    return again({ kind: 'done', text: `If the task is finished, call ${request.done}. Otherwise go on with it.` })
  }
  // An answer that fits its form is whole, also where the reply was cut behind it. What a filter has left of one may fit, and is not what the model said.
  const output = verdict && 'value' in verdict && cut !== 'filtered' ? { output: verdict.value } : undefined
  if (cut && !output) return record({ type: 'run.stopped', data: { kind: cut, reason: cutReasons[cut] } }, points.end)
  return record({ type: 'run.finished', data: output ?? {} }, points.end)
}

function stopping(frame: Frame, run: Run, { reason, kind }: { reason: string; kind: 'cancelled' | 'budget' }): Effect {
  if (run.sent?.epoch === frame.epoch) return { kind: 'abort', reason }
  // What was shown of a reply is said: the next request has it. A stop by a budget may be undone, and a later attempt retracts what came before it.
  const wasShown = kind === 'cancelled' && !run.sent && run.partial?.trim()
  return settleCalls(frame, run, reason) ?? record({ type: 'run.stopped', data: { kind, reason, ...(wasShown && { partial: true }) } }, points.cancel)
}
