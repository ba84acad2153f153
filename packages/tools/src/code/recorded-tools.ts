/** The tools that the calls of a thread have written, read from its record. */
import { frameAt } from '@loom-agent/agent'
import { type Entry, items, type Journal, type List, type Seq } from '@loom-agent/kernel'
import { type WrittenTool, writtenTool } from './tool-definition.ts'

/** The name of the tool that makes tools. */
export const createName = 'create_tool'

/** The tools that calls of a history have made, by name; a later one of the same name takes the place of an earlier one. */
export function toolsIn(history: List<Entry>): ReadonlyMap<string, WrittenTool> {
  const made = new Map<string, WrittenTool>()
  for (const { message, calls = [], seq } of items(history)) {
    if (message.role !== 'tool') continue
    for (const [index, { input, outcome, start }] of calls.entries()) {
      // A call that was answered for, and never started, was approved by nobody.
      if (message.results[index]?.name !== createName || outcome.status !== 'success' || !start) continue
      const written = writtenTool(input)
      if (!written) continue
      made.delete(written.name)
      made.set(written.name, { ...written, seq })
    }
  }
  return made
}

/**
 * The tools that the model has written on a thread with `create_tool`, the latest last: now, or as they were after the event `upTo`. Needs the journal alone.
 *
 * @example
 * for (const { name, description, code } of await writtenTools(journal, 'user-123')) console.log(name, description, code)
 */
export async function writtenTools(journal: Journal, thread: string, upTo?: Seq): Promise<readonly WrittenTool[]> {
  return [...toolsIn((await frameAt(journal, thread, upTo)).history).values()]
}
