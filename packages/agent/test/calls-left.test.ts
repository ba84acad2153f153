/** Calls that a run leaves open because it failed or is stopped: what may have happened is never forgotten (DECIDE-6), nor what a human said about it. */
import { type Agent, type AgentOptions, agent, answer, approve, questions, reject, respond, type SignedAnswer, stop, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { abandoned, eventsOf, factsOf } from './journals.ts'

const unknown = 'The outcome is unknown: verify it before you call this again.'

/** A teller that charges, whose process is lost meanwhile, and that asks before it sends a mail. */
function tellers(options: Partial<AgentOptions> = {}) {
  const seen = { charges: 0, isBroken: false }
  const hang = (): Promise<never> => {
    seen.charges += 1
    return new Promise(() => {})
  }
  const charge = tool({ name: 'charge', schedule: { parallel: true }, run: hang })
  const book = tool({
    name: 'book',
    durable: true,
    schedule: { parallel: true },
    run: async (_, ctx) => {
      await ctx.step('reserve', () => 'reserved')
      await ctx.step('pay', hang)
    },
  })
  const mail = tool({ name: 'mail', permission: 'ask', schedule: { parallel: true }, run: () => 'sent' })
  const tools = () => {
    if (seen.isBroken) throw new Error('The tool server is down.')
    return [charge, book, mail]
  }
  const made = (calls: readonly string[], journal?: Journal): { readonly teller: Agent; readonly model: ScriptedModel } => {
    const model = scriptedModel(({ prompt }) =>
      prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: calls.map((name) => ({ tool: name, input: {} })) },
    )
    return { model, teller: agent({ name: 'teller', model, tools, ...(journal && { journal }), ...options }) }
  }
  return { seen, made }
}

/** A run whose call was lost with its process, and which waits with a question about it and one about the mail. */
async function inDoubt(called: 'charge' | 'book') {
  const { seen, made } = tellers()
  const first = made([called, 'mail']).teller
  void first.run('Go.', { thread: 't' })
  await until(() => seen.charges === 1)
  const journal = abandoned(first.journal)
  const { teller, model } = made([called, 'mail'], journal)
  const waiting = await teller.resume('t').result()
  const of = (kind: string): string => waiting.questions.find((question) => question.kind === kind)?.id ?? ''
  return { seen, teller, model, journal, doubt: of('in-doubt'), approval: of('approval') }
}

/** The same after the run has failed for another reason. */
async function failed(called: 'charge' | 'book') {
  const made = await inDoubt(called)
  made.seen.isBroken = true
  await made.teller.answer(made.approval, approve())
  await until(async () => (await made.journal.head('t'))?.summary.status === 'failed')
  made.seen.isBroken = false
  return made
}

const resultsIn = ({ requests }: ScriptedModel): string => JSON.stringify(requests.at(-1)?.prompt.filter(({ role }) => role === 'tool'))

describe('a call in doubt whose run has failed', () => {
  test('is still a question, also on the list of all threads', async () => {
    const { journal, doubt } = await failed('charge')
    expect(await questions(journal)).toMatchObject([{ id: doubt, kind: 'in-doubt' }])
    expect(await questions(journal, { thread: 't' })).toHaveLength(1)
  })

  test.each([
    ['charge', `The process was lost while charge ran: it may or may not have happened. ${unknown}`],
    ['book', `In doubt: step pay #1 (completed before: step reserve #1). ${unknown}`],
  ] as const)('is shown to the next run as an outcome that is unknown: %s', async (called, text) => {
    const { seen, teller, model, journal } = await failed(called)
    expect(await teller.run('Again.', { thread: 't' })).toMatchObject({ status: 'done' })
    expect(resultsIn(model)).toContain(text)
    expect(seen.charges).toBe(1)
    expect(await questions(journal)).toEqual([])
    expect(await factsOf(journal, 't', 'tool.finished')).toMatchObject([
      { data: { errorType: 'outcome-unknown' } },
      { data: { errorType: 'cancelled' } },
    ])
    assertHistory(await eventsOf(journal, 't'))
  })

  test('is shown so to a run that was queued before', async () => {
    const { seen, teller, model, approval, journal } = await inDoubt('charge')
    const queued = teller.start('Again.', { thread: 't' })
    await until(async () => (await factsOf(journal, 't', 'run.queued')).length === 1)
    seen.isBroken = true
    await teller.answer(approval, approve())
    await until(async () => (await factsOf(journal, 't', 'run.started')).length === 2)
    seen.isBroken = false
    await queued.result()
    expect(await teller.resume('t').result()).toMatchObject({ status: 'done' })
    expect(resultsIn(model)).toContain(unknown)
    assertHistory(await eventsOf(journal, 't'))
  })

  test('has the outcome that a human gives before the next run', async () => {
    const { teller, model, journal, doubt } = await failed('charge')
    await answer(journal, doubt, respond('It was charged: receipt 4711.'))
    await teller.run('Again.', { thread: 't' })
    expect(resultsIn(model)).toContain('It was charged: receipt 4711.')
    assertHistory(await eventsOf(journal, 't'))
  })

  test('is gone on with when the run is resumed and the question answered', async () => {
    const { teller, journal, doubt } = await failed('charge')
    const run = teller.resume('t')
    await run.answer(doubt, respond('Charged.'))
    expect(await run.result()).toMatchObject({ status: 'done' })
    assertHistory(await eventsOf(journal, 't'))
  })
})

describe('a stop after a human has answered about a call in doubt', () => {
  const stopped = async (called: 'charge' | 'book', given: SignedAnswer) => {
    const { teller, journal, doubt } = await inDoubt(called)
    await answer(journal, doubt, given)
    await stop(journal, 't', 'enough')
    await teller.recover()
    const events = await eventsOf(journal, 't')
    assertHistory(events)
    return JSON.stringify(events.find((event) => (event.type === 'tool.finished' || event.type === 'tool.denied') && event.data.call === '1.0')?.data)
  }

  test('keeps the outcome that was reported', async () => {
    expect(await stopped('charge', respond('Receipt 4711.'))).toContain('{"type":"text","value":"Receipt 4711."}')
  })

  test('keeps a rejection', async () => {
    expect(await stopped('charge', reject('refunded'))).toContain('A human rejected this call: refunded.')
  })

  test('does not doubt what a human said did not happen', async () => {
    expect(await stopped('charge', approve())).toContain('Cancelled: enough')
  })

  test('counts a step whose outcome was reported as completed', async () => {
    expect(await stopped('book', respond('Paid.'))).toContain('Cancelled: enough (completed before: step reserve #1, step pay #1)')
  })
})
