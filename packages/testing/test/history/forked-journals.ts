/** Journals of forks that were gone on with. */
import { agent, approve, type ForkOptions, memoryJournal, tool } from '@loom-agent/agent'
import type { LoomEvent } from '@loom-agent/kernel'
import { eventsOf } from '../../../../test/support/threads.ts'
import { scriptedModel } from '../../src/double/scripted-model.ts'

const script = [
  { calls: [{ tool: 'look' }] },
  { calls: [{ tool: 'write' }] },
  { calls: [{ tool: 'write' }] },
  { calls: [{ tool: 'ponder' }] },
  'Done.',
]
const ponder = tool({
  name: 'ponder',
  durable: true,
  effect: 'read',
  run: async (_, ctx) => `${(await ctx.ask('First?')).kind} ${(await ctx.ask('Second?')).kind}`,
})

/** Forks a thread of which the last question is open, and goes on with the fork. */
async function forked(options: ForkOptions, before?: LoomEvent['type']): Promise<readonly LoomEvent[]> {
  const tools = [tool({ name: 'look', effect: 'read', run: () => 'seen' }), tool({ name: 'write', run: () => 'written' }), ponder]
  const model = scriptedModel(({ prompt }) => script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Nothing more.')
  const player = agent({ name: 'player', instructions: 'Be kind.', model, tools, journal: memoryJournal() })
  await player.run('Go.', { thread: 'parent', onQuestion: ({ prompt }) => (prompt === 'First?' ? approve({ by: 'ann' }) : undefined) })
  const events = await eventsOf(player, 'parent')
  const { seq } = events.find(({ type }) => type === before) ?? { seq: events.length + 1 }
  const fork = await player.fork(`parent@${seq - 1}`, { thread: 'fork', limits: { tokens: 100_000 }, ...options })
  await fork.resume({ onQuestion: () => approve() }).result()
  return eventsOf(player, 'fork')
}

/** The journals of forks, by name. */
export const forkedJournals: { readonly [name: string]: () => Promise<readonly LoomEvent[]> } = {
  'a fork with other instructions': () =>
    forked({
      effects: 'recorded',
      edit: [
        { kind: 'result', call: '1.0', result: 'nothing' },
        { kind: 'instructions', text: 'Be brief.' },
      ],
    }),
  'a fork with another input': () => forked({ effects: 'stub', edit: { kind: 'input', input: 'Stop that.' } }, 'tool.started'),
}
