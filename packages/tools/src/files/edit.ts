/** Edits a text file: exact passages are replaced, everything else stays as it is. */
import type { DurableContext } from '@loom-agent/agent'
import type { Noted } from '@loom-agent/agent/kit'
import type { LoomError } from '@loom-agent/kernel'
import { makeChange } from './changing.ts'
import { diffOf } from './diff.ts'
import { type Replacement, replaceAll } from './edit-text.ts'
import { changed, type WithFiles } from './file-change.ts'
import { refusal } from './refusal.ts'
import type { ChangeBounds, Current } from './target.ts'
import { decodeText, encodeText } from './text-file.ts'
import { refuseUnexpected } from './write-file.ts'

/** The input of `edit`. */
export interface EditInput {
  readonly path: string
  readonly edits: readonly Replacement[]
  readonly expect?: string
}

/** The result of `edit`. */
export interface Edited extends WithFiles {
  readonly path: string
  /** What was changed, as a unified diff; cut when it is long. */
  readonly diff: string
}

/** Makes all edits of the list, or none. */
export async function editFile(
  { path, edits, expect }: EditInput,
  bounds: ChangeBounds,
  context: Pick<DurableContext, 'step' | 'signal'>,
): Promise<Noted | LoomError> {
  const content = (current: Current | null): Buffer => {
    if (current === null) throw refusal('LOOM_TOOL_FAILED', path, `There is no ${path}. List its folder, or use write_file for a new file.`)
    refuseUnexpected(path, expect, current.hash)
    return editedBytes(path, current.bytes, edits)
  }
  const details = async (current: Current | null, after: Uint8Array | null): Promise<{ readonly diff: string }> => ({
    diff: await diffOf(path, textOf(current?.bytes), textOf(after)),
  })
  const made = await makeChange({ path, reads: true, content, details }, bounds, context)
  return 'change' in made ? changed<Edited>({ path: made.change.path, diff: made.details.diff }, made.change) : made
}

const textOf = (bytes: Uint8Array | null | undefined): string => (bytes ? (decodeText(bytes)?.text ?? '') : '')

function editedBytes(path: string, bytes: Buffer, edits: readonly Replacement[]): Buffer {
  const decoded = decodeText(bytes)
  if (!decoded) throw refusal('LOOM_TOOL_FAILED', path, `${path} is binary (${bytes.length} bytes). This tool edits text files only.`)
  const text = replaceAll(decoded.text, edits)
  if (typeof text !== 'string') throw refusal('LOOM_TOOL_FAILED', path, `${path} was not changed: ${text.problem}`)
  const encoded = encodeText({ ...decoded, text })
  if (encoded) return encoded
  throw refusal('LOOM_TOOL_FAILED', path, `${path} was not changed: it is in Latin-1, which has no bytes for some of the new characters. Use others.`)
}
