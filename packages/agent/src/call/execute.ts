/** Stage 5: run the body, within its time, until it ends, is aborted or suspends. */
import type { Draft, ToolOutcome } from '@loom-agent/kernel'
import { callUser, enterUser, readable } from '../platform/call-user.ts'
import { abort, type Cancellation, endWait, limitWait } from '../platform/cancellation.ts'
import { type ChangedFiles, notesOf } from '../types/noted.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import type { Deadline } from './deadlines.ts'
import { showProgress } from './progress.ts'

/** What a body that threw says that it has changed. */
interface Changed {
  readonly changed?: ChangedFiles | undefined
}

/** How a body ended. */
export type Executed =
  | { readonly kind: 'returned'; readonly value: unknown }
  /** `advice` says what it had begun and did not wait for, which has ended since. */
  | ({ readonly kind: 'threw'; readonly error: unknown; readonly advice?: string } & Changed)
  | { readonly kind: 'timed-out'; readonly ms: number }
  | ({ readonly kind: 'aborted'; readonly reason: string } & Changed)
  | { readonly kind: 'suspended' }

/** How a body ended that was not suspended. */
export type Ended = Exclude<Executed, { kind: 'suspended' }>

/** What entering a body came to: the end of the body, whether or not it is known what its children have done, or facts that are no end. */
export type Entered =
  | Ended
  | { readonly kind: 'in-doubt'; readonly outcome: ToolOutcome }
  | { readonly kind: 'facts'; readonly drafts: readonly Draft[] }

/** A body to run. */
export interface Execution {
  /** Enters the body. */
  readonly enter: () => unknown
  /** Whose deadlines count, and who is shown its progress. */
  readonly work: Pick<CallWork, 'deadlines' | 'channel' | 'outbox' | 'context'>
  readonly job: CallJob
  readonly timeout: number
  readonly cancellation: Cancellation
  /** Resolves when only waits are outstanding in a durable body. */
  readonly suspended?: Promise<void>
  /** Whether time that passes now is not the body's own: an agent that it has called is working. */
  readonly excused?: () => boolean
}

/** Runs a body and calls back once with its end: at once when the body returns a value at once. */
export function execute(execution: Execution, done: (executed: Executed) => void): void {
  let returned: unknown
  let body: Promise<unknown> | undefined
  try {
    returned = enterUser(execution.enter)
    body = returned instanceof Promise ? returned : isGenerator(returned) ? drain(returned, execution) : undefined
  } catch (error) {
    return done(threw(error))
  }
  if (body) race(execution, body, done)
  else done({ kind: 'returned', value: returned })
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value

/** A generator's yields are progress, its return value is the result. */
async function drain(generator: AsyncGenerator<unknown, unknown>, { work, job, cancellation }: Execution): Promise<unknown> {
  for (;;) {
    const { done, value } = await callUser(() => generator.next())
    if (done) return value
    if (cancellation.isAborted) return void (await callUser(() => generator.return(undefined)))
    showProgress(work, job, value)
  }
}

/** A body that has not ended: what decides first settles it. */
interface Race {
  readonly execution: Execution
  readonly done: (executed: Executed) => void
  deadline: Deadline | undefined
  isOver: boolean
}

/** The first of these decides: the end, the time, the abort and its grace period, the suspension. A late end is ignored. */
function race(execution: Execution, body: Promise<unknown>, done: (executed: Executed) => void): void {
  const { cancellation, suspended } = execution
  const open: Race = { execution, done, deadline: undefined, isOver: false }
  armDeadline(open)
  limitWait(cancellation, () => giveUp(open))
  body.then(
    (value) => settle(open, { kind: 'returned', value }),
    (error: unknown) => settle(open, cancellation.isAborted ? { ...aborted(cancellation), changed: notesOf(error)?.changed } : threw(error)),
  )
  void suspended?.then(() => settle(open, { kind: 'suspended' }))
}

/** The grace period of the body is over. An agent that it has called was asked to end later than the body, and has as long. */
function giveUp(open: Race): void {
  const { cancellation, excused } = open.execution
  const end = (): void => settle(open, aborted(cancellation))
  if (!excused?.()) return end()
  endWait(cancellation)
  limitWait(cancellation, end)
}

function threw(thrown: unknown): Ended {
  const notes = notesOf(thrown)
  return { kind: 'threw', error: readable(notes ? notes.value : thrown), changed: notes?.changed }
}

const aborted = ({ reason }: Cancellation): Extract<Ended, { kind: 'aborted' }> => ({ kind: 'aborted', reason: String(reason ?? 'aborted') })

function settle(open: Race, executed: Executed): void {
  if (open.isOver) return
  open.isOver = true
  const { work, cancellation } = open.execution
  if (open.deadline) work.deadlines.remove(open.deadline)
  endWait(cancellation)
  open.done(executed)
}

function armDeadline(open: Race): void {
  const { work, timeout, cancellation, excused } = open.execution
  open.deadline = work.deadlines.add(timeout, () => {
    if (excused?.()) return armDeadline(open)
    settle(open, { kind: 'timed-out', ms: timeout })
    abort(cancellation, 'timed out')
  })
}
