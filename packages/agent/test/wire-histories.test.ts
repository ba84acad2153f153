/** Generated histories: whatever models say and whichever model goes on, every request is one that its vendor takes. */
import { type AgentOptions, agent, approve, reject, tool, type UserMessages } from '@loom-agent/agent'
import { type Wire, type WireReply, wireServer, wires } from '@loom-agent/harness/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { modelOn } from '../../harness/test/wire/providers.ts'

const either = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b'), y: z.string() })])
const tools = {
  add: tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b }),
  either: tool({ name: 'either', input: either, effect: 'read', run: (input) => [input] }),
  asks: tool({ name: 'asks', input: z.object({}), permission: 'ask', run: () => '' }),
  fails: tool({
    name: 'fails',
    effect: 'pure',
    run: () => {
      throw new Error('')
    },
  }),
}

const word = fc.constantFrom('yes ', 'no ', ' ', '\n', '🤔 ', 'well ')
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const call = fc.record(
  {
    tool: fc.constantFrom('add', 'either', 'asks', 'fails', 'unheard_of', 'functions.add', '9 lives', 'x'.repeat(80)),
    input: fc.constantFrom<unknown>({ a: 1, b: 2 }, { value: { kind: 'b', y: 'z' } }, { kind: 'a' }, {}, '{"a": 1', '[1]', 'null', '"text"'),
    id: fc.constantFrom('call_same', 'functions.add:0', 'c'.repeat(64), 'ü'),
  },
  { requiredKeys: ['tool', 'input'] },
)
const reply: fc.Arbitrary<WireReply> = fc.record(
  {
    reasoning: words,
    text: words,
    calls: fc.array(call, { maxLength: 3 }),
    finish: fc.constantFrom('length' as const, 'content-filter' as const),
    fault: fc.constantFrom({ kind: 'status', status: 503 } as const, { kind: 'cut', after: 4 } as const, { kind: 'error', after: 3 } as const),
  },
  { requiredKeys: [] },
)

const user = fc.constantFrom(
  { role: 'user', content: 'and?' },
  {
    role: 'user',
    content: [
      { type: 'text', text: ' ' },
      { type: 'text', text: 'so' },
    ],
  },
)
const imported = fc.array(
  fc.oneof(
    user,
    fc.constantFrom<object>(
      { role: 'system', content: 'Mind the gap.' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_same', toolName: 'add', input: { a: 1, b: 1 } }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { xai: { itemId: 'rs_9' } } },
          { type: 'tool-call', toolCallId: 'a.b', toolName: 'no such', input: {} },
        ],
      },
    ),
  ),
  { maxLength: 4 },
)

interface Segment {
  readonly wire: Wire
  readonly before: readonly object[]
  readonly replies: readonly WireReply[]
  readonly how: 'run' | 'resume'
}

const segment: fc.Arbitrary<Segment> = fc.record({
  wire: fc.constantFrom(...wires),
  before: imported,
  replies: fc.array(reply, { maxLength: 3 }),
  how: fc.constantFrom('run' as const, 'resume' as const),
})

const settings: readonly NonNullable<AgentOptions['settings']>[] = [
  { maxOutputTokens: 4000 },
  { maxOutputTokens: 4000, providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1500 } } } },
  { maxOutputTokens: 4000, reasoning: 'high' },
  { maxOutputTokens: 4000, providerOptions: { openai: { store: false } } },
]

/** Lives a thread through and gives back what vendors complained about. A model that thinks says so with every call. */
async function complaintsOf(segments: readonly Segment[], setting: number, isBrief: boolean): Promise<readonly unknown[]> {
  const script: WireReply[] = []
  const server = await wireServer({ reply: () => script.shift() ?? { text: 'done' } })
  const worker = agent({
    instructions: 'Be exact.',
    model: modelOn('anthropic', server),
    tools,
    settings: settings[setting] ?? {},
    behaviour: { attempts: 2 },
    limits: { turns: 6, ...(isBrief && { tokens: 60 }) },
    ports: { random: () => 0 },
    onQuestion: ({ id }) => (id.length % 2 === 0 ? approve() : reject('no')),
  })
  for (const { wire, before, replies, how } of segments) {
    script.splice(0, script.length, ...replies.map((said) => ({ ...said, ...(said.calls && { reasoning: said.reasoning ?? 'hm' }) })))
    const model = modelOn(wire, server)
    if (how === 'resume')
      await worker
        .resume('t', { model })
        .result()
        .catch(() => {})
    await worker.run([...before, { role: 'user', content: 'Go on.' }] as UserMessages, { thread: 't', model })
  }
  await server.close()
  return server.requests.flatMap(({ number, wire, problems }) => problems.map(({ rule, message }) => [number, wire, rule, message]))
}

describe('no vendor refuses anything', () => {
  test('in threads that wander from vendor to vendor', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.nat({ max: settings.length - 1 }), fc.boolean(), async (...given) => {
        expect(await complaintsOf(...given)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
