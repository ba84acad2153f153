/** The result of a run that must be done. */
import { errorCodes, LoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { isThenable } from '../platform/chain.ts'
import { shown, toSentence } from '../platform/normalize.ts'
import type { ChildResult, Done, Result, Waiting } from '../types/result.ts'

type NotDone = Exclude<Result<unknown> | ChildResult<unknown>, { status: 'done' }>

/**
 * Returns a result that is done. Throws a `LoomError` for any other, which says what to do: the failure of a run that failed, how to go on with it, and what
 * was thrown as its cause; `LOOM_RUN_NOT_DONE` for one that waits, with its questions, or was stopped, with the reason.
 *
 * @example
 * const { text } = done(await math.run('2+2?'))
 */
export function done<Output>(result: Result<Output>): Done<Output>
export function done<Output>(result: ChildResult<Output>): Extract<ChildResult<Output>, { status: 'done' }>
export function done(result: Result<unknown> | ChildResult<unknown>): object {
  if (result?.status === 'done') return result
  if (['waiting', 'stopped', 'failed'].includes(result?.status)) throw notDone(result)
  const advice = isThenable(result) ? 'Await it first: done(await agent.run(...)).' : 'Give what agent.run, run.result or ctx.run returned.'
  throw new LoomError('LOOM_OPTION_INVALID', `done() needs the result of a run, and got ${shown(result)}. ${advice}`, {
    context: { option: 'result' },
  })
}

function notDone(result: NotDone): LoomError {
  const place = 'thread' in result ? { thread: result.thread, run: result.run } : {}
  const name = 'thread' in result ? `The run ${result.run} of the thread ${result.thread}` : 'The child'
  if (result.status === 'failed') {
    const { code, message, recoverable, context } = result.error
    const advice =
      recoverable && 'thread' in result ? ` When its cause is gone, agent.resume(${JSON.stringify(result.thread)}) goes on from there.` : ''
    const cause = 'cause' in result && result.cause !== undefined ? { cause: result.cause } : {}
    return new LoomError(knownCode(code), `${toSentence(message)}${advice}`, { ...cause, context: { ...context, ...place } })
  }
  if (result.status === 'stopped') {
    const cause = 'cause' in result && result.cause !== undefined ? { cause: result.cause } : {}
    const message = `${name} was stopped before it was done (${result.kind}): ${toSentence(result.reason)}`
    return new LoomError('LOOM_RUN_NOT_DONE', message, { ...cause, context: { ...place, status: 'stopped', kind: result.kind } })
  }
  const questions = result.questions.map(({ id }) => id)
  return new LoomError('LOOM_RUN_NOT_DONE', `${name} ${waitText(result)}`, {
    context: { ...place, status: 'waiting', reason: result.reason, questions },
  })
}

const knownCode = (code: string): LoomErrorCode => (Object.hasOwn(errorCodes, code) ? (code as LoomErrorCode) : 'LOOM_RUN_FAILED')

/** What a run waits for, and what to do about it. */
function waitText({ reason, questions, waits, until, thread, error }: Waiting): string {
  const resume = `agent.resume(${JSON.stringify(thread)})`
  switch (reason) {
    case 'question': {
      const asked = questions.map(({ id, prompt, call, kind }) => `${call?.tool ?? kind} asks "${prompt}" (${id})`).join('; ')
      const unanswered = error ? ` onQuestion gave no answer: ${toSentence(error.message)}` : ''
      const many = questions.length === 1 ? 'an answer' : `${questions.length} answers`
      return `waits for ${many}: ${asked}.${unanswered} Answer with agent.answer(id, approve()), or give the run onQuestion.`
    }
    case 'paused':
      return `is paused. ${resume} continues it.`
    case 'signal': {
      const awaited = waits.map((wait) => `${wait.signal} (thread ${wait.thread})`).join(', ')
      return `waits for ${waits.length === 1 ? 'the signal' : 'the signals'} ${awaited}. Send one with agent.signal(thread, name, value).`
    }
    case 'time':
      return `sleeps until ${new Date(until ?? 0).toISOString()}. ${resume} continues it then, and so does agent.recover().`
  }
}
