/** A question as a person reads it before answering: all of it, whatever its length. Pure. */
import type { Question } from '@loom-agent/agent'
import { durationWords } from '../output/words.ts'
import { type Line, line, textLines } from '../screen/line.ts'
import { changeLines } from './call-lines.ts'

/** What stands before each line that somebody else wrote: nothing inside it can look like a line of Loom. */
const gutter = '│ '

/**
 * The whole question, with the call that it is about.
 *
 * ASK-1. All that an approval approves is shown: every argument of the call, whole, with its hidden characters by their names, and every line of it behind a
 *     mark that what is shown cannot imitate.
 */
export function questionLines(question: Question, now: number): readonly Line[] {
  const { prompt, thread, above, call, show, expires, approvers, approvals } = question
  const notes = [
    ...(above === undefined ? [] : [`asked by an agent above ${thread}`]),
    ...(approvers > 1 ? [`${approvals} of ${approvers} people have approved`] : []),
    ...(expires === undefined ? [] : [expires > now ? `expires in ${durationWords(expires - now)}` : 'has expired']),
  ]
  return [
    [],
    ...textLines(prompt).map(
      (text, at): Line => [
        [at === 0 ? '? ' : '  ', 'yellow'],
        [text, 'bold'],
      ],
    ),
    ...(call ? behindGutter(callLines(call)) : show === undefined ? [] : behindGutter(plain(show))),
    ...notes.map((note) => line(`  ${note}`, 'faint')),
  ]
}

const behindGutter = (lines: readonly Line[]): readonly Line[] => lines.map((one): Line => [[gutter, 'yellow'], ...one])

const plain = (value: unknown): readonly Line[] =>
  textLines(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')).map((text) => line(text))

/** Arguments that are shown as they are read: the rest of them follows as JSON. */
const asText: Readonly<Record<string, readonly string[]>> = { bash: ['command'], edit: ['path', 'edits'], write_file: ['path', 'content'] }

function callLines({ tool, input }: NonNullable<Question['call']>): readonly Line[] {
  const names = asText[tool] ?? []
  const given = typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Readonly<Record<string, unknown>>) : undefined
  if (!given || names.length === 0 || !hasForm(given)) return [line(tool, 'bold'), ...plain(input)]
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
  const heading = typeof given['path'] === 'string' ? [line(`${tool} ${JSON.stringify(given['path'])}`, 'bold')] : []
  const command = typeof given['command'] === 'string' ? textLines(given['command']).map((text, at) => line(`${at === 0 ? '$ ' : '  '}${text}`)) : []
  const changes = changeLines(JSON.stringify(given))
  return [...heading, ...command, ...changes, ...(Object.keys(rest).length > 0 ? plain(rest) : [])]
}

/** Whether the arguments have the form that is shown as text: any other is shown as JSON, so that nothing of it is left out. */
function hasForm({ path, command, content, edits }: Readonly<Record<string, unknown>>): boolean {
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'
  return [path, command, content].every(isText) && (edits === undefined || (Array.isArray(edits) && edits.every(isPassage)))
}

function isPassage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { old, new: wanted, all = false, ...rest } = value as Readonly<Record<string, unknown>>
  return typeof old === 'string' && typeof wanted === 'string' && typeof all === 'boolean' && Object.keys(rest).length === 0
}

/** How questions of a kind are answered with a key. */
export interface AnswerKey {
  readonly key: string
  readonly does: 'approve' | 'approve for the thread' | 'reject' | 'edit' | 'respond'
  readonly words: string
}

const approveKey = (words: string): AnswerKey => ({ key: 'a', does: 'approve', words })
const rejectKey = (words: string): AnswerKey => ({ key: 'r', does: 'reject', words })
const respondKey = (words: string): AnswerKey => ({ key: 'w', does: 'respond', words })

const keysByKind: { readonly [K in Question['kind']]: readonly AnswerKey[] } = {
  approval: [
    approveKey('approve'),
    { key: 't', does: 'approve for the thread', words: 'approve for the thread' },
    rejectKey('reject'),
    { key: 'e', does: 'edit', words: 'edit' },
  ],
  choice: [approveKey('yes'), rejectKey('no'), respondKey('write an answer')],
  'in-doubt': [approveKey('it did not happen: run it'), rejectKey('report an error'), respondKey('it happened: write the result')],
  limit: [approveKey('as much again'), rejectKey('stop here')],
  hook: [approveKey('yes'), rejectKey('no'), respondKey('write an answer')],
  incompatible: [approveKey('go on with the new code'), rejectKey('report an error'), respondKey('write the result')],
  parked: [approveKey('go on'), rejectKey('stop')],
}

/** The keys that answer a question. */
export const answerKeys = ({ kind }: Pick<Question, 'kind'>): readonly AnswerKey[] => keysByKind[kind]
