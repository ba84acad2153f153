import { type Agent, type AgentOptions, agent, approve, memoryJournal, type Question, reject, type SignedAnswer, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf } from './journals.ts'

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const clerk = (options: Partial<AgentOptions> = {}): Agent =>
  agent({ name: 'clerk', model: scriptedModel([{ calls: [{ tool: 'pay' }] }, 'Paid.']), tools: [pay], ...options })

/** A human who takes time: `asked` resolves with the first question, `give` answers it. */
function human() {
  const asked: Question[] = []
  const first = Promise.withResolvers<Question>()
  const answered = Promise.withResolvers<SignedAnswer | undefined>()
  const onQuestion = (question: Question) => {
    asked.push(question)
    first.resolve(question)
    return answered.promise
  }
  return { asked, first: first.promise, give: answered.resolve, onQuestion }
}
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('two handles on one thread (RESOLVE-1)', () => {
  test('ask onQuestion once (found: both asked)', async () => {
    const { asked, first, give, onQuestion } = human()
    const boss = clerk({ onQuestion })
    const one = boss.start('go', { thread: 't' })
    await first
    const two = boss.resume('t')
    const three = boss.start('go on', { thread: 't' })
    await soon()
    give(approve())
    expect([(await one.result()).status, (await two.result()).status, (await three.result()).thread]).toEqual(['done', 'done', 't'])
    expect(asked).toHaveLength(1)
    expect(await factsOf(boss, 't', 'question.answered')).toHaveLength(1)
  })

  test('of agents that were made one by one on one journal ask once too', async () => {
    const { asked, first, give, onQuestion } = human()
    const journal = memoryJournal()
    const one = clerk({ onQuestion, journal }).start('go', { thread: 't' })
    await first
    const two = clerk({ onQuestion, journal }).resume('t')
    await soon()
    give(approve())
    expect([(await one.result()).status, (await two.result()).status]).toEqual(['done', 'done'])
    expect(asked).toHaveLength(1)
  })

  test('ask another resolver only when the first leaves the question open', async () => {
    for (const [left, isAsked] of [
      [undefined, 1],
      [approve(), 0],
    ] as const) {
      const [patient, other] = [human(), human()]
      const boss = clerk()
      const one = boss.start('go', { thread: 't', onQuestion: patient.onQuestion })
      await patient.first
      const two = boss.resume('t', { onQuestion: other.onQuestion })
      await soon()
      expect(other.asked).toHaveLength(0)
      patient.give(left)
      other.give(reject('no'))
      await one.result()
      expect((await two.result()).status).toBe('done')
      expect([patient.asked.length, other.asked.length]).toEqual([1, isAsked])
    }
  })

  test('ask both resolvers when the question needs two people', async () => {
    const [ann, bob] = [human(), human()]
    const boss = clerk({ permissions: { rules: [{ tool: 'pay', verdict: 'ask', approvers: 2 }] } })
    const one = boss.start('go', { thread: 't', onQuestion: ann.onQuestion })
    await ann.first
    const two = boss.resume('t', { onQuestion: bob.onQuestion })
    await soon()
    ann.give(approve({ by: 'ann' }))
    bob.give(approve({ by: 'bob' }))
    await one.result()
    expect((await two.result()).status).toBe('done')
    expect([ann.asked.length, bob.asked.length]).toEqual([1, 1])
  })

  test('get why the resolver could not answer, and a later resume asks again', async () => {
    let asked = 0
    const onQuestion = () => {
      asked += 1
      throw new Error('no terminal')
    }
    const boss = clerk({ onQuestion })
    expect(await boss.run('go', { thread: 't' })).toMatchObject({ status: 'waiting', error: { code: 'LOOM_HOOK_FAILED' } })
    expect(await boss.resume('t').result()).toMatchObject({ status: 'waiting', error: { code: 'LOOM_HOOK_FAILED' } })
    expect(asked).toBe(2)
  })
})
