/** Deletes a file. */
import type { DurableContext } from '@loom-agent/agent'
import type { Noted } from '@loom-agent/agent/kit'
import type { LoomError } from '@loom-agent/kernel'
import { makeChange } from './changing.ts'
import { changed, type WithFiles } from './file-change.ts'
import { refusal } from './refusal.ts'
import type { ChangeBounds, Current } from './target.ts'
import { refuseUnexpected } from './write-file.ts'

/** The input of `delete_file`. */
export interface DeleteInput {
  readonly path: string
  readonly expect?: string
}

/** The result of `delete_file`. */
export interface Deleted extends WithFiles {
  readonly path: string
  readonly status: 'deleted'
}

/** Deletes the file, unless it has changed since the call began. */
export async function deleteFile(
  { path, expect }: DeleteInput,
  bounds: ChangeBounds,
  context: Pick<DurableContext, 'step' | 'signal'>,
): Promise<Noted | LoomError> {
  const content = (current: Current | null): null => {
    if (current === null) throw refusal('LOOM_TOOL_FAILED', path, `There is no ${path}. List its folder to see what is there.`)
    refuseUnexpected(path, expect, current.hash)
    return null
  }
  const made = await makeChange({ path, content, details: async () => ({}) }, bounds, context)
  return 'change' in made ? changed<Deleted>({ path: made.change.path, status: 'deleted' }, made.change) : made
}
