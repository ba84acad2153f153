/** What somebody is about to answer, and the answer that it is. */
import type { Client } from '@loom-agent/server/client'
import type { AnswerKind, Asked } from './asked.ts'

/** An answer that is being written. */
export interface Draft {
  readonly kind: AnswerKind
  /** The arguments, the reason or the value, as it was typed. */
  readonly text: string
  /** Of an approval: also for later calls of the tool on the thread. */
  readonly isForThread: boolean
  /** Of a response: the text is JSON. */
  readonly isJson: boolean
}

/** The answer as it is sent. */
export type AnswerBody = NonNullable<Parameters<Client['answerQuestion']>[1]>

/** An answer, or why the draft is none. */
export type ReadDraft = { readonly body: AnswerBody } | { readonly problem: 'not-json' | 'empty' }

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Reads a draft. The digest of what was shown goes with it: where another thing is asked by now, the answer is refused. */
export function readDraft({ digest }: Pick<Asked, 'digest'>, { kind, text, isForThread, isJson }: Draft): ReadDraft {
  const shown = digest === undefined ? {} : { digest }
  if (kind === 'approve') return { body: { kind, ...(isForThread && { scope: 'thread' }), ...shown } }
  if (kind === 'reject') return { body: { kind, ...(text.trim() !== '' && { reason: text.trim() }), ...shown } }
  if (text.trim() === '') return { problem: 'empty' }
  if (kind === 'respond' && !isJson) return { body: { kind, value: text, ...shown } }
  const read = parsed(text)
  if (!read) return { problem: 'not-json' }
  return { body: kind === 'edit' ? { kind, input: read.value, ...shown } : { kind, value: read.value, ...shown } }
}
