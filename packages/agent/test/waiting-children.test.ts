/** A run that waits for a child is not driven for nothing: what is said again, or resumed, appends nothing, calls no model and enters no body. */
import { type Agent, type AgentOptions, agent, answer, approve, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const after = (name: string) =>
  scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? `after ${name}` : { calls: [{ tool: name, input: { prompt: 'go' } }] }))

/** What a child waits for. */
const waits = {
  'an answer': tool({ name: 'wait', permission: 'ask', run: () => 'paid' }),
  'a signal': tool({
    name: 'wait',
    durable: true,
    effect: 'read',
    run: async (_, ctx) => ((await ctx.waitFor('pay')).status === 'received' ? 'ok' : 'no'),
  }),
  'a moment': tool({ name: 'wait', durable: true, effect: 'read', run: (_, ctx) => ctx.sleep(9_000_000).then(() => 'ok') }),
}

/** A root, its child, and a child of that, which waits. */
function tree(journal: Journal, wait: (typeof waits)[keyof typeof waits], options: Partial<AgentOptions> = {}): Agent {
  const leaf = agent({ name: 'leaf', tools: { wait }, model: after('wait'), ...options })
  const middle = agent({ name: 'middle', tools: { leaf }, model: after('leaf') })
  return agent({ name: 'root', journal, tools: { middle }, model: after('middle'), ports: { development: false } })
}

/** Every thread, with how long it is and how often it was driven. */
const seen = async (journal: Journal): Promise<readonly string[]> =>
  (await journal.threads()).map(({ thread, seq, epoch }) => `${thread} ${seq} ${epoch}`)

describe.each(Object.entries(waits))('a run whose child waits for %s', (_, wait) => {
  test('stays as it is when its start is said again, when it is resumed, and when it is recovered', async () => {
    const journal = memoryJournal()
    const first = await tree(journal, wait).run('go', { thread: 't', id: 'one' })
    expect(first.status).toBe('waiting')
    const before = await seen(journal)
    const again = tree(journal, wait)
    expect(await again.run('go', { thread: 't', id: 'one' })).toEqual(first)
    expect(await again.resume('t').result()).toEqual(first)
    expect(await again.recover()).toEqual([])
    expect(await seen(journal)).toEqual(before)
  })
})

test('a child that was answered meanwhile goes on when the start is said again', async () => {
  const journal = memoryJournal()
  const { questions } = await tree(journal, waits['an answer']).run('go', { thread: 't', id: 'one' })
  await answer(journal, questions[0]?.id ?? '', approve())
  expect(await tree(journal, waits['an answer']).run('go', { thread: 't', id: 'one' })).toMatchObject({ status: 'done', text: 'after middle' })
})

test('a child whose agent answers questions in this process is asked when the start is said again', async () => {
  const journal = memoryJournal()
  await tree(journal, waits['an answer']).run('go', { thread: 't', id: 'one' })
  const answering = tree(journal, waits['an answer'], { onQuestion: () => approve() })
  expect(await answering.run('go', { thread: 't', id: 'one' })).toMatchObject({ status: 'done', text: 'after middle' })
})
