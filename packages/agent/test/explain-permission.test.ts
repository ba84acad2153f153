import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  agent,
  type CallMatcher,
  type CallPart,
  explainPermission,
  type ImaginedCall,
  type LeastVerdict,
  type Policy,
  reject,
  type Tool,
  testPolicy,
  tool,
} from '../src/index.ts'

const words: CallMatcher<{ text: string }, CallPart> = {
  parts: ({ text }) => text.split(' ').map((word) => ({ text: word })),
  compile: (pattern) => ({ names: ({ text }) => text === pattern, mayMean: ({ text }) => text === pattern }),
}
const least = ({ text }: { text: string }): LeastVerdict =>
  text.includes('key') ? { atLeast: 'ask', reason: 'it is a secret' } : { atLeast: 'allow' }
const say = tool({
  name: 'say',
  ruleName: 'mcp:talk/say',
  input: z.object({ text: z.string().trim().default('nothing') }),
  matcher: words,
  permission: least,
  run: () => 'said',
})
const send = tool({
  name: 'send',
  input: z.object({ method: z.string() }),
  effect: ({ method }) => (method === 'GET' ? 'read' : 'unsafe'),
  run: () => 'sent',
})

/** What a real run makes of the call. */
async function verdictInRun(policy: Policy, one: Tool, input: object): Promise<string> {
  let asked = 0
  const model = scriptedModel([{ calls: [{ tool: one.name, input }] }, 'Done.'])
  const { steps } = await agent({ model, tools: [one], permissions: policy }).run('Go.', {
    onQuestion: () => {
      asked += 1
      return reject('no')
    },
  })
  return asked > 0 ? 'ask' : steps[0]?.calls[0]?.status === 'success' ? 'allow' : 'deny'
}

const policies: readonly Policy[] = [
  { 'say(hello)': 'allow', 'say(secret)': 'deny', default: 'ask' },
  { 'mcp:talk/*': 'deny', default: 'allow' },
  { '*': 'allow' },
  { 'say(key)': 'allow', default: 'deny' },
  { rules: [{ tool: '*', effect: 'read', verdict: 'allow' }], default: 'ask' },
  { rules: [{ tool: 'say', input: { text: 'nothing' }, verdict: 'deny' }], default: 'allow' },
  { mode: 'plan', default: 'allow' },
]
const calls: readonly (readonly [Tool, { [name: string]: string }])[] = [
  [say, { text: 'hello' }],
  [say, { text: ' hello ' }],
  [say, { text: 'hello secret' }],
  [say, { text: 'key' }],
  [say, {}],
  [send, { method: 'GET' }],
  [send, { method: 'POST' }],
]

describe('a call that is explained by its tool', () => {
  test.each(policies.flatMap((policy) => calls.map(([one, input]) => [policy, one, input] as const)))(
    'has the verdict of a run: %j',
    async (policy, one, input) => {
      expect((await explainPermission(policy, { tool: one, input })).verdict).toBe(await verdictInRun(policy, one, input))
    },
  )

  test('is a case of a policy test, under the name that the agent has for the tool', async () => {
    const unnamed = tool({ effect: 'read', run: () => 1 })
    expect(
      await testPolicy({ look: 'allow' }, [
        { tool: unnamed, name: 'look', expect: 'allow' },
        { tool: say, name: 'tell', expect: 'deny' },
      ]),
    ).toEqual([])
    await expect(explainPermission({}, { tool: unnamed })).rejects.toMatchObject({ code: 'LOOM_TOOL_NAME_INVALID' })
  })

  test('is refused where its arguments do not fit: no rule ever judges it', async () => {
    await expect(explainPermission({}, { tool: send, input: { method: 7 } })).rejects.toThrow(
      /The arguments of send do not fit: method: .*No rule judges such a call/,
    )
  })

  test.each([{ effect: 'read' }, { permission: 'allow' }, { matcher: words }, { ruleName: 'x' }])(
    'says what its tool says itself: %j is refused beside it',
    async (beside) => {
      await expect(explainPermission({}, { tool: say, ...beside } as ImaginedCall)).rejects.toThrow(
        /is given, and the tool says that itself\. Leave \w+ out/,
      )
    },
  )
})

test('a call that is explained by a name alone says what it cannot know', async () => {
  const policy: Policy = { 'say(hello)': 'allow', 'say(secret)': 'deny', default: 'ask' }
  const { verdict, reason } = await explainPermission(policy, { tool: 'say', input: { text: 'hello' } })
  expect([verdict, reason]).toEqual([
    'deny',
    'what the call asks for is not known by the name of its tool: give the tool itself, { tool: theTool, input }',
  ])
  expect(await explainPermission(policy, { tool: 'other' })).toEqual({ verdict: 'ask', decidedBy: ['default'] })
})
