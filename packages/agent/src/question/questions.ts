/** The open questions of a frame, and the ids by which they are answered. */
import { type Call, type Frame, items, type Json, LoomError } from '@loom-agent/kernel'
import type { Question } from '../types/question.ts'

/** The open questions of a thread, in the order in which they were asked. */
export function questionsOf(frame: Frame): readonly Question[] {
  const asked = Object.values(frame.questions).sort((a, b) => a.seq - b.seq)
  return asked.map(({ id, kind, prompt, call: callId, show, expires, approvers = 1, votes }) => {
    const call = callId === undefined || !frame.run ? undefined : [...items(frame.run.calls)].find((candidate) => candidate.id === callId)
    return {
      id: questionIdOf(frame, id),
      thread: frame.thread,
      kind,
      prompt,
      ...(call && { call: { id: call.id, tool: call.part.name, input: kind === 'approval' ? inputIn(show, call) : call.input } }),
      ...(show !== undefined && { show }),
      ...(expires !== undefined && { expires }),
      approvers,
      approvals: votes.length,
    }
  })
}

/** The id by which a question of the thread is answered in any process. */
export const questionIdOf = (frame: Frame, local: string): string => `${frame.thread}#${local}`

/** An approval shows what the tool would get, which need not be what the model wrote. */
const inputIn = (show: Json | undefined, call: Call): Json => (show as { input?: Json } | undefined)?.input ?? call.input

/** The thread and the local id of a question. */
export function parseQuestionId(id: string): { thread: string; local: string } {
  const cut = id.indexOf('#')
  if (cut > 0 && cut < id.length - 1) return { thread: id.slice(0, cut), local: id.slice(cut + 1) }
  throw new LoomError('LOOM_QUESTION_NOT_FOUND', `"${id}" is not the id of a question. Take it from result.questions.`, { context: { id } })
}

/** The error for a question that a thread does not have; it lists those that it has. */
export function questionNotFound(frame: Frame, id: string): LoomError {
  const { thread } = frame
  const open = questionsOf(frame).map((question) => question.id)
  const advice = open.length > 0 ? `Open are: ${open.join(', ')}.` : 'It has none open: the run that asked may have ended.'
  return new LoomError('LOOM_QUESTION_NOT_FOUND', `The thread ${thread} has no open question ${id}. ${advice}`, { context: { id, thread, open } })
}

/** Children whose end a thread's calls wait for. */
export function openChildren(frame: Frame): readonly string[] {
  if (!frame.run) return []
  return [...items(frame.run.calls)].flatMap((call) => call.open.flatMap((step) => (step.child === undefined ? [] : [step.child])))
}
