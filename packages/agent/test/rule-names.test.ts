import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { agent, explainPermission, type Policy, type RunLayer, testPolicy, tool } from '../src/index.ts'

const texts = [
  'bash(rm *',
  'bash rm *)',
  'bash(rm *) ',
  ' bash',
  'bash (rm *)',
  'read file',
  '(rm *)',
  'bash)',
  '',
  '\tbash',
  'bash(rm)x',
  'mcp:a b/c',
]

const forms: readonly (readonly [string, (text: string) => Policy])[] = [
  ['a map', (text) => ({ '*': 'allow', [text]: 'deny' })],
  ['a list', (text) => ({ rules: [{ tool: text, verdict: 'deny' }], default: 'allow' })],
  ['a layer', (text) => ({ layers: { company: { [text]: 'deny', default: 'allow' } } })],
]

describe('a rule that can name no tool', () => {
  test.each(forms.flatMap(([form, policyOf]) => texts.map((text) => [text, form, policyOf] as const)))(
    '%j in %s is refused',
    async (text, _, policyOf) => {
      expect(() => agent({ permissions: policyOf(text) })).toThrow(/can name no tool/)
      await expect(explainPermission(policyOf(text), { tool: 'bash' })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    },
  )

  test.each(texts)('%j in the layer of a run is refused before anything is stored', async (text) => {
    const careful = agent({ model: scriptedModel('never sent') })
    await expect(careful.run('Hi', { thread: 't', permissions: { [text]: 'deny' } })).rejects.toThrow(/can name no tool/)
    expect(await careful.journal.head('t')).toBeUndefined()
  })

  test('says that a bracket is missing, and where blanks belong', () => {
    expect(() => agent({ permissions: { 'bash(rm *': 'deny' } })).toThrow('the rule "bash(rm *" can name no tool. It has no bracket at its end.')
    expect(() => agent({ permissions: { 'bash rm': 'deny' } })).toThrow(/Names of tools have no blanks and no brackets/)
  })

  test.each(['bash', '*', 'mcp:files/read_*', 'naïve', 'bash(rm *)', 'bash(a (b) c)', '*(x)'])('and %j is accepted', (text) => {
    expect(() => agent({ permissions: { [text]: 'deny' } })).not.toThrow()
  })
})

describe('a policy without rules', () => {
  const act = tool({ name: 'act', run: () => 'done' })
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const verdicts = async (policy: Policy) => Promise.all([act, look].map(async (one) => (await explainPermission(policy, { tool: one })).verdict))

  test.each([
    [{ mode: 'plan', default: 'allow' }, ['deny', 'allow']],
    [{ mode: 'bypass', default: 'ask' }, ['allow', 'allow']],
    [{ mode: 'bypass' }, ['deny', 'deny']],
    [{ layers: { company: { mostMode: 'plan' } }, mode: 'bypass' }, ['deny', 'deny']],
    [{ layers: { company: { mostMode: 'default', default: 'ask' } }, mode: 'bypass' }, ['ask', 'ask']],
  ] as const)('takes its options: %j', async (policy, expected) => {
    expect(await verdicts(policy)).toEqual(expected)
  })

  test('caps the mode of a run', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'act' }, { tool: 'look' }] }, 'Done.'])
    const { steps } = await agent({ model, tools: [act, look] }).run('Go.', { permissions: { mostMode: 'plan' } })
    expect(steps[0]?.calls.map(({ status }) => status)).toEqual(['error', 'success'])
  })

  test('is a map where the names of options hold verdicts', async () => {
    const policy: Policy = { mode: 'allow', shadow: 'deny' }
    expect(
      await testPolicy(policy, [
        { tool: 'mode', expect: 'allow' },
        { tool: 'shadow', expect: 'deny' },
        { tool: 'other', expect: 'deny' },
      ]),
    ).toEqual([])
  })

  test.each([
    { mode: 'paln' },
    { mode: 'plan', defualt: 'allow' },
    { mode: 'plan', pay: 'deny' },
    { mode: 'plan', rules: {} },
    { shadow: 'yes' },
    { mostMode: 'plan' },
  ])('is refused where an option is wrong: %j', (policy) => {
    expect(() => agent({ permissions: policy as never })).toThrow(expect.objectContaining({ code: expect.stringMatching(/^LOOM_OPTION_/) }))
  })

  test('is a layer of a run as well, in words of the type', () => {
    const layers: readonly RunLayer[] = [{ mostMode: 'plan' }, { default: 'ask' }, { act: 'deny' }]
    expect(layers).toHaveLength(3)
  })
})
