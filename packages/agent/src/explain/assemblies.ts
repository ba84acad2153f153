/** The contexts of a thread as JSON lines: what an export to another program is made of. */
import type { Journal, Segment } from '@loom-agent/kernel'

/** One context of a thread, as plain data. */
export interface AssemblyRecord {
  /** The moment when it was assembled: `thread@seq`. */
  readonly at: string
  /** Its turn. */
  readonly turn: number
  /** When it was assembled, in milliseconds since 1970. */
  readonly time: number
  /** The moment of the last request that was made of it; absent when none was. */
  readonly request?: string
  /** The id of the model. */
  readonly model: string
  /** The attempts that were made with it. */
  readonly attempts: number
  /** How many messages the request had. */
  readonly messages: number
  /** The tokens of the request, as strategies count them. */
  readonly tokens: number
  /** How many entries of the history there were. */
  readonly entries: number
  /** The rebase, where there was one: its cause, what it shows of the history, and by which budget. */
  readonly rebase?: { readonly reason: string; readonly segments: readonly Segment[]; readonly budget?: object }
  /** The ids of the items that were added. */
  readonly items?: readonly string[]
  /** The hook that changed the messages. */
  readonly hook?: string
}

/**
 * Every context of a thread, in order.
 *
 * @example
 * for await (const { turn, tokens } of assembliesOf(journal, 'user-123')) console.log(turn, tokens)
 */
export async function* assembliesOf(journal: Journal, thread: string): AsyncGenerator<AssemblyRecord, void> {
  const { readAssemblies } = await import('./read-assemblies.ts')
  yield* readAssemblies(journal, thread)
}

/**
 * The same as JSON lines, each with its line end.
 *
 * @example
 * await writeFile('contexts.jsonl', Readable.from(exportAssemblies(journal, 'user-123')))
 */
export async function* exportAssemblies(journal: Journal, thread: string): AsyncGenerator<string, void> {
  for await (const record of assembliesOf(journal, thread)) yield `${JSON.stringify(record)}\n`
}
