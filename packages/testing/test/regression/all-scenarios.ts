/** A scenario for every kind of run. */
import { agent, answerWith, compress, content, skip, suspend, tool } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { z } from 'zod'
import { add, answering, calls, commonScenarios, look, moment, type Player, pay, runs, type Scenario } from './scenarios.ts'

type Clock = ReturnType<typeof manualClock>

/** Runs an input while the clock advances; a run that waited for a time goes on. */
const passing =
  (step: number) =>
  async (player: Player): Promise<unknown> => {
    const run = player.start('Go.', { thread: 'thread' })
    const clock = definitionOf(player).ports.clock as Clock
    for (let round = 0; round < 20; round += 1) await clock.advance(step)
    const result = await run.result()
    return result.status === 'waiting' ? player.resume('thread').result() : result
  }

const slow = (clock: Clock, ms: number) =>
  tool({ effect: 'read', run: () => new Promise((resolve) => clock.at(clock.now() + ms, () => resolve('slowly'))) })

const clocked = (): { clock: Clock; ports: { clock: Clock; development: false } } => {
  const clock = manualClock()
  return { clock, ports: { clock, development: false } }
}

const bounded: readonly Scenario[] = [
  {
    name: 'a time limit',
    says: [calls('slow'), 'never said'],
    options: () => {
      const { clock, ports } = clocked()
      return { ports, tools: { slow: slow(clock, 3_000) }, limits: { time: 2_000 } }
    },
    play: passing(500),
  },
  {
    name: 'a budget of tokens that is raised',
    says: [calls(['add', { a: 1, b: 2 }]), calls(['add', { a: 2, b: 2 }]), 'Done.'],
    options: () => ({ tools: { add }, limits: { tokens: 20 } }),
    play: (player) => answering(player, [{ answer: { kind: 'approve', limits: { tokens: 500 } } }]),
  },
  {
    name: 'a budget of money that stops the run',
    says: [calls(['add', { a: 1, b: 2 }]), calls(['add', { a: 2, b: 2 }])],
    options: () => ({ tools: { add }, limits: { cost: 25, onReached: 'stop' }, ports: { price: (_model, { input, output }) => input + output } }),
    play: runs(),
  },
  {
    name: 'a budget of money that cannot be kept, because the price ends meanwhile',
    says: [calls('look'), 'never said'],
    options: () => {
      let price: number | undefined = 1
      const look = tool({
        effect: 'read',
        run: () => {
          price = undefined
          return 'seen'
        },
      })
      return { tools: { look }, limits: { cost: 1_000 }, ports: { price: () => price } }
    },
    play: runs(),
  },
  {
    name: 'a question that expires',
    says: [calls(['pay', { sum: 1 }]), 'Not paid.'],
    options: () => ({ ports: clocked().ports, tools: { pay }, permissions: { rules: [{ tool: 'pay', verdict: 'ask', expires: 4_000 }] } }),
    play: passing(500),
  },
  {
    name: 'an unattended run',
    says: [calls(['pay', { sum: 1 }], 'ask'), 'Not paid.'],
    options: () => ({
      tools: { pay, ask: tool({ durable: true, run: async (_input, ctx) => (await ctx.ask('May I?')).kind }) },
      permissions: { pay: 'ask', ask: 'allow' },
      behaviour: { unattended: 'deny' },
    }),
    play: runs(),
  },
  {
    name: 'a tool that a run must end with',
    says: ['Done, I think.', calls('done'), 'Done.'],
    options: () => ({ tools: { done: tool({ effect: 'pure', run: () => 'ok' }) }, behaviour: { requireDone: 'done' } }),
    play: runs(),
  },
]

const worded: readonly Scenario[] = [
  {
    name: 'files that come and go',
    says: [{ reasoning: 'Hm.', text: 'Look:', calls: [{ tool: 'draw', meta: { vendor: { signature: 'abc' } } }] }, 'Done.'],
    options: () => ({
      tools: {
        draw: tool({
          effect: 'read',
          run: () =>
            content([
              { type: 'text', text: 'A picture:' },
              { type: 'image', image: Uint8Array.of(1, 2, 3), mediaType: 'image/png' },
            ]),
        }),
      },
    }),
    play: (player) =>
      player.run(
        [
          { type: 'text', text: 'Draw.' },
          { type: 'file', data: 'aGk=', mediaType: 'text/plain', name: 'a.txt' },
          { type: 'data', data: { a: 1 } },
        ],
        {
          thread: 'thread',
        },
      ),
  },
  {
    name: 'an earlier conversation',
    says: ['Yes.'],
    options: () => ({}),
    play: (player) =>
      player.run(
        [
          { role: 'user', content: 'What is 2+2?' },
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: { a: 2, b: 2 } }] },
          { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'add', output: { type: 'json', value: 4 } }] },
          { role: 'user', content: [{ type: 'text', text: 'Sure?' }] },
        ],
        { thread: 'thread' },
      ),
  },
  {
    name: 'hooks that skip, answer and suspend',
    says: [calls(['add', { a: 1, b: 2 }], ['look', { at: 'a' }], ['pay', { sum: 1 }]), 'Done.'],
    options: () => ({
      tools: { add, look, pay },
      hooks: [
        {
          name: 'gate',
          beforeToolExecution({ answer }, call) {
            if (call.tool === 'add') return skip('not now')
            if (call.tool === 'look') return answerWith({ type: 'text', value: 'seen before' })
            return answer ? undefined : suspend('Pay?')
          },
        },
      ],
    }),
    play: (player) => answering(player, [{ answer: { kind: 'approve' } }]),
  },
  {
    name: 'a strategy that cuts, and a reply that is cut',
    says: [calls(['add', { a: 1, b: 2 }]), calls(['add', { a: 2, b: 2 }]), { text: 'It is', finish: 'length' }],
    options: () => ({
      tools: { add },
      instructions: async () => moment(1).then(() => 'Be brief.'),
      context: {
        name: 'short',
        assemble: ({ frame }) =>
          frame.turn === 3
            ? {
                rebase: { reason: 'full', keepFrom: 3, lead: 'Sums were made.' },
                compressed: { from: 1, to: frame.seq - 1, summary: 'Sums were made.' },
              }
            : { ...(frame.turn === 2 && { retrieved: { query: 'sums', documents: [{ id: 'd1', text: '2+2=4' }] } }) },
      },
    }),
    play: runs(),
  },
  {
    name: 'a long result that is read again',
    says: [calls('page'), calls(['read_more', { call: '1.0', offset: 20_000, limit: 50 }]), calls(['read_more', { call: '7.0' }]), 'Done.'],
    options: () => ({
      tools: { page: tool({ effect: 'read', run: () => Array.from({ length: 5000 }, (_, line) => `Line ${line}.`).join('\n') }) },
      context: compress({ max: 100_000 }),
    }),
    play: runs(),
  },
  {
    name: 'a child that asks, and its child',
    says: [calls(['boss', { prompt: 'Pay.' }]), 'Done.'],
    options: () => {
      const clerk = agent({ name: 'clerk', model: scriptedModel([calls(['pay', { sum: 2 }]), 'Paid.']), tools: { pay }, permissions: { pay: 'ask' } })
      const boss = agent({
        name: 'boss',
        model: scriptedModel([calls(['clerk', { prompt: 'Pay.' }], ['look', { at: 'b' }]), 'It is paid.']),
        tools: { clerk, look },
      })
      return { tools: { boss } }
    },
    play: (player) => answering(player, [{ answer: { kind: 'approve' }, by: 'ann' }]),
  },
  {
    name: 'an answer for the whole thread, and several approvers',
    says: [calls(['pay', { sum: 1 }]), calls(['pay', { sum: 1 }], ['both', {}]), 'Done.'],
    options: () => ({
      tools: { pay, both: tool({ input: z.object({}), run: () => 'both' }) },
      permissions: {
        rules: [
          { tool: 'pay', verdict: 'ask' },
          { tool: 'both', verdict: 'ask', approvers: 2 },
        ],
      },
    }),
    play: (player) =>
      answering(player, [
        { answer: { kind: 'approve', scope: 'thread' } },
        { answer: { kind: 'approve' }, by: 'ann' },
        { answer: { kind: 'approve' }, by: 'bob' },
      ]),
  },
]

/** A plain function is a tool, too. */
async function greet({ name }: { name?: string }): Promise<string> {
  return `Hello ${name ?? 'you'}`
}

const odd: readonly Scenario[] = [
  {
    name: 'replies with everything in them',
    says: [
      {
        text: 'See:',
        calls: [{ tool: 'greet', input: { name: 'Ann' } }],
        parts: [
          { type: 'response-metadata', modelId: 'another' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
          { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://example.com/a.png') } },
          { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com' },
          { type: 'reasoning-start', id: 'r', providerMetadata: { vendor: { signature: 'xyz' } } },
          { type: 'reasoning-end', id: 'r' },
        ],
      },
      { text: 'Done.', usage: { input: 100, output: 7, cacheRead: 60 } },
    ],
    options: () => ({ tools: [greet, tool({ name: 'other', run: () => new Error('not this one') })] }),
    play: runs(),
  },
  {
    name: 'tools that are made for the run, and a handler that answers at once',
    says: [calls(['pay', { sum: 1 }], 'wrong'), 'Done.'],
    options: () => ({
      tools: ({ frame }) => ({ pay, wrong: tool({ effect: 'read', run: () => new Error(`not in ${frame.runs} runs`) }) }),
      permissions: { rules: [{ tool: 'pay', verdict: 'ask' }], default: 'allow' },
      behaviour: { unattended: 'deny' },
      onQuestion: () => ({ answer: { kind: 'approve' }, by: 'ann' }),
    }),
    play: runs(),
  },
  {
    name: 'a slow tool',
    says: [calls('slow'), 'Done.'],
    options: () => {
      const clock = manualClock()
      const run = (): Promise<string> => new Promise((resolve) => void clock.at(clock.now() + 3000, () => resolve('slowly')))
      return { tools: { slow: tool({ name: 'slow', effect: 'read', run }) }, ports: { clock } }
    },
    async play(player) {
      const clock = definitionOf(player).ports.clock as ReturnType<typeof manualClock>
      const run = player.start('Go.', { thread: 'thread' })
      for (let round = 0; round < 5; round += 1) await clock.advance(1000)
      return run.result()
    },
  },
  {
    name: 'an earlier conversation with files and failures',
    says: ['Yes.'],
    options: () => ({}),
    play: (player) =>
      player.run(
        [
          { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png') }] },
          {
            role: 'assistant',
            content: ['c1', 'c2', 'c3', 'c4'].map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'draw', input: {} })),
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: 'c1', toolName: 'draw', output: { type: 'error-text', value: 'no' } },
              { type: 'tool-result', toolCallId: 'c2', toolName: 'draw', output: { type: 'execution-denied', reason: 'no' } },
              { type: 'tool-result', toolCallId: 'c3', toolName: 'draw', output: { type: 'content', value: [{ type: 'text', text: 'a' }] } },
              { type: 'tool-result', toolCallId: 'c4', toolName: 'draw', output: { type: 'text', value: 'b' } },
            ],
          },
          { role: 'user', content: 'Sure?' },
        ],
        { thread: 'thread' },
      ),
  },
]

/** All scenarios. */
export const scenarios: readonly Scenario[] = [...commonScenarios, ...bounded, ...worded, ...odd]
