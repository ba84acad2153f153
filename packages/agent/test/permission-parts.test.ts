/** Rules that name what a call asks for, layers of policies, and modes. */
import { agent, type CallMatcher, type CallPart, explainPermission, type Mode, type Policy, type Rule, tool, type Verdict } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { strictest } from './verdicts.ts'

/** A list of words, each of which is a part. A word with ? cannot be told; words that begin with edit: are edits, those with boxed: run in a sandbox. */
const words: CallMatcher<{ words: string }, CallPart> = {
  parts: ({ words: given }) =>
    given
      .split(' ')
      .map((text) => ({ text, ...(text.startsWith('edit:') && { isEdit: true }), ...(text.startsWith('boxed:') && { isSandboxed: true }) })),
  compile: (pattern) => {
    if (pattern === '') throw new Error('an empty pattern names nothing.')
    const names = ({ text }: CallPart): boolean =>
      !text.includes('?') && (pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern)
    return { names, mayMean: (part) => part.text.includes('?') || names(part) }
  },
}

const verdictOn = async (policy: Policy, given: string, permission?: Verdict): Promise<Verdict> =>
  (await explainPermission(policy, { tool: 'say', input: { words: given }, matcher: words, ...(permission && { permission }) })).verdict

describe('rules that name what a call asks for', () => {
  const policy: Policy = { 'say(hello*)': 'allow', 'say(secret)': 'deny', 'say(price)': 'ask', default: 'ask' }

  test.each([
    ['hello', 'allow'],
    ['hello helloes', 'allow'],
    ['hello other', 'ask'],
    ['hello secret', 'deny'],
    ['secret hello', 'deny'],
    ['price', 'ask'],
    ['hello ?', 'deny'],
  ] as const)('judge each part of %j by itself: the strictest verdict counts (PERM-16)', async (given, verdict) => {
    expect(await verdictOn(policy, given)).toBe(verdict)
  })

  test('name the rules that decided, each once', async () => {
    const judged = await explainPermission(policy, { tool: 'say', input: { words: 'hello hello' }, matcher: words })
    expect(judged).toEqual({ verdict: 'allow', decidedBy: ['say(hello*)'] })
  })

  test('are refused when the agent is made, where the tool has no matcher or the pattern can match nothing', () => {
    const say = tool({ name: 'say', input: z.object({ words: z.string() }), run: () => 1 })
    expect(() => agent({ tools: [say], permissions: { 'say(x)': 'allow' } })).toThrow(
      /the rule say\(x\) says what say may be called for, and that tool has no matcher/,
    )
    const matched = tool({ name: 'say', input: z.object({ words: z.string() }), matcher: words, run: () => 1 })
    expect(() => agent({ tools: [matched], permissions: { 'say()': 'deny' } })).toThrow(/cannot match a call of say: an empty pattern names nothing/)
    expect(() => tool({ name: 'say', matcher: {} as never, run: () => 1 })).toThrow(/matcher is \{\}.*parts\(input\), compile\(pattern\)/)
  })

  test('fail closed on calls that cannot be taken apart (PERM-6)', async () => {
    const broken = { ...words, parts: () => Promise.reject(new Error('no')) }
    const untold = { tool: 'say', input: { words: 'hello' } }
    expect(await explainPermission({ 'say(hello)': 'allow', default: 'ask' }, { ...untold, matcher: broken })).toMatchObject({
      verdict: 'deny',
      reason: 'what it asks for cannot be told: no',
    })
    expect((await explainPermission({ 'say(hello)': 'allow', default: 'ask' }, untold)).verdict).toBe('ask')
    expect((await explainPermission({ 'say(hello)': 'deny', default: 'allow' }, untold)).verdict).toBe('deny')
    const many = { ...words, parts: () => Array.from({ length: 1001 }, () => ({ text: 'hello' })) }
    expect((await explainPermission({ 'say(hello)': 'allow' }, { ...untold, matcher: many })).verdict).toBe('deny')
  })

  test('govern real calls, also where the parts are promised', async () => {
    const said: string[] = []
    const say = tool({
      name: 'say',
      input: z.object({ words: z.string() }),
      matcher: { ...words, parts: async (input) => words.parts(input) },
      run: ({ words: given }) => said.push(given),
    })
    const model = scriptedModel([{ calls: ['hello', 'hello secret', 'hello'].map((given) => ({ tool: 'say', input: { words: given } })) }, 'Done.'])
    await agent({ model, tools: [say], permissions: policy }).run('go')
    expect(said).toEqual(['hello', 'hello'])
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('say is not permitted (say(secret))')
  })
})

describe('rules by the other name of a tool', () => {
  const close = (ruleName: string) =>
    tool({ name: 'close_issue', ruleName, input: z.object({ words: z.string() }), matcher: words, run: () => 'closed' })
  const resultWith = async (permissions: Policy, ruleName = 'mcp:tracker/close'): Promise<string> => {
    const model = scriptedModel([{ calls: [{ tool: 'close_issue', input: { words: 'hello' } }] }, 'Done.'])
    const { status } = await agent({ model, tools: [close(ruleName)], permissions }).run('go')
    return status === 'waiting' ? 'asked' : JSON.stringify(model.requests[1]?.prompt).includes('is not permitted') ? 'denied' : 'ran'
  }

  test.each([
    [{ 'mcp:tracker/close': 'allow', default: 'deny' }, 'ran'],
    [{ 'mcp:tracker/*': 'ask', default: 'allow' }, 'asked'],
    [{ 'mcp:tracker/close': 'deny', close_issue: 'allow' }, 'denied'],
    [{ 'mcp:other/*': 'allow', default: 'deny' }, 'denied'],
    [{ 'mcp:tracker/close(hello)': 'allow', default: 'deny' }, 'ran'],
    [{ close_issue: 'allow', default: 'deny' }, 'ran'],
  ] as const)('count beside those by its name: %j', async (permissions, outcome) => {
    expect(await resultWith(permissions)).toBe(outcome)
  })

  test('are not remembered for a tool of the same name with another one', async () => {
    let ruleName = 'mcp:tracker/close'
    const call = { calls: [{ tool: 'close_issue', input: { words: 'hello' } }] }
    const model = scriptedModel([call, 'Done.', call, 'Done.'])
    const closer = agent({ model, tools: () => [close(ruleName)], permissions: { 'mcp:tracker/*': 'allow', default: 'deny' } })
    await closer.run('go')
    ruleName = 'mcp:stranger/close'
    await closer.run('go')
    expect(JSON.stringify(model.requests[1]?.prompt)).not.toContain('is not permitted')
    expect(JSON.stringify(model.requests[3]?.prompt)).toContain('close_issue is not permitted (default)')
  })

  test('are refused where the name could be read as a pattern', () => {
    for (const name of ['', 'mcp:*', 'mcp:a(b)', 'mcp:a b']) expect(() => close(name)).toThrow(/ruleName is .*a name without \*, brackets and spaces/)
  })

  test('are explained without a run', async () => {
    const judged = await explainPermission({ 'mcp:tracker/*': 'allow' }, { tool: 'close_issue', ruleName: 'mcp:tracker/close' })
    expect(judged).toEqual({ verdict: 'allow', decidedBy: ['mcp:tracker/*'] })
  })
})

describe('examples of a rule', () => {
  const say = tool({ name: 'say', input: z.object({ words: z.string() }), matcher: words, run: () => 1 })
  const made = (rule: Rule): unknown => agent({ tools: [say], permissions: { rules: [rule] } })

  test('are checked when the agent is made', () => {
    expect(() =>
      made({ tool: 'say(hello*)', verdict: 'allow', examples: { meets: [{ words: 'hello helloes' }], others: [{ words: 'hello x' }] } }),
    ).not.toThrow()
    expect(() => made({ tool: 'say(hello)', verdict: 'allow', examples: { meets: [{ words: 'hello x' }] } })).toThrow(
      /the rule rules\[0\] say\(hello\) does not meet \{"words":"hello x"\}, which is one of its examples/,
    )
    expect(() => made({ tool: 'say(hello)', verdict: 'deny', examples: { others: [{ words: 'x hello' }] } })).toThrow(/meets \{"words":"x hello"\}/)
    expect(() => made({ tool: 'say(x)', verdict: 'allow', when: () => true, examples: {} })).toThrow(/only a rule about arguments can, without when/)
    expect(() => made({ tool: 'say', verdict: 'allow', examples: {} })).toThrow(/only a rule about arguments can, without when/)
  })

  test('are checked for patterns of arguments, too', () => {
    const rule = { tool: 'say', input: { words: 'hello*' } }
    expect(() => made({ ...rule, verdict: 'allow', examples: { meets: [{ words: 'hello you' }], others: [{ words: 'you' }, {}] } })).not.toThrow()
    expect(() => made({ ...rule, verdict: 'allow', examples: { meets: [{ words: 'you' }] } })).toThrow(/does not meet \{"words":"you"\}/)
    expect(() => made({ ...rule, verdict: 'deny', examples: { others: [{ words: ['hello'] }] } })).toThrow(/meets \{"words":\["hello"\]\}/)
    const both = { tool: 'say(hello)', input: { words: '* hello' }, verdict: 'deny' as const }
    expect(() => made({ ...both, examples: { meets: [{ words: 'x hello' }], others: [{ words: 'hello x' }] } })).not.toThrow()
  })

  test('that cannot be taken apart are refused', () => {
    expect(() => made({ tool: 'say(hello)', verdict: 'allow', examples: { meets: [{}] } })).toThrow(
      /has the example \{\}, which cannot be taken apart/,
    )
  })
})

describe('layers', () => {
  test('only make verdicts stricter; a layer without a default leaves the rest to the others', async () => {
    const layers: Policy = {
      layers: { company: { 'say(secret)': 'deny' }, user: { say: 'allow', default: 'ask' }, project: { rules: [], default: 'ask' } },
    }
    expect(await verdictOn(layers, 'secret')).toBe('deny')
    expect(await verdictOn({ layers: { company: { 'say(secret)': 'deny' }, user: { say: 'allow' } } }, 'hello')).toBe('allow')
    expect(await explainPermission(layers, { tool: 'say', input: { words: 'hello' }, matcher: words })).toEqual({
      verdict: 'ask',
      decidedBy: ['default of project'],
    })
    expect(await verdictOn({ layers: { company: { other: 'allow' } } }, 'hello')).toBe('deny')
    expect(await verdictOn({ layers: { company: { other: 'allow' } } }, 'hello', 'ask')).toBe('ask')
  })

  test('name the layer in what decided, and refuse what is no layer', async () => {
    const judged = await explainPermission({ layers: { company: { rules: [{ tool: 'say', verdict: 'deny' }] } } }, { tool: 'say' })
    expect(judged.decidedBy).toEqual(['company rules[0] say'])
    expect(() => agent({ permissions: { layers: { company: 'deny' } } as never })).toThrow(/permissions\.layers\.company is "deny"/)
    expect(() => agent({ permissions: { layers: { company: { say: 'maybe' } } } as never })).toThrow(
      /permissions\.layers\.company\.rules\[0\].*verdict/,
    )
  })

  test('never loosen each other, whatever they hold (PERM-19)', async () => {
    const verdict = fc.constantFrom<Verdict>('allow', 'ask', 'deny')
    const name = fc.constantFrom('say', 'say(hello)', 'say(secret)', 's*', 'other')
    const rules = fc.array(fc.record({ tool: name, verdict }), { maxLength: 3 })
    const given = fc.record({ rules, default: verdict })
    const further = fc.oneof(given, fc.record({ rules }))
    const said = fc.constantFrom('hello', 'secret', 'hello secret', '?')
    await fc.assert(
      fc.asyncProperty(given, further, said, async (one, other, text) => {
        const alone = await verdictOn({ layers: { one } }, text)
        const both = await verdictOn({ layers: { one, other } }, text)
        expect(strictest([alone, both])).toBe(both)
      }),
      { numRuns: 300 },
    )
  })
})

describe('modes', () => {
  const inMode = (mode: Mode, rest: object = {}): Policy => ({ rules: [], default: 'ask', mode, ...rest })

  test.each([
    ['default', 'ask', 'ask', 'ask'],
    ['accept-edits', 'ask', 'allow', 'ask'],
    ['auto', 'ask', 'allow', 'allow'],
    ['bypass', 'allow', 'allow', 'allow'],
    ['plan', 'deny', 'deny', 'deny'],
  ] as const)('%s settles what the default asks: %s, of edits %s, and of what runs in a sandbox %s', async (mode, other, edits, boxed) => {
    expect(await verdictOn(inMode(mode), 'hello')).toBe(other)
    expect(await verdictOn(inMode(mode), 'edit:a edit:b')).toBe(edits)
    expect(await verdictOn(inMode(mode), 'boxed:a boxed:b')).toBe(boxed)
    expect(await verdictOn(inMode(mode), 'hello', 'ask')).toBe(other)
  })

  test('accept-edits asks about a call that does more than edit', async () => {
    expect(await verdictOn(inMode('accept-edits'), 'edit:a hello')).toBe('ask')
    expect(await verdictOn(inMode('auto'), 'boxed:a edit:a')).toBe('allow')
    expect(await verdictOn(inMode('auto'), 'boxed:a hello')).toBe('ask')
  })

  test('plan lets what only reads run, and denies the rest, whatever the rules allow (PERM-17)', async () => {
    const policy = inMode('plan', { rules: [{ tool: '*', verdict: 'allow' }] })
    expect((await explainPermission(policy, { tool: 'look', effect: 'read' })).verdict).toBe('allow')
    expect(await explainPermission(policy, { tool: 'say', effect: 'unsafe' })).toEqual({ verdict: 'deny', decidedBy: ['plan mode'] })
  })

  test('and a policy that only watches says so, whatever it says', async () => {
    for (const mode of ['plan', 'default'] as const) {
      const policy = inMode(mode, { shadow: true })
      expect(await explainPermission(policy, { tool: 'say', input: { words: 'x' }, matcher: words })).toMatchObject({ shadow: true })
    }
    const broken = { ...words, parts: () => Promise.reject(new Error('no')) }
    const watching = { rules: [{ tool: 'say(x)', verdict: 'deny' as const }], shadow: true }
    expect(await explainPermission(watching, { tool: 'say', matcher: broken })).toMatchObject({ verdict: 'deny', shadow: true })
  })

  test('never loosen a rule (PERM-17)', async () => {
    for (const mode of ['default', 'accept-edits', 'auto', 'bypass'] as const) {
      expect(await verdictOn(inMode(mode, { rules: [{ tool: 'say(edit:a)', verdict: 'ask' }] }), 'edit:a')).toBe('ask')
      expect(await verdictOn(inMode(mode, { rules: [{ tool: 'say', verdict: 'deny' }] }), 'edit:a')).toBe('deny')
    }
  })

  test('are capped by each layer', async () => {
    const capped: Policy = { mode: 'bypass', layers: { company: { rules: [], mostMode: 'accept-edits' }, user: { rules: [], default: 'ask' } } }
    expect([await verdictOn(capped, 'hello'), await verdictOn(capped, 'edit:a')]).toEqual(['ask', 'allow'])
  })

  test('leave the least verdict of a tool in force, which only a rule that names the part loosens (PERM-18)', async () => {
    const said: string[] = []
    const say = tool({
      name: 'say',
      input: z.object({ words: z.string() }),
      matcher: words,
      permission: ({ words: given }) => ({ atLeast: given.includes('key') ? 'ask' : 'allow', reason: 'it is protected' }),
      run: ({ words: given }) => said.push(given),
    })
    const runWith = async (permissions: Policy): Promise<unknown> => {
      const model = scriptedModel([{ calls: [{ tool: 'say', input: { words: 'key' } }] }, 'Done.'])
      const { status, questions } = await agent({ model, tools: [say], permissions }).run('go')
      return status === 'waiting' ? questions[0]?.prompt : status
    }
    const prompt = 'May say run with these arguments? (it is protected)'
    expect(await runWith(inMode('bypass'))).toBe(prompt)
    expect(await runWith({ say: 'allow' })).toBe(prompt)
    expect(await runWith({ 'say(key)': 'allow' })).toBe('done')
    expect(said).toEqual(['key'])
  })
})
