/** Routes of questions: the inbox, and answers. */
import { answer, type Question, questions, type SignedAnswer } from '@loom-agent/agent'
import { type Answer, type Json, type Limits, LoomError } from '@loom-agent/kernel'
import { anything, list, named, object, oneOf, optional, text } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { type FoundThread, findThread, mayUse, rootOf } from '../service/find-thread.ts'
import { ofAgent } from './schemas.ts'

const listQuestions = route({
  name: 'listQuestions',
  method: 'GET',
  path: '/questions',
  scope: 'read',
  summary: 'The open questions: of a thread and its children, of an agent, or of all.',
  query: object({ thread: optional(text('The thread.')), agent: optional(text('The agent.')) }),
  reply: { schema: object({ items: list('The questions.', ofAgent<Question>('Question', 'A question.')) }) },
  async handle(call) {
    const { service, identity, query } = call
    if (query.thread !== undefined) await findThread(call, query.thread)
    const all = await questions(service.journal, query)
    const shown: Question[] = []
    for (const question of all) if (await maySee(call, question)) shown.push(question)
    return { items: identity.threads ? shown : all }
  },
})

async function maySee({ service, identity }: Call, { thread }: Question): Promise<boolean> {
  if (!identity.threads) return true
  const head = await service.journal.head(thread)
  return head !== undefined && mayUse(identity, (await rootOf(service.journal, head)).thread)
}

const answerBody = object({
  kind: oneOf('What settles the question.', 'approve', 'edit', 'reject', 'respond'),
  scope: optional(oneOf('Of an approval: also for later calls of the same tool on the thread.', 'thread')),
  limits: optional(named<Limits>('Limits', '@loom-agent/kernel', 'Of an approval: how far a limit is raised.')),
  input: optional(anything('Of an edit: the arguments to use instead.')),
  reason: optional(text('Of a rejection: shown to the model.', { most: 100_000 })),
  value: optional(anything('Of a response: stands for the result.')),
  digest: optional(text('The digest of the question as it was shown: where it is another by now, the answer is refused.')),
})
type AnswerBody = NonNullable<typeof answerBody.type>

/** The fields that each kind of answer has. */
const fieldsOf: { readonly [K in Answer['kind']]: readonly (keyof AnswerBody)[] } = {
  approve: ['scope', 'limits'],
  edit: ['input'],
  reject: ['reason'],
  respond: ['value'],
}

function refuse(message: string, kind: Answer['kind']): never {
  throw new LoomError('LOOM_REQUEST_INVALID', message, { context: { kind } })
}

/** The answer of a body. The sender is its author, whatever the body says. */
function answerOf(body: AnswerBody, by: string): SignedAnswer {
  const { kind, scope, limits, input, reason, value } = body
  const strange = (['scope', 'limits', 'input', 'reason', 'value'] as const).find(
    (field) => body[field] !== undefined && !fieldsOf[kind].includes(field),
  )
  if (strange !== undefined) refuse(`An answer of the kind ${kind} has no ${strange}. It may have ${fieldsOf[kind].join(', ')}.`, kind)
  if (kind === 'edit')
    return { answer: { kind, input: input === undefined ? refuse('An edit needs input: the arguments to use instead.', kind) : (input as Json) }, by }
  if (kind === 'respond')
    return {
      answer: { kind, value: value === undefined ? refuse('A response needs value: what stands for the result.', kind) : (value as Json) },
      by,
    }
  if (kind === 'reject') return { answer: { kind, ...(reason !== undefined && { reason }) }, by }
  return { answer: { kind, ...(scope && { scope }), ...(limits && { limits }) }, by }
}

/** Refuses an answer to what has changed since it was shown. */
async function requireShown(
  { service }: Call,
  question: string,
  { thread, digest }: { readonly thread: string; readonly digest: string },
): Promise<void> {
  const open = await questions(service.journal, { thread })
  const now = open.find(({ id }) => id === question)
  if (!now || now.digest === digest) return
  const message = 'What is asked has changed since it was shown. Look at the question again.'
  throw new LoomError('LOOM_QUESTION_SETTLED', message, { context: { question } })
}

/** The thread of a question: what stands before the first #. */
async function threadOf(call: Call, question: string): Promise<FoundThread> {
  const end = question.indexOf('#')
  if (end > 0) return findThread(call, question.slice(0, end))
  const id = question.slice(0, 200)
  const message = `${JSON.stringify(id)} is no id of a question. GET /questions lists those that are open.`
  throw new LoomError('LOOM_QUESTION_NOT_FOUND', message, { context: { id } })
}

const answerQuestion = route({
  name: 'answerQuestion',
  method: 'POST',
  path: '/questions/{question}/answer',
  scope: 'answer',
  summary: 'Answers a question, and lets its thread go on. The author is who sends it.',
  body: answerBody,
  reply: { status: 204 },
  async handle(call) {
    const { params, body, identity, service } = call
    const given = answerOf(body, identity.name)
    const { agent, head } = await threadOf(call, params.question)
    if (body.digest !== undefined) await requireShown(call, params.question, { thread: head.thread, digest: body.digest })
    await (agent ? agent.answer(params.question, given) : answer(service.journal, params.question, given))
  },
})

/** The inbox. */
export const answerRoutes: readonly Route[] = [listQuestions, answerQuestion]
