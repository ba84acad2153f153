/**
 * A start happens once: the caller gives it an id, and the thread remembers which run it led to.
 *
 * START-1. Under one id there is one run of a thread, for as long as the thread exists: said again with the same input, it attaches to that run. Of
 *     racing starts the second finds the first when its append conflicts.
 * START-2. An id is never used for two inputs: the second is refused, and nothing is appended.
 */
import { canonicalJson, type Frame, items, type Json, LoomError, type Message, type StartId, type Taint } from '@loom-agent/kernel'
import type { RunOptions } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import { shown, toJson } from '../platform/normalize.ts'

const longest = 200

/** The id of a start and the digest of its input, its permissions and its taint; undefined when the caller gave no id. */
export function startIdOf(
  { name, ports }: Definition,
  { id, permissions }: Pick<RunOptions<never>, 'id' | 'permissions'>,
  { messages, taint }: { readonly messages: readonly Message[]; readonly taint: Taint | undefined },
): StartId | undefined {
  if (id === undefined) return undefined
  // Attached to a run with other permissions, or whose input was trusted, a caller would get more than it has asked for.
  const besides = [...(permissions === undefined ? [] : [toJson(permissions)]), ...(taint ? [{ taint }] : [])]
  const said: Json = besides.length === 0 ? (messages as readonly Json[]) : [messages as readonly Json[], ...besides]
  if (typeof id === 'string' && id.length > 0 && id.length <= longest && id.isWellFormed()) return { id, digest: ports.hash(canonicalJson(said)) }
  const given = shown(id)
  const message = `a run of ${name}: id is ${given}. Give 1 to ${longest} characters that are the same whenever the start is said again.`
  throw new LoomError('LOOM_OPTION_INVALID', message, { context: { id: given } })
}

/** The thread of a start that has an id and names no thread: the same for the same agent and id. */
export function threadOfStart({ name, ports }: Definition, id: string): string {
  return `start-${ports.hash(canonicalJson([name, id])).slice(0, 32)}`
}

/** The run that a start has led to; undefined when the thread does not know its id. Throws `LOOM_RUN_EXISTS` when the id came with another input. */
export function runOfStart({ thread, starts }: Frame, { id, digest }: StartId): string | undefined {
  for (const known of items(starts)) {
    if (known.id !== id) continue
    if (known.digest === digest) return known.run
    const message = `The id ${JSON.stringify(id)} belongs to the run ${known.run} of the thread ${thread}, which has another input. Give another id, or the same input to attach to that run.`
    throw new LoomError('LOOM_RUN_EXISTS', message, { context: { thread, id, run: known.run, digest: known.digest, given: digest } })
  }
  return undefined
}
