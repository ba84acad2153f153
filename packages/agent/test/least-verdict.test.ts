/** The least verdict of a tool: rules may be stricter, never looser (PERM-18). */
import { agent, approve, type LeastVerdict, type Policy, safeMode, tool, type Verdict } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { trial } from './verdicts.ts'

const verdicts = ['allow', 'ask', 'deny'] as const
const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }
const stricter = (a: Verdict, b: Verdict): Verdict => (strictness[a] >= strictness[b] ? a : b)
const pairs = verdicts.flatMap((atLeast) => verdicts.map((ruled) => [atLeast, ruled] as const))

describe('what a call meets', () => {
  test.each(pairs)('at least %s, and a rule says %s', async (atLeast, ruled) => {
    const permission = (): LeastVerdict => ({ atLeast, reason: 'protected' })
    expect((await trial({ permission, permissions: { '*': ruled } })).verdict).toBe(stricter(atLeast, ruled))
    expect(
      (await trial({ permission: async () => permission(), permissions: { rules: [{ tool: '*', when: () => true, verdict: ruled }] } })).verdict,
    ).toBe(stricter(atLeast, ruled))
  })

  test.each(pairs)('at least %s, and no rule matches, and the default is %s', async (atLeast, byDefault) => {
    const permissions: Policy = { rules: [], default: byDefault }
    expect((await trial({ permission: () => ({ atLeast }), permissions })).verdict).toBe(stricter(atLeast, byDefault))
  })

  test.each(verdicts)('at least %s, without a policy', async (atLeast) => {
    expect((await trial({ permission: () => ({ atLeast }) })).verdict).toBe(atLeast)
  })

  test('a mode that allows all that reads does not loosen it', async () => {
    expect((await trial({ permission: () => ({ atLeast: 'ask' }), permissions: safeMode() })).verdict).toBe('ask')
  })

  test('a policy in shadow mode leaves it in force', async () => {
    const permissions: Policy = { rules: [{ tool: '*', verdict: 'allow' }], shadow: true }
    expect((await trial({ permission: () => ({ atLeast: 'ask' }), permissions })).verdict).toBe('ask')
  })

  test.each([{ atLeast: 'maybe' }, { atLeast: 'allow', reason: 7 }, { least: 'allow' }, []])('%j is no verdict, and denies', async (value) => {
    expect((await trial({ permission: () => value as never })).verdict).toBe('deny')
  })

  test('its reason is shown', async () => {
    expect((await trial({ permission: () => ({ atLeast: 'deny', reason: 'it is a key' }) })).shown).toContain('it is a key')
  })
})

test('an approval for the thread covers calls with the same reason and no others', async () => {
  const read: string[] = []
  const look = tool({
    permission: ({ path }: { path: string }) => (path === 'plain' ? 'ask' : { atLeast: 'ask', reason: `${path} is protected` }),
    run: ({ path }: { path: string }) => read.push(path),
  } as Parameters<typeof tool>[0] & object)
  const paths = ['plain', 'plain', 'a', 'a', 'b']
  const model = scriptedModel([...paths.map((path) => ({ calls: [{ tool: 'look', input: { path } }] })), 'Done.'])
  const asked: string[] = []
  await agent({ model, tools: { look } }).run('Look.', {
    onQuestion: ({ prompt }) => {
      asked.push(prompt)
      return approve({ scope: 'thread' })
    },
  })
  expect(asked).toEqual([
    'May look run with these arguments?',
    'May look run with these arguments? (a is protected)',
    'May look run with these arguments? (b is protected)',
  ])
})
