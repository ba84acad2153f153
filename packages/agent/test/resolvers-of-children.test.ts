import { type Agent, type AgentOptions, agent, approve, memoryJournal, type Question, reject, type SignedAnswer, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf } from './journals.ts'

type Options = Partial<AgentOptions>

const calls = (name: string) =>
  scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: name, input: { prompt: 'pay' } }] }))

/** A payer under `depth` agents: the tool asks, `paid` counts. */
function tree(depth: number, { root = {}, payer = {} }: { root?: Options; payer?: Options } = {}): { boss: Agent; paid: string[] } {
  const paid: string[] = []
  const pay = tool({ name: 'pay', permission: 'ask', run: () => paid.push('bill') && 'paid' })
  let below: Agent = agent({ name: 'payer', model: calls('pay'), tools: [pay], ...payer })
  for (let level = depth - 1; level > 0; level -= 1) below = agent({ name: `middle${level}`, model: calls(below.name), tools: [below] })
  return { boss: agent({ name: 'boss', model: calls(below.name), tools: [below], journal: memoryJournal(), ...root }), paid }
}

/** A resolver that gives one answer and counts its questions. */
function resolver(answer?: SignedAnswer) {
  const asked: Question[] = []
  const onQuestion = (question: Question): SignedAnswer | undefined => {
    asked.push(question)
    return answer
  }
  return { asked, as: { onQuestion } }
}

describe("the onQuestion of a run is asked about its children's questions (RESOLVE-2)", () => {
  test.each([1, 2, 3])('%i deep, once', async (depth) => {
    const { boss, paid } = tree(depth)
    const caller = resolver(approve())
    expect((await boss.run('go', caller.as)).status).toBe('done')
    expect([caller.asked.length, paid.length]).toEqual([1, 1])
  })

  test.each([1, 2])('and neither that of the agent nor that of the child, %i deep (found: the agent approved, unseen)', async (depth) => {
    const [caller, ofRoot, ofChild] = [resolver(reject('not in this run')), resolver(approve()), resolver(approve())]
    const { boss, paid } = tree(depth, { root: ofRoot.as, payer: ofChild.as })
    expect((await boss.run('go', caller.as)).status).toBe('done')
    expect([caller.asked.length, ofRoot.asked.length, ofChild.asked.length, paid.length]).toEqual([1, 0, 0, 0])
  })

  test('leaves the question open for a person where it returns nothing, and is not asked again', async () => {
    const [caller, ofRoot] = [resolver(), resolver(approve())]
    const { boss, paid } = tree(2, { root: ofRoot.as })
    const waiting = await boss.run('go', { thread: 't', ...caller.as })
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ call: { tool: 'pay' } }] })
    expect([caller.asked.length, ofRoot.asked.length, paid.length]).toEqual([1, 0, 0])
  })

  test('says why in the result of the run where it throws', async () => {
    const { boss } = tree(2)
    const onQuestion = (): never => {
      throw new RangeError('no line to the bank')
    }
    expect(await boss.run('go', { onQuestion })).toMatchObject({
      status: 'waiting',
      error: { message: expect.stringContaining('no line to the bank') },
    })
  })

  test('in a resume, in a fork, and in a handle that comes later', async () => {
    const { boss, paid } = tree(2)
    await boss.run('go', { thread: 't' })
    const inFork = resolver(reject('no'))
    const fork = await boss.fork('t@4', { limits: { tokens: 10_000 } })
    expect((await fork.resume(inFork.as).result()).status).toBe('done')
    expect(inFork.asked.every(({ thread }) => thread !== 't')).toBe(true)
    expect(paid).toHaveLength(0)
    const later = resolver(approve())
    expect((await boss.resume('t', later.as).result()).status).toBe('done')
    expect([later.asked.length, paid.length]).toEqual([1, 1])
  })

  test('also where the child had asked before its handle was there, and another handle drives the run', async () => {
    const gate = Promise.withResolvers<string>()
    const slow = tool({ name: 'slow', effect: 'read', run: () => gate.promise })
    const { boss: payer } = tree(1)
    const model = scriptedModel([{ calls: [{ tool: 'slow' }, { tool: 'boss', input: { prompt: 'pay' } }] }, 'Done.'])
    const chief = agent({ name: 'chief', model, tools: [slow, payer] })
    const first = chief.start('go', { thread: 't' })
    for await (const { type } of first.events({ nested: true })) if (type === 'question.asked') break
    const late = resolver(approve())
    const second = chief.resume('t', late.as)
    gate.resolve('slow')
    expect((await second.result()).status).toBe('done')
    expect(late.asked).toHaveLength(1)
    expect(await factsOf(chief, 't', 'child.finished')).toHaveLength(1)
  })

  test('and lets children ask where nobody is there otherwise', async () => {
    const { boss, paid } = tree(2, { root: { behaviour: { unattended: 'deny' } } })
    await boss.run('go')
    expect(paid).toHaveLength(0)
    const caller = resolver(approve())
    await boss.run('go', caller.as)
    expect([caller.asked.length, paid.length]).toEqual([1, 1])
  })
})

describe('without an onQuestion of the run', () => {
  test('the nearest agent that has one is asked', async () => {
    const [ofRoot, ofChild] = [resolver(approve()), resolver(reject('no'))]
    const { boss, paid } = tree(2, { root: ofRoot.as, payer: ofChild.as })
    await boss.run('go')
    expect([ofRoot.asked.length, ofChild.asked.length, paid.length]).toEqual([0, 1, 0])
    const above = resolver(approve())
    const { boss: other } = tree(3, { root: above.as })
    expect((await other.run('go')).status).toBe('done')
    expect(above.asked).toHaveLength(1)
  })

  test("a child's resolver is not asked about the questions of an agent above it", async () => {
    const ofChild = resolver(approve())
    const { boss, paid } = tree(1, { payer: ofChild.as, root: { permissions: { rules: [{ tool: 'payer', verdict: 'ask' }], default: 'allow' } } })
    expect(await boss.run('go')).toMatchObject({ status: 'waiting', questions: [{ call: { tool: 'payer' } }] })
    expect([ofChild.asked.length, paid.length]).toEqual([0, 0])
  })
})
