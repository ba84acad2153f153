/** What an attempt records that failed: why, and when the next one begins. Loaded on use, because most attempts do not fail. */
import { type Draft, LoomError } from '@loom-agent/kernel'
import type { Definition } from '../definition/definition.ts'
import { judgeFailure, type ModelFailure } from '../model/failure.ts'
import { backOff, schedule } from '../model/retrying.ts'
import { SentError } from '../model/stream-errors.ts'
import { type Cancellation, waitFor } from '../platform/cancellation.ts'
import { failureOf } from '../platform/failure-of.ts'
import { keepThrown, logThrown } from '../platform/thrown.ts'
import { makeRoom } from './make-room.ts'
import { type Attempt, type Failed, failedDraft } from './model-drafts.ts'
import type { ModelWork } from './model-work.ts'

/** An attempt that failed. */
export interface FailedAttempt extends Attempt {
  readonly cancellation: Cancellation
  /** Whether the stream was silent for too long. */
  readonly isIdle: boolean
}

/** Judges what a model threw. The request is made shorter once: when the shorter one is refused too, the run fails. */
export async function judgeAttempt(
  work: ModelWork,
  attempt: FailedAttempt,
  outcome: Failed & { readonly thrown: unknown },
): Promise<readonly Draft[]> {
  const { definition } = work
  const { run, cancellation } = attempt
  const failed = attempt.isIdle ? idleFailure(definition) : judged(definition, outcome.thrown)
  const { code } = failed.failure
  // What the model said is the failure of the run; a strategy that threw is a mistake of its own.
  const withoutRoom = (error: unknown): undefined => {
    if (!cancellation.isAborted) logThrown(definition.ports, `No room was made in the thread ${work.outbox.frame.thread}:`, error)
  }
  const mayShorten = code === 'LOOM_MODEL_CONTEXT_LENGTH' && run.error?.code !== code
  const room = mayShorten ? await waitFor(cancellation, makeRoom(work, cancellation)).catch(withoutRoom) : undefined
  const { isShorter = false, drafts = [] } = room ?? {}
  return [failedDraft(work, attempt, { ...outcome, ...scheduled(definition, attempt, { failed, isShortened: isShorter }) }), ...drafts]
}

function judged({ ports }: Definition, thrown: unknown): ModelFailure {
  const failed = judgeFailure(thrown, ports.clock.now())
  keepThrown(failed.failure, thrown instanceof SentError ? thrown.cause : thrown)
  return failed
}

function idleFailure({ behaviour }: Definition): ModelFailure {
  const message = `The model said nothing for ${behaviour.modelIdle} ms. Raise behaviour.modelIdle, or try another model.`
  return { failure: failureOf(new LoomError('LOOM_MODEL_TIMEOUT', message, { context: { ms: behaviour.modelIdle } })), retryable: true }
}

/** The failure, and when the next attempt begins, if there is one. A shorter request is sent at once. */
function scheduled(
  { ports, behaviour }: Definition,
  { number, run, began }: Attempt,
  { failed, isShortened }: { readonly failed: ModelFailure; readonly isShortened: boolean },
): ReturnType<typeof schedule> {
  const again = isShortened || (failed.retryable && number < behaviour.attempts)
  const wait = isShortened ? 0 : (failed.retryAfter ?? backOff(number, ports.random()))
  return schedule(failed, { again, retryAt: ports.clock.now() + wait, since: run.tried ?? began })
}
