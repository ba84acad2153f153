/** The laws over runs with guards and taint: a crash anywhere changes nothing, no effect happens twice, and the frame is what the journal says. */
import { agent, type Guard, tool } from '@loom-agent/agent'
import { piiGuard } from '@loom-agent/agent/guards'
import type { Journal } from '@loom-agent/kernel'
import { alwaysReplay, assertChaos, steadyModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'

const world = () => ({
  sent: {} as Record<string, number>,
  send(key: string) {
    this.sent[key] = (this.sent[key] ?? 0) + 1
    return 'Sent to ann@example.com.'
  },
})
type Outside = ReturnType<typeof world>

const calling = (name: string) => ({ calls: [{ tool: name, input: { prompt: 'Go on with ann@example.com.' } }] })
const asking = (at: 'input' | 'result' | 'output'): Guard => ({
  name: 'asks',
  [at]: (text: string) => (text.includes('Go') ? { ask: 'may it?' } : undefined),
})

/** An agent whose tools read both kinds, and send. */
function tainted(outside: Outside, journal: Journal, guards: readonly Guard[]) {
  const tools = {
    page: tool({ effect: 'read', taint: { brings: 'untrusted' }, run: () => 'Go, says bob@example.com.' }),
    notes: tool({ effect: 'read', taint: { brings: 'private' }, run: () => ({ note: 'Mine.' }) }),
    send: tool({ effect: 'idempotent', taint: { sends: true }, run: (_, { key }) => outside.send(key) }),
  }
  const common = { journal, tools, guards, ports: alwaysReplay(journal) }
  const child = agent({ ...common, name: 'child', model: steadyModel([calling('notes'), calling('send'), 'Go: done by ann@example.com.']) })
  const model = steadyModel([calling('page'), calling('child'), calling('send'), 'Go: all is sent to ann@example.com.'])
  return agent({ ...common, tools: { ...tools, child }, model })
}

const scenarios: Readonly<Record<string, readonly Guard[]>> = {
  'no guard': [],
  'personal data is taken out': [piiGuard()],
  'a guard asks about inputs': [asking('input'), piiGuard()],
  'a guard asks about results': [asking('result')],
  'a guard asks about replies': [asking('output')],
  'a guard blocks the answer': [{ name: 'strict', output: (text) => (text.includes('all is sent') ? { block: 'no' } : undefined) }],
  'a guard blocks a result': [{ name: 'strict', result: (text) => (text.includes('says bob') ? { block: 'no' } : undefined) }],
}

test.each(Object.entries(scenarios))('whenever the process dies, the run goes on as if it had not: %s', async (_, guards) => {
  const report = await assertChaos(({ journal, world: outside }) => tainted(outside, journal, guards), {
    inputs: ['Go, ann@example.com asks.'],
    world,
    observe: ({ sent }) => Object.keys(sent).length,
    pairs: 10,
  })
  expect(report.trials).toBeGreaterThan(30)
})
