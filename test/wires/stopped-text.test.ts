/** What was shown of a reply when its run was stopped is in the next request, in a form that every vendor takes. */
import type { Wire } from '@loom-agent/harness/wire'
import { checkPairing, scriptedModel } from '@loom-agent/testing'
import { agent, tool } from 'loom-agent'
import { expect, test } from 'vitest'
import { type Refused, vendorModel } from './vendor-model.ts'

const wires: readonly Wire[] = ['openai-chat', 'openai-responses', 'openai-compatible', 'anthropic', 'google']
const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const cutReplies = [
  ['text', { text: 'Half of it ', stallAfter: 4 }, 'Half of '],
  ['text with reasoning and calls', { reasoning: 'Hm.', text: 'I look. ', calls: [{ tool: 'look' }], stallAfter: 9 }, 'I look.'],
] as const

test.each(wires.flatMap((wire) => cutReplies.map((cut) => [wire, ...cut] as const)))(
  '%s takes a stopped reply of %s',
  async (wire, _, reply, shown) => {
    const refused: Refused[] = []
    const script = scriptedModel([{ text: 'First.', calls: [{ tool: 'look' }] }, reply, 'As I said.', 'Bye.'])
    const boss = agent({ model: vendorModel(wire, script, refused), tools: [look], behaviour: { grace: 1 } })
    const run = boss.start('Tell me.', { thread: 't' })
    let text = ''
    for await (const piece of run.text()) {
      text += piece
      if (text.trimEnd().endsWith(shown.trimEnd())) break
    }
    await run.stop('enough')
    await run.result()
    expect((await boss.run('Go on.', { thread: 't' })).text).toBe('As I said.')
    expect((await boss.run('Bye.', { thread: 't' })).text).toBe('Bye.')
    expect(JSON.stringify(script.requests.at(-1)?.prompt)).toContain(shown)
    for (const { prompt } of script.requests) expect(checkPairing(prompt)).toEqual([])
    expect(refused.map(({ problem }) => `${problem.rule}: ${problem.message}`)).toEqual([])
  },
)
