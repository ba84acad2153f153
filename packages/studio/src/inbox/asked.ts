/** What a question shows, and which answers it takes. */
import type { Client } from '@loom-agent/server/client'
import { hiddenIn } from '../inert/hidden-characters.ts'

/** An open question. */
export type Asked = Awaited<ReturnType<Client['listQuestions']>>['items'][number]

/** What settles a question. */
export type AnswerKind = 'approve' | 'edit' | 'reject' | 'respond'

/** What is decided about, as text: whole, never cut. */
export interface ShownQuestion {
  /** Names what is shown: another text has another key. What was looked at under one key was not looked at under another. */
  readonly key: string
  /** The tool; absent where the question is about no call. */
  readonly tool: string | undefined
  /** The arguments, or what the question shows, as JSON or text. */
  readonly body: string | undefined
  /** Hidden characters in all of it. */
  readonly hidden: number
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)

/** What a question shows. The question about a call shows the call. */
export function shownQuestion({ id, prompt, call, show, digest }: Asked): ShownQuestion {
  const body = call ? JSON.stringify(call.input, undefined, 2) : textOf(show)
  const tool = call?.tool
  return {
    key: JSON.stringify([id, digest, prompt, tool, body]),
    tool,
    body,
    hidden: hiddenIn(prompt) + hiddenIn(tool ?? '') + hiddenIn(body ?? ''),
  }
}

const kinds: readonly AnswerKind[] = ['approve', 'edit', 'reject', 'respond']

/** The answers that a question takes, the usual one first. */
export function answersTo({ kind, approvers }: Asked): readonly AnswerKind[] {
  if (kind === 'choice') return ['respond', 'reject']
  if (kind === 'limit' || kind === 'parked') return ['approve', 'reject']
  return kinds.filter((answer) => (answer !== 'edit' || kind === 'approval') && (answer !== 'respond' || approvers <= 1))
}

/** Whether an approval may be for later calls too: of a call that is seen as it is. */
export const mayRemember = (asked: Asked): boolean => asked.kind === 'approval' && asked.call !== undefined && shownQuestion(asked).hidden === 0

/** The questions in the order in which they need somebody: what expires first comes first. */
export const inOrder = (items: readonly Asked[]): readonly Asked[] =>
  items.toSorted((a, b) => (a.expires ?? Number.POSITIVE_INFINITY) - (b.expires ?? Number.POSITIVE_INFINITY) || 0)

/** The question beside one, which was taken out of the list or not. */
export function beside(items: readonly Asked[], id: string | undefined, by: 1 | -1): string | undefined {
  const at = items.findIndex((item) => item.id === id)
  if (at < 0) return items[0]?.id
  return items[Math.min(items.length - 1, Math.max(0, at + by))]?.id
}

/** The question to go to when one was answered: the next, else the one before. */
export function afterAnswer(items: readonly Asked[], id: string): string | undefined {
  const at = items.findIndex((item) => item.id === id)
  return (items[at + 1] ?? items[at - 1])?.id
}
