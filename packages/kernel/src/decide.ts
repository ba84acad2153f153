/**
 * decide: what happens next. All base cases of the recursion live here.
 *
 * DECIDE-1. `decide` is pure and total and looks at nothing but the frame: events have put everything there that it needs.
 * DECIDE-2. An intent of the current epoch is being performed: wait for it. An intent of an older epoch has lost its performer: judge it by its class.
 * DECIDE-3. After a stop request no new work starts; what is open is aborted, settled and recorded, then the run ends.
 * PAUSE-1. Only a caller's resume ends a pause; a paused child is resumed with the root of its tree. No answer, signal, time, message, child or driver ends
 *     it. What this driver has in flight is recorded, then the run is suspended; whatever comes meanwhile takes effect when the run is resumed.
 */
import { decideCalls, hasPerformed, settleCalls } from './decide-calls.ts'
import type { Effect, Reached } from './effect.ts'
import type { Draft, EventData, Note } from './event.ts'
import { type Frame, isOver, type Run } from './frame.ts'
import { at } from './list.ts'
import type { LoopLimits } from './run-request.ts'
import { nearestExpiry } from './wake.ts'

/** How many drivers in a row may leave no new fact before the thread is parked. */
const takeoverLimit = 5
/** The default of `limits.loop`: the third repetition is noted, the fourth is shown to the model, the fifth stops the run. */
export const defaultLoop: LoopLimits = { warn: 3, nudge: 4, stop: 5 }

const rest: Effect = { kind: 'rest' }
const record = (event: Draft): Effect => ({ kind: 'record', events: [event] })

/** The next effect of a thread. */
export function decide(frame: Frame): Effect {
  const { run, queue } = frame
  if (frame.unknown || frame.restoring) return rest
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
  if (isBlocked(frame, run)) return { kind: 'suspend', reason: 'question', until: nearestExpiry(frame) }
  // A thread that is parked has done nothing wrong: it waits, also where nobody answers questions.
  if (frame.takeovers > takeoverLimit) return { kind: 'ask', about: 'parked' }
  switch (run.phase) {
    case 'enter':
      return entering(frame, run)
    case 'context':
      return { kind: 'assemble' }
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
  if (level === 'stop') return { kind: 'stop', cause: { kind: 'loop', used: count } }
  const text = `You have called ${tool} again with the same arguments and got the same result. Do something else, or answer with what you have.`
  return enter(frame, run, { loop: { level, tool, count }, ...(level === 'nudge' && { notes: [{ kind: 'loop', text }] }) })
}

function enter(frame: Frame, run: Run, entered: Partial<EventData['turn.entered']>): Effect {
  const taken = frame.turn + 1 - run.firstTurn
  const { turns } = run.limits
  if (turns !== undefined && taken >= turns) return atLimit(run, { limit: 'turns', used: taken, max: turns })
  const spent = spending(frame, run)
  if (spent && !isAskedLater(frame, run, spent)) return atLimit(run, spent)
  return record({ type: 'turn.entered', data: { turn: frame.turn + 1, ...entered } })
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
  if (spent && !isAskedLater(frame, run, spent)) return atLimit(run, spent)
  return { kind: 'call-model', attempt: attempt + 1, notBefore: retryAt }
}

/** The first of calls, tokens, cost and time that is used up. Calls are when one was refused: a model that has made its last one may still answer. */
function spending(frame: Frame, { called, usage, lost, cost, driven, since, limits }: Run): Reached | undefined {
  const { calls, tokens, cost: money, time } = limits
  if (calls !== undefined && called > calls) return { limit: 'calls', used: called, max: calls }
  const used = {
    tokens: usage.input + usage.output + lost.tokens,
    cost: cost + lost.cost,
    time: driven + Math.max(0, frame.time - (since ?? frame.time)),
  }
  if (tokens !== undefined && used.tokens >= tokens) return { limit: 'tokens', used: used.tokens, max: tokens }
  if (money !== undefined && used.cost >= money) return { limit: 'cost', used: used.cost, max: money }
  return time !== undefined && used.time >= time ? { limit: 'time', used: used.time, max: time } : undefined
}

/** Only about tokens and cost a run asks, and only where somebody answers. */
function atLimit(run: Run, reached: Reached): Effect {
  if (asksAbout(run, reached)) return { kind: 'ask', about: reached }
  return { kind: 'stop', cause: { kind: isBudget(reached) ? 'budget' : 'limit', ...reached } }
}

const isBudget = ({ limit }: Reached): boolean => limit === 'tokens' || limit === 'cost'

const asksAbout = ({ limits, request }: Run, reached: Reached): boolean =>
  isBudget(reached) && limits.onReached !== 'stop' && request.unattended !== 'deny'

/** A child may not overshoot: the performer reserves its next call, and asks with what that needs, which is not known before (GRANT-1). */
const isAskedLater = ({ parent }: Frame, run: Run, reached: Reached): boolean =>
  parent !== undefined && run.ungranted === undefined && asksAbout(run, reached)

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
  if (cut && !output) return { kind: 'stop', cause: { kind: cut } }
  return record({ type: 'run.finished', data: output ?? {} })
}

function stopping(frame: Frame, run: Run, stop: NonNullable<Run['stop']>): Effect {
  const { reason, kind } = stop
  if (run.sent?.epoch === frame.epoch) return { kind: 'abort', reason }
  const settling = settleCalls(frame, run, reason)
  if (settling) return settling
  if (kind === 'limit') {
    const { max, at: time } = stop
    return { kind: 'stop', cause: { kind, limit: 'time', used: Math.max(max, run.driven + time - (run.since ?? time)), max } }
  }
  // What was shown of a reply is said: the next request has it. A stop by a budget may be undone, and a later attempt retracts what came before it.
  const wasShown = kind === 'cancelled' && !run.sent && run.partial?.trim()
  return record({ type: 'run.stopped', data: { kind, reason, ...(wasShown && { partial: true }) } })
}
