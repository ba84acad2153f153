/** Writes a whole text file. */
import type { DurableContext } from '@loom-agent/agent'
import type { Noted } from '@loom-agent/agent/kit'
import type { LoomError } from '@loom-agent/kernel'
import { makeChange } from './changing.ts'
import { changed, type WithFiles } from './file-change.ts'
import { refusal } from './refusal.ts'
import type { ChangeBounds, Current } from './target.ts'

/** The input of `write_file`. */
export interface WriteInput {
  readonly path: string
  readonly content: string
  readonly expect?: string
}

/** The result of `write_file`. */
export interface Written extends WithFiles {
  readonly path: string
  readonly bytes: number
  /** Whether there was a file before. */
  readonly status: 'created' | 'overwritten' | 'unchanged'
}

/** Writes the file. Writing the same content again changes nothing. */
export async function writeTextFile(
  { path, content: text, expect }: WriteInput,
  bounds: ChangeBounds,
  context: Pick<DurableContext, 'step' | 'signal'>,
): Promise<Noted | LoomError> {
  const bytes = Buffer.from(text, 'utf8')
  const content = (current: Current | null): Uint8Array => {
    refuseUnexpected(path, expect, current?.hash ?? null)
    return bytes
  }
  const made = await makeChange({ path, create: true, content, details: async () => ({}) }, bounds, context)
  if (!('change' in made)) return made
  const { change } = made
  const status = change.before === null ? 'created' : change.before === change.after ? 'unchanged' : 'overwritten'
  return changed<Written>({ path: change.path, bytes: bytes.length, status }, change)
}

/** Throws when a file is not in the version that the caller expects. */
export function refuseUnexpected(path: string, expect: string | undefined, now: string | null): void {
  if (expect === undefined || (expect === 'absent' ? now === null : now?.startsWith(expect))) return
  const state = now === null ? 'is not there' : `has the version ${now.slice(0, versionLength)}`
  throw refusal(
    'LOOM_TOOL_FAILED',
    path,
    `Conflict: ${path} ${state}, not ${expect.slice(0, versionLength)}. Nothing was changed; read it again first.`,
  )
}

/** Digits of a hash that tell versions of a file apart. */
export const versionLength = 16
