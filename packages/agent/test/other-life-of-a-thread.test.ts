/** A thread that was removed and begun anew is another one: what was said to the first must not reach the second. */
import { agent, approve, tool } from '@loom-agent/agent'
import { memoryJournal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** A thread in which a payment of 5 was asked for, and which was then removed and begun anew with one of a million. */
async function replacedThread() {
  const paid: number[] = []
  const pay = tool({ name: 'pay', input: z.object({ amount: z.number() }), permission: 'ask', run: ({ amount }) => String(paid.push(amount)) })
  const journal = memoryJournal()
  const asks = (amount: number) => scriptedModel([{ calls: [{ tool: 'pay', input: { amount } }] }, 'Paid.'])
  const old = agent({ name: 'clerk', model: asks(5), tools: [pay], journal })
  const run = old.start('pay 5', { thread: 't' })
  const { questions } = await run.result()
  await journal.remove('t')
  await agent({ name: 'clerk', model: asks(1_000_000), tools: [pay], journal }).run('pay a million', { thread: 't' })
  return { old, run, paid, journal, question: questions[0]?.id ?? '' }
}

test('an approval for a removed thread is refused, and approves nothing of the thread that took its name', async () => {
  for (const through of ['run', 'old'] as const) {
    const { [through]: answerer, paid, journal, question } = await replacedThread()
    await expect(answerer.answer(question, approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    expect((await journal.head('t'))?.summary.status).toBe('waiting')
    expect(paid).toEqual([])
  }
})
