/**
 * An answer that was given to the same question before, without moving the run on.
 *
 * RESOLVE-3. A resolver that gives the same answer to the same question is not asked for ever: where nothing has happened in between but the asking, its
 *     answer counts as none. The journal says what has happened, so that it holds for every handle and process.
 */
import { type Answer, canonicalJson, type EventOf, type EventType, type Json, type LoomEvent, own, readEvents } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import { localQuestionId } from '../question/find-question.ts'
import type { Runtime } from '../thread/runtime.ts'
import type { Question } from '../types/question.ts'

/** Events that only go from one question to the next. */
const asking: ReadonlySet<EventType> = new Set<EventType>([
  ...(['driver.acquired', 'run.resumed', 'run.suspended', 'tool.started', 'tool.suspended'] as const),
  ...(['question.asked', 'question.answered', 'limit.raised', 'hook.applied', 'agent.upgraded'] as const),
])

/** So many events before a question are looked at. */
const window = 50

/** Whether the question was asked before, with nothing done since, and had this answer. */
export async function isRepeated({ journal, threads }: Runtime, { id, thread }: Question, answer: Answer | undefined): Promise<boolean> {
  const { frame } = await threads.load(thread)
  const question = own(frame.questions, localQuestionId(frame, id))
  if (!question || question.seq === 1) return false
  const { incarnation } = frame
  let before: EventOf<'question.asked'> | undefined
  let given: Answer | undefined
  for await (const event of readEvents(journal, thread, { incarnation, from: Math.max(1, question.seq - window) })) {
    if (event.seq >= question.seq) break
    if (isSame(event, question)) before = event
    else if (!asking.has(event.type)) before = undefined
    else if (before && event.type === 'question.answered' && event.data.id === before.data.id) given = event.data.answer
  }
  return before !== undefined && given !== undefined && canonicalJson(toJson(given)) === canonicalJson(toJson(answer ?? null))
}

/** Whether an event has asked the same at the same place. */
function isSame(event: LoomEvent, question: EventOf<'question.asked'>['data']): event is EventOf<'question.asked'> {
  return event.type === 'question.asked' && aboutOf(event.data) === aboutOf(question)
}

const aboutOf = ({ id, prompt, show }: EventOf<'question.asked'>['data']): Json =>
  canonicalJson([id.slice(0, id.lastIndexOf('#')), prompt, show ?? null])
