/**
 * The open questions of a frame, and the ids by which they are answered.
 *
 * QUESTION-1. The id of a question names the incarnation of its thread: an answer never reaches another thread that has taken the name.
 */
import { type Call, callOf, type Frame, items, type Json } from '@loom-agent/kernel'
import type { Question } from '../types/question.ts'
import type { SignalWait } from '../types/result.ts'
import { pendingIn } from './pending.ts'

/** The open questions of a thread, in the order in which they were asked. */
export function questionsOf(frame: Frame): readonly Question[] {
  const asked = Object.values(frame.questions).sort((a, b) => a.seq - b.seq)
  return asked.map(({ id, kind, prompt, call: callId, show, above, digest, expires, approvers = 1, votes }) => {
    const call = callId === undefined || !frame.run ? undefined : callOf(frame.run, callId)
    return {
      id: questionIdOf(frame, id),
      thread: frame.thread,
      kind,
      prompt: kind === 'limit' && frame.run ? `${prompt} ${pendingIn(frame, frame.run)}` : prompt,
      ...(call && { call: { id: call.id, tool: call.part.name, input: kind === 'approval' || kind === 'hook' ? inputIn(show, call) : call.input } }),
      ...(above !== undefined && { above }),
      ...(digest !== undefined && { digest }),
      ...(show !== undefined && { show }),
      ...(expires !== undefined && { expires }),
      approvers,
      approvals: votes.length,
    }
  })
}

/** A question before a call shows what the tool would get, which need not be what the model wrote. */
const inputIn = (show: Json | undefined, call: Call): Json => (show as { input?: Json } | undefined)?.input ?? call.input

/** How the id of a question ends. In format 1 a thread has no incarnation of its own. */
export const suffixOf = ({ thread, incarnation }: Frame): string => (incarnation === thread ? '' : `@${incarnation}`)

/** The id by which a question of the thread is answered in any process. */
export const questionIdOf = (frame: Frame, local: string): string => `${frame.thread}#${local}${suffixOf(frame)}`

/** The signals that a thread's calls wait for. */
export function waitsOf({ thread, run }: Frame): readonly SignalWait[] {
  if (!run) return []
  const open = [...items(run.calls)].flatMap((call) => call.open)
  return open.flatMap(({ signal, until }) => (signal === undefined ? [] : [{ thread, signal, until }]))
}
