/**
 * What code of the user threw, for the people who have to fix it.
 *
 * THROWN-1. An event holds the message of an error. The error itself, with its stack and its cause, is known in the process in which it was thrown, for
 *     as long as what was recorded for it is in memory. It is never stored, and no model is shown it.
 * THROWN-2. A console that throws, or has no `error`, changes nothing: what failed is recorded all the same.
 * THROWN-3. What is known is the error as that code threw it, and not the one that Loom has put around it to say where.
 * THROWN-4. The log is told the stacks of what was thrown and of its causes, without secrets. Other fields of errors are not logged: providers put
 *     requests and their headers there.
 */
import { isLoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { messageOf } from './normalize.ts'
import type { Ports } from './ports.ts'
import { withoutSecrets } from './redaction.ts'

const thrown = new WeakMap<object, unknown>()

/** Remembers what was thrown by what is recorded for it: the output of a call, or the failure of a run. */
export function keepThrown(recorded: object, error: unknown): void {
  const inside = insideOf(error)
  writeStack(inside)
  thrown.set(recorded, inside)
}

/** An engine keeps the functions of a stack, and with them what they hold, such as the dependencies of a run, until the stack is a text. */
function writeStack(error: unknown): void {
  try {
    for (let next = error, depth = 0; next instanceof Error && depth <= mostCauses; next = next.cause, depth += 1) void next.stack
  } catch {
    // An error that cannot be read holds what it holds.
  }
}

/** Errors that Loom puts around what code of the user threw. */
const wrappers: ReadonlySet<LoomErrorCode> = new Set(['LOOM_HOOK_FAILED', 'LOOM_STEP_FAILED', 'LOOM_RUN_FAILED'])

/** What code of the user threw (THROWN-3). A step that failed in another process has left its message alone. */
function insideOf(error: unknown): unknown {
  return isLoomError(error) && wrappers.has(error.code) && error.cause !== undefined ? insideOf(error.cause) : error
}

/** What was thrown in this process where this was recorded; undefined where that is not known. */
export function thrownFor(recorded: object): unknown {
  return thrown.get(recorded)
}

/** In development, logs what was thrown, with its stack (THROWN-4). */
export function logThrown({ development }: Pick<Ports, 'development'>, where: string, error: unknown): void {
  if (!development) return
  try {
    console.error(`Loom: ${where}`, withoutSecrets(stackOf(error)))
  } catch {
    // Nobody sees it (THROWN-2).
  }
}

/** How many causes are logged. */
const mostCauses = 5

/** The stacks of an error and of its causes; of anything else, what it says. */
function stackOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return messageOf(error)
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const own = `${error.stack ?? `${error.name}: ${error.message}`}${code}`
  return error.cause === undefined || depth >= mostCauses ? own : `${own}\nCaused by: ${stackOf(error.cause, depth + 1)}`
}
