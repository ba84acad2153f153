/** Answers from forms, requests and programs: what is judged is what is stored, and nothing else can settle a question. */
import { agent, answer, approve, memoryJournal, type SignedAnswer, tool } from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../support/threads.ts'
import { loadAll } from './load-all.ts'

beforeAll(loadAll)

/** An answer whose kind is another at every look; the last one stays. */
function changing(fields: object, ...kinds: readonly string[]): unknown {
  let look = 0
  const get = (): string | undefined => kinds[Math.min(look++, kinds.length - 1)]
  return Object.defineProperty({ ...fields }, 'kind', { get, enumerable: true })
}

const long = 'x'.repeat(2_000_000)

/** Each has been stored, or has run something, or has left a question that nobody could answer any more. */
const refused: Readonly<Record<string, { readonly answer: unknown; readonly by?: string }>> = {
  'an edit without an input': { answer: { kind: 'edit' } },
  'a response without a value': { answer: { kind: 'respond' } },
  'a reason that is no text': { answer: { kind: 'reject', reason: { a: 1 } } },
  'a kind that nobody knows': { answer: { kind: '__proto__' } },
  'an answer that is a text': { answer: 'approve' },
  'an input of megabytes': { answer: { kind: 'edit', input: { long } } },
  'a reason of megabytes': { answer: { kind: 'reject', reason: long } },
  'a value of megabytes': { answer: { kind: 'respond', value: long } },
  'a name of megabytes': { answer: { kind: 'approve' }, by: long },
}

/** The kind that is judged, and what is stored of the answer. */
const bound: Readonly<Record<string, readonly [answer: () => unknown, stored: object]>> = {
  'an approval that is an edit when it is stored': [() => changing({ input: { n: 5000 } }, 'approve', 'edit'), { kind: 'approve' }],
  'a rejection that is nothing known when it is stored': [() => changing({}, 'reject', 'junk'), { kind: 'reject' }],
  'a rejection that becomes an approval as JSON': [() => ({ kind: 'reject', toJSON: () => ({ kind: 'approve' }) }), { kind: 'reject' }],
  'an edit that becomes a number as JSON': [() => ({ kind: 'edit', input: { n: 1 }, toJSON: () => 5 }), { kind: 'edit', input: { n: 1 } }],
  'an approval with fields of its own': [() => ({ kind: 'approve', extra: long, input: 1 }), { kind: 'approve' }],
}

async function waiting() {
  const journal = memoryJournal()
  const ran: unknown[] = []
  const pay = tool({ name: 'pay', permission: 'ask', run: (input) => ran.push(input) && 'paid' })
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'pay', input: { n: 5 } }] }))
  const payer = agent({ model, tools: [pay], journal })
  const { questions } = await payer.run('go', { thread: 't' })
  return { journal, payer, ran, id: questions[0]?.id ?? '' }
}

describe('an answer', () => {
  it.each(Object.entries(refused))('that is %s is refused, and the question can be answered afterwards', async (_, given) => {
    const { journal, payer, ran, id } = await waiting()
    await expect(answer(journal, id, given as SignedAnswer)).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    expect((await eventsOf(journal, 't')).filter(({ type }) => type === 'question.answered')).toEqual([])
    await payer.answer(id, approve())
    expect(await payer.resume('t').result()).toMatchObject({ status: 'done' })
    expect(ran).toEqual([{ n: 5 }])
  })

  it.each(Object.entries(bound))('that is %s counts as what it was when it was judged', async (_, [make, stored]) => {
    const { journal, payer, id } = await waiting()
    await payer.answer(id, { answer: make() } as SignedAnswer)
    expect(await payer.resume('t').result()).toMatchObject({ status: 'done' })
    const events = await eventsOf(journal, 't')
    assertHistory(events)
    expect(events.find(({ type }) => type === 'question.answered')?.data).toEqual({ id: '1.0#1', answer: stored })
  })
})
