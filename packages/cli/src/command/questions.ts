/** loom questions, loom answer: what waits for a person, and the answers. */
import { answer, approve, edit, type Question, questions, reject, respond, type SignedAnswer } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { styleOf } from '../output/style.ts'
import { visible } from '../output/visible.ts'
import { durationWords } from '../output/words.ts'
import { parseJson } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { inJournal, type LookOptions, writeJson, writeLines } from './look.ts'

/** The options of `loom questions`. */
export interface QuestionsOptions extends LookOptions {
  readonly thread?: string
  readonly agent?: string
}

/** Lists the open questions. What a call would do is shown whole: nobody should approve what he cannot see. */
export async function listQuestions(terminal: Terminal, { thread, agent, ...options }: QuestionsOptions): Promise<void> {
  await inJournal(terminal, options, async ({ journal }) => {
    const open = await questions(journal, { thread, agent })
    if (options.json) return writeJson(terminal, open)
    if (open.length === 0) return terminal.err('Nothing waits for an answer.\n')
    for (const question of open) writeLines(terminal, questionLines(question, terminal))
  })
}

/** A question as a person reads it before answering. */
export function questionLines(
  { id, thread, kind, prompt, call, show, expires, approvers, approvals }: Question,
  terminal: Terminal,
): readonly string[] {
  const style = styleOf(terminal)
  const block = (text: string): readonly string[] =>
    visible(text)
      .split('\n')
      .map((line) => `  ${line}`)
  return [
    `${style('bold', visible(id))}  ${kind} of ${visible(thread)}`,
    ...block(prompt),
    ...(call ? block(`${call.tool} ${JSON.stringify(call.input, undefined, 2)}`) : []),
    // The question about a call shows the call: once is enough.
    ...(show === undefined || call ? [] : block(typeof show === 'string' ? show : JSON.stringify(show, undefined, 2))),
    ...(approvers > 1 ? [`  ${approvals} of ${approvers} people have approved`] : []),
    ...(expires === undefined ? [] : [`  ${expires > terminal.now() ? `expires in ${durationWords(expires - terminal.now())}` : 'has expired'}`]),
    '',
  ]
}

/** The options of `loom answer`. */
export interface AnswerOptions extends LookOptions {
  readonly approve?: true
  readonly reject?: string | true
  readonly edit?: string
  readonly respond?: string
  readonly thread?: true
  readonly by?: string
}

/** Answers a question. A process that has the agent goes on with the run. */
export async function answerQuestion(terminal: Terminal, id: string, options: AnswerOptions): Promise<void> {
  const given = answerOf(options, options.by ?? terminal.env['USER'] ?? terminal.env['USERNAME'])
  await inJournal(terminal, options, async ({ journal }) => {
    await answer(journal, id, given)
    if (options.json) return writeJson(terminal, { id, ...given })
    terminal.err(`Answered: ${given.answer.kind}. The process that drives the thread goes on; without one, loom resume or your program does.\n`)
  })
}

function answerOf(options: AnswerOptions, author: string | undefined): SignedAnswer {
  const by = author === undefined ? {} : { by: author }
  const kinds = (['approve', 'reject', 'edit', 'respond'] as const).filter((kind) => options[kind] !== undefined)
  if (kinds.length !== 1) {
    const given = kinds.length === 0 ? 'None was given' : `${kinds.map((kind) => `--${kind}`).join(' and ')} were given`
    throw new LoomError('LOOM_OPTION_INVALID', `An answer is one of --approve, --reject, --edit and --respond. ${given}.`, {
      context: { given: kinds },
    })
  }
  if (options.edit !== undefined) return edit(parseJson('--edit', options.edit), by)
  if (options.respond !== undefined) return respond(parseJson('--respond', options.respond), by)
  if (options.reject !== undefined) return reject(options.reject === true ? undefined : options.reject, by)
  return approve({ ...by, ...(options.thread && { scope: 'thread' }) })
}
