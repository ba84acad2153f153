/** The contexts of a thread as JSON lines: what an export to another program is made of. */
import type { Journal } from '@loom-agent/kernel'
import type { AssemblyRecord } from './read-assemblies.ts'

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
