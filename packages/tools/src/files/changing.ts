/**
 * Changing one file so that a crash at any point is settled rightly.
 *
 * CHANGING-1. What is to become of the file is recorded first: the hash of its content before and after. The change itself is made only from that content
 *             before, and is done where the content is that after: run again after a crash, it is finished or found done, and states the same facts.
 * CHANGING-2. A file with another content than both was changed by somebody else since the call began: it is left as it is, and the model reads so.
 * CHANGING-3. A crash leaves the old file or the new one, never a part.
 */
import type { DurableContext } from '@loom-agent/agent'
import { type ChangedFiles, changingStep } from '@loom-agent/agent/kit'
import { type FileChange, isLoomError, LoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { hashOf } from './content-hash.ts'
import { segmentsOf } from './path.ts'
import { hasCode, refusal, refusalOf } from './refusal.ts'
import { changedMeanwhile, remove, removeLeftover, replace } from './replace-file.ts'
import { type ChangeBounds, type Current, currentOf, inTarget, type Target } from './target.ts'

/** What is to become of a file: recorded before anything is done. */
interface Plan<Details> {
  readonly before: string | null
  readonly after: string | null
  /** The permission bits of a file that was there. */
  readonly mode?: number
  readonly details: Details
}

/** A refusal as it is recorded. */
interface Refused {
  readonly refused: string
  readonly code: LoomErrorCode
}

/** A change of one file. */
export interface Change<Details> {
  readonly path: string
  /** Whether missing folders are created. */
  readonly create?: boolean
  /** Whether `content` looks at what the file holds. */
  readonly reads?: boolean
  /** The content that the file is to have, by what it holds now; null deletes it. Throws a refusal. Always the same for the same content. */
  content(current: Current | null): Uint8Array | null
  /** What the result says besides. */
  details(current: Current | null, content: Uint8Array | null): Promise<Details>
}

/** Makes a change in two recorded steps; returns what it came to, or why it was refused. */
export async function makeChange<Details>(
  change: Change<Details>,
  bounds: ChangeBounds,
  context: Pick<DurableContext, 'step' | 'signal'>,
): Promise<{ readonly change: FileChange; readonly details: Details } | LoomError> {
  const planned = await context.step('plan', ({ signal }) => orRefused(change.path, signal, () => planChange(change, bounds, signal)), {
    effect: 'read',
    // The digests must come back as they were; the details are what the model reads.
    guarded: async (plan, look) => ('refused' in plan ? plan : { ...plan, details: await look(plan.details) }),
  })
  const plan = planned as Plan<Details> | Refused
  if ('refused' in plan) return new LoomError(plan.code, plan.refused, { context: { path: change.path.slice(0, 200) } })
  const { before, after, details } = plan
  const file = changeOf(change.path, plan, bounds)
  const applying = changingStep(
    ({ key, signal }: Step) => applyOrRefuse(change, bounds, { before, after, key, signal }),
    () => changedFiles(change, bounds, { file, signal: context.signal }),
  )
  try {
    await context.step('apply', applying, { effect: 'idempotent' })
  } catch (error) {
    context.signal.throwIfAborted()
    if (!isLoomError(error) || error.code === 'LOOM_STEP_DIVERGED') throw error
    return new LoomError('LOOM_TOOL_FAILED', error.message, { context: { path: change.path.slice(0, 200) } })
  }
  return { change: file, details }
}

/** The change, as it is recorded. */
const changeOf = (path: string, { before, after, mode }: Plan<unknown>, { name }: ChangeBounds): FileChange => ({
  path: segmentsOf(path).join('/'),
  before,
  after,
  ...(mode !== undefined && { modes: [mode, after === null ? null : mode] }),
  ...(name !== undefined && { workspace: name }),
})

interface Step {
  readonly key: string
  readonly signal: AbortSignal
}

/** A step that is refused has an error: what it was to change is not changed. */
async function applyOrRefuse(change: Change<unknown>, bounds: ChangeBounds, applying: Applying): Promise<{ done: true }> {
  try {
    return await apply(change, bounds, applying)
  } catch (error) {
    applying.signal.throwIfAborted()
    throw refusalOf(error, change.path)
  }
}

/** What is recorded before the change is made: the file, and with snapshots its contents. What may be a secret is not kept. */
async function changedFiles(
  change: Change<unknown>,
  bounds: ChangeBounds,
  { file, signal }: { file: FileChange; signal: AbortSignal },
): Promise<ChangedFiles> {
  const { path, before, after } = file
  if (!bounds.keeps || before === after || bounds.guard.reason('read', path.split('/')) !== undefined) return { files: [file] }
  const kept = new Map<string, Uint8Array>()
  const keep = (hash: string | null, bytes: Uint8Array | null): void => {
    if (hash !== null && bytes !== null && bytes.length <= bounds.maxKeptBytes) kept.set(hash, bytes)
  }
  const work = (target: Target): Promise<Current | null> => currentOf(target, { reads: true }, { ...bounds, maxBytes: bounds.maxKeptBytes })
  // Where it cannot be read, the step says why.
  const current = await inTarget({ path: change.path }, bounds, { signal, work }).catch((error: unknown) =>
    hasCode(error, 'ENOENT') ? null : undefined,
  )
  if (current && current.hash === after) keep(after, current.bytes)
  if (current === undefined || (current?.hash ?? null) !== before) return { files: [file], kept }
  if (current) keep(before, current.bytes)
  keep(after, change.content(current))
  return { files: [file], kept }
}

/** A refusal becomes a recorded value: run again, the body reads the same words. An abort stays an abort. */
async function orRefused<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = isLoomError(error) ? error : refusalOf(error, path)
    return { refused: message, code }
  }
}

async function planChange<Details>(change: Change<Details>, bounds: ChangeBounds, signal: AbortSignal): Promise<Plan<Details>> {
  const current = await inTarget({ ...change, create: false }, bounds, { signal, work: (target) => currentOf(target, change, bounds) }).catch(
    (error: unknown) => {
      if (change.create && hasCode(error, 'ENOENT')) return null
      throw error
    },
  )
  const content = change.content(current)
  if (content && content.length > bounds.maxBytes) {
    const most = `The content has ${content.length} bytes; ${bounds.maxBytes} are allowed. Write less, or several files.`
    throw refusal('LOOM_TOOL_INPUT_INVALID', change.path, most)
  }
  const details = await change.details(current, content)
  return { before: current?.hash ?? null, after: content && hashOf(content), ...(current && { mode: current.mode }), details }
}

type Applying = Pick<Plan<unknown>, 'before' | 'after'> & { readonly key: string; readonly signal: AbortSignal }

async function apply<Details>(change: Change<Details>, bounds: ChangeBounds, { before, after, key, signal }: Applying): Promise<{ done: true }> {
  const work = async (target: Target): Promise<void> => {
    const current = await currentOf(target, change, bounds)
    const now = current?.hash ?? null
    if (now === after) return removeLeftover(target, key)
    if (now !== before) throw changedMeanwhile(change.path)
    const content = change.content(current)
    if (content === null) return remove(target)
    const isStill = async (): Promise<boolean> => ((await currentOf(target, { reads: false }, bounds))?.hash ?? null) === before
    await replace(target, content, { key, isStill, ...(current && { mode: current.mode }) })
  }
  await inTarget(change, bounds, { signal, work })
  return { done: true }
}
