/** Real runs of real agents, for tests that need journals as they are. */
import { agent, approve, memoryJournal, respond, tool } from '@loom-agent/agent'
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const errand = tool({
  name: 'errand',
  durable: true,
  run: async (_, ctx) => [await ctx.step('buy', () => 'milk'), (await ctx.ask('Home?')).kind],
})

/** Runs an agent that does a bit of everything, and gives back its journal. */
export async function busyJournal(): Promise<Journal> {
  const journal = memoryJournal()
  const child = agent({ name: 'child', model: scriptedModel('from the child') })
  const model = scriptedModel([
    { text: 'First.', calls: [{ tool: 'look' }, { tool: 'pay' }, { tool: 'nobody' }] },
    { calls: [{ tool: 'errand' }, { tool: 'child', input: { prompt: 'go' } }] },
    { throws: Object.assign(new Error('overloaded'), { statusCode: 529 }) },
    'Done.',
    'Again.',
  ])
  const hooks = [{ beforeIterationStart: ({ turn }: { turn: number }) => (turn === 2 ? { say: 'Mind the gap.' } : undefined) }]
  const busy = agent({ instructions: 'Be busy.', model, tools: [look, pay, errand, child], hooks, journal, ports: { random: () => 0 } })
  const run = busy.start('Go.', { thread: 't' })
  for (let result = await run.result(); result.status === 'waiting'; result = await run.result()) {
    const [question] = result.questions
    await run.answer(question?.id ?? '', question?.kind === 'choice' ? respond('home') : approve())
  }
  await busy.run('And again.', { thread: 't' })
  return journal
}

/** The events of a thread. */
export async function eventsIn(journal: Journal, thread = 't'): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events
}
