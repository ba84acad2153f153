/**
 * decide: what happens next. All base cases of the recursion live here.
 *
 * K11. `decide` is pure and total and looks at nothing but the frame: everything it needs, an event put there.
 * K12. An intent of the current epoch is being performed: wait for it. An intent of an older epoch has lost its performer: judge it by its class.
 * K13. After a stop request no new work begins; what is open is aborted, settled and recorded, then the run ends.
 */
import { decideCalls, settleCalls } from './decide-calls.ts'
import type { Effect } from './effect.ts'
import type { Draft, LoopLimits, Note } from './event.ts'
import { type Frame, isOver, type Run } from './frame.ts'
import type { HookPoint } from './hooks.ts'
import { at } from './list.ts'
import { textOf } from './message.ts'
import { nearestExpiry } from './wake.ts'

/** How many drivers in a row may leave no new fact before the thread is parked. */
const takeoverLimit = 5
export const defaultLoop: LoopLimits = { warn: 3, nudge: 4, stop: 5 }

const rest: Effect = { kind: 'rest' }
const beforeContext: readonly HookPoint[] = ['beforeContextAssembly']
const beforeModel: readonly HookPoint[] = ['afterContextAssembly', 'beforeModelCall']
const leaving: readonly HookPoint[] = ['afterToolExecution', 'beforeRecursion', 'afterIterationEnd', 'beforeIterationStart']
const record = (...events: readonly Draft[]): Effect => ({ kind: 'record', hooks: [], events })
const recordAfter = (hooks: readonly HookPoint[], event: Draft): Effect => ({ kind: 'record', hooks, events: [event] })

/** The next effect of a thread. */
export function decide(frame: Frame): Effect {
  const { run, queue } = frame
  if (frame.unknown) return rest
  if (!run || isOver(run)) {
    const next = queue[0]
    return next ? record({ type: 'run.started', data: { run: next.run, queued: next.seq } }) : rest
  }
  if (run.stop) return stopping(frame, run, run.stop)
  const effect = pursue(frame, run)
  if (run.status !== 'suspended' || effect.kind === 'suspend' || effect.kind === 'wait') return effect
  // Looking at calls that cannot begin yet is no reason to say that the run goes on.
  if (effect.kind === 'call-tools' && effect.execute.length === 0) return effect
  return record({ type: 'run.resumed', data: { cause: 'ready' } })
}

/** Whether only others (a human, a time, a child, a new input) can move the thread on. */
export function isAtRest(frame: Frame): boolean {
  const effect = decide(frame)
  const looking = effect.kind === 'call-tools' && effect.execute.length === 0 && frame.run?.status === 'suspended'
  return effect.kind === 'rest' || effect.kind === 'suspend' || looking
}

function pursue(frame: Frame, run: Run): Effect {
  if (frame.takeovers > takeoverLimit)
    return asking(frame, 'parked', `${frame.takeovers} drivers took this thread in a row and none got further. Go on?`)
  if (isBlocked(frame, run)) return { kind: 'suspend', reason: 'question', until: nearestExpiry(frame) }
  if (run.pause && run.sent === undefined && run.phase !== 'tools') return { kind: 'suspend', reason: 'paused' }
  switch (run.phase) {
    case 'enter':
      return entering(frame, run)
    case 'context':
      return { kind: 'assemble', hooks: beforeContext }
    case 'model':
      return modelling(frame, run)
    case 'tools':
      return decideCalls(frame, run)
    case 'answer':
      return answering(frame, run)
  }
}

/** Whether a question stands in the way of the whole run. */
function isBlocked(frame: Frame, run: Run): boolean {
  for (const id in frame.questions) if (frame.questions[id]?.call === undefined || run.phase !== 'tools') return true
  return false
}

function entering(frame: Frame, run: Run): Effect {
  const turn = frame.turn + 1
  const taken = turn - run.firstTurn
  const first = taken === 0
  const { turns } = run.limits
  if (turns !== undefined && taken >= turns) return reached(frame, run, { limit: 'turns', used: taken, max: turns })
  const spent = spending(frame, run)
  if (spent) return reached(frame, run, spent)
  const hooks: readonly HookPoint[] = first ? ['beforeIterationStart'] : leaving
  const loop = first ? undefined : looping(run)
  if (loop?.level === 'stop') {
    const reason = `The tool ${loop.tool} was called ${loop.count} times with the same arguments and the same result. Change the instructions or the tool.`
    return record({ type: 'run.stopped', data: { kind: 'loop', reason, used: loop.count } })
  }
  const notes: Note[] = loop?.level === 'nudge' ? [{ kind: 'loop', text: nudge(loop.tool) }] : []
  return enter(hooks, { turn, notes, loop })
}

interface Loop {
  readonly level: 'warn' | 'nudge' | 'stop'
  readonly tool: string
  readonly count: number
}

const enter = (hooks: readonly HookPoint[], entered: { turn: number; notes: readonly Note[]; loop?: Loop | undefined }): Effect => {
  const { turn, notes, loop } = entered
  const told = loop && loop.level !== 'stop' ? { loop: { ...loop, level: loop.level } } : {}
  return recordAfter(hooks, { type: 'turn.entered', data: { turn, ...(notes.length > 0 && { notes }), ...told } })
}

const nudge = (tool: string): string =>
  `You have called ${tool} again with the same arguments and got the same result. Do something else, or answer with what you have.`

function looping({ repeated, limits }: Run): Loop | undefined {
  if (!repeated || limits.loop === false) return undefined
  const { warn, nudge, stop } = limits.loop ?? defaultLoop
  const { count } = repeated
  return count < warn ? undefined : { ...repeated, level: count >= stop ? 'stop' : count >= nudge ? 'nudge' : 'warn' }
}

function modelling(frame: Frame, run: Run): Effect {
  if (run.sent) {
    if (run.sent.epoch === frame.epoch) return { kind: 'wait' }
    const error = { code: 'LOOM_MODEL_LOST', message: 'The process that had called the model is gone.', recoverable: true }
    return record({ type: 'model.failed', data: { attempt: run.sent.attempt, error, retryAt: 0 } })
  }
  if (run.error && run.retryAt === undefined) return record({ type: 'run.failed', data: { error: run.error } })
  const spent = spending(frame, run)
  if (spent) return reached(frame, run, spent)
  return { kind: 'call-model', hooks: run.attempt === 0 ? beforeModel : [], attempt: run.attempt + 1, notBefore: run.retryAt }
}

interface Reached {
  readonly limit: 'turns' | 'tokens' | 'cost' | 'time'
  readonly used: number
  readonly max: number
}

/** The first of tokens, cost and time that is used up. */
function spending(frame: Frame, run: Run): Reached | undefined {
  const { tokens, cost, time } = run.limits
  const used = {
    tokens: run.usage.input + run.usage.output + run.lost.tokens,
    cost: run.cost + run.lost.cost,
    time: run.driven + Math.max(0, frame.time - (run.since ?? frame.time)),
  }
  if (tokens !== undefined && used.tokens >= tokens) return { limit: 'tokens', used: used.tokens, max: tokens }
  if (cost !== undefined && used.cost >= cost) return { limit: 'cost', used: used.cost, max: cost }
  if (time !== undefined && used.time >= time) return { limit: 'time', used: used.time, max: time }
  return undefined
}

function reached(frame: Frame, run: Run, { limit, used, max }: Reached): Effect {
  const budget = limit === 'tokens' || limit === 'cost'
  const advice = `The limit of ${max} ${limit} is reached (${used} used). Raise limits.${limit} and resume the thread.`
  if (budget && run.limits.onReached !== 'stop' && run.request.unattended !== 'deny') return asking(frame, 'limit', advice, limit)
  return record({ type: 'run.stopped', data: { kind: budget ? 'budget' : 'limit', reason: advice, limit, used, max } })
}

function asking(frame: Frame, kind: 'parked' | 'limit', prompt: string, key?: string): Effect {
  const id = `run:${kind}#${frame.asked + 1}`
  if (Object.values(frame.questions).some((question) => question.kind === kind)) return { kind: 'suspend', reason: 'question' }
  return record({ type: 'question.asked', data: { id, kind, prompt, ...(key !== undefined && { key }) } })
}

function answering(frame: Frame, run: Run): Effect {
  const hooks: readonly HookPoint[] = ['afterModelReply', 'beforeRecursion', 'afterIterationEnd', 'beforeIterationStart']
  const again = (notes: readonly Note[]): Effect => {
    const { turns } = run.limits
    const taken = frame.turn + 1 - run.firstTurn
    return turns !== undefined && taken >= turns
      ? reached(frame, run, { limit: 'turns', used: taken, max: turns })
      : enter(hooks, { turn: frame.turn + 1, notes })
  }
  if (frame.steering.length > 0) return again([])
  const { verdict, request } = run
  if (verdict && 'error' in verdict) {
    if (run.repairs < (request.repairs ?? 0))
      return again([
        { kind: 'repair', text: `Your answer does not fit the required form: ${verdict.error}\nAnswer again, in that form only.` },
      ])
    const error = {
      code: 'LOOM_OUTPUT_INVALID',
      message: `The model's answer does not fit the output schema: ${verdict.error}`,
      recoverable: true,
    }
    return record({ type: 'run.failed', data: { error } })
  }
  if (request.done !== undefined && !run.reminded) {
    return again([{ kind: 'done', text: `If the task is finished, call ${request.done}. Otherwise go on with it.` }])
  }
  return recordAfter(['afterModelReply', 'afterIterationEnd'], { type: 'run.finished', data: verdict ? { output: verdict.value } : {} })
}

function stopping(frame: Frame, run: Run, stop: { reason: string; kind: 'cancelled' | 'budget' }): Effect {
  if (run.sent?.epoch === frame.epoch) return { kind: 'abort', reason: stop.reason }
  const settled = settleCalls(frame, run, stop.reason)
  if (settled) return settled
  return record({ type: 'run.stopped', data: { kind: stop.kind, reason: stop.reason } })
}

/** The text of the last reply of the run: the answer, or as much of it as there is. */
export function replyText(frame: Frame): string {
  const { history, run } = frame
  if (run?.partial !== undefined) return run.partial
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const entry = at(history, index)
    if (!entry || !run || entry.turn < run.firstTurn) return ''
    if (entry.origin === 'reply' && entry.message.role !== 'tool') return textOf(entry.message.parts)
  }
  return ''
}
