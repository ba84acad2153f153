/** A history with the events that no scenario of a plain agent brings: they are written by strategies, forks, memories and drivers that were lost. */
import { type Draft, encodeBatch } from '@loom-agent/kernel'
import type { GoldenBatch } from './golden-history.ts'

const failure = { code: 'LOOM_COMPRESSION_FAILED', message: 'no summary', recoverable: true }
const request = {
  input: [{ role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
  model: 'test/model',
  limits: {},
  agent: { name: 'a', fingerprint: 'f1' },
} as const
const call = { type: 'call', id: 'c1', name: 'pay', input: { sum: 5 }, serial: true } as const

const rare: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', labels: { tenant: 'x' } } },
    { type: 'thread.forked', data: { from: 'other@7', edits: [{ kind: 'input' }] } },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'turn.entered', data: { turn: 1 } },
    { type: 'retrieval.finished', data: { query: 'pay', documents: [{ id: 'd1', title: 'Paying', score: 0.9, text: 'How to pay.' }] } },
    { type: 'context.compression-failed', data: { error: failure } },
    { type: 'context.compressed', data: { from: 1, to: 3, summary: 'Somebody said go.', tokensBefore: 100, tokensAfter: 10 } },
    {
      type: 'context.assembled',
      data: {
        rebase: {
          reason: 'start',
          system: 'Be exact.',
          tools: [{ name: 'pay', schema: { type: 'object' } }],
          segments: [{ to: 0, as: 'summary', text: 'Before: go.' }],
        },
      },
    },
    { type: 'model.requested', data: { attempt: 1, digest: 'abc', reserved: { tokens: 100 } } },
  ],
  [
    {
      type: 'model.replied',
      data: {
        parts: [{ type: 'reasoning', text: 'Hm.', meta: { vendor: { signature: 's' } } }, call],
        usage: { input: 9, output: 3, cacheRead: 2 },
        cost: 12,
        finish: 'tool-calls',
      },
    },
    { type: 'tool.started', data: { call: '1.0', effect: 'unsafe', allowedBy: 'pay' } },
  ],
  [{ type: 'memory.recorded', data: { key: 'likes', value: 'tea' } }],
  [
    { type: 'driver.acquired', data: { epoch: 2, worker: 'w2' } },
    { type: 'agent.upgraded', data: { from: 'f1', to: 'f2' } },
    { type: 'tool.in-doubt', data: { call: '1.0' } },
    { type: 'question.asked', data: { id: '1.0#1', kind: 'in-doubt', call: '1.0', prompt: 'Did it happen?' } },
    { type: 'run.suspended', data: { reason: 'question' } },
  ],
]

/** A thread that another agent adopts while it has a run. */
const adoption: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [{ type: 'thread.adopted', data: { agent: 'b', from: 'a' } }],
]

/** A thread whose labels are set and removed. */
const labels: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare', labels: { tenant: 'x', urgent: true } } },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [{ type: 'labels.changed', data: { labels: { team: 'billing', urgent: null } } }],
]

/** A run that is stopped in the middle of a reply whose deltas are recorded; the stop keeps the text that was shown. */
const stopped: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'turn.entered', data: { turn: 1 } },
    { type: 'context.assembled', data: { rebase: { reason: 'start', system: 'Be exact.', tools: [] } } },
    { type: 'model.requested', data: { attempt: 1, digest: 'abc' } },
  ],
  [{ type: 'run.stop-requested', data: { reason: 'enough' } }],
  [
    {
      type: 'model.streamed',
      data: {
        attempt: 1,
        deltas: [
          { type: 'reasoning-delta', text: 'Hm.', ms: 40 },
          { type: 'text-delta', text: 'Half of ', ms: 120 },
        ],
      },
    },
    { type: 'model.failed', data: { attempt: 1, error: { code: 'LOOM_ABORTED', message: 'aborted', recoverable: false }, partial: 'Half of ' } },
    { type: 'run.stopped', data: { kind: 'cancelled', reason: 'enough', partial: true } },
  ],
]

/** A thread whose context is made shorter on demand, with every kind of segment, and with an item. */
const shortened: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    { type: 'run.started', data: { run: 'r1', request: { ...request, input: [...request.input, ...request.input, ...request.input], pin: true } } },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'turn.entered', data: { turn: 1 } },
  ],
  [{ type: 'context.compact-requested', data: { by: 'ann' } }],
  [
    {
      type: 'context.compressed',
      data: { from: 1, to: 2, summary: 'Go was said.', by: 'model', model: 'm', usage: { input: 9, output: 3 }, cost: 4 },
    },
    {
      type: 'context.assembled',
      data: {
        rebase: {
          reason: 'compact',
          system: 'Be exact.',
          tools: [],
          segments: [
            { to: 1, as: 'dropped', rule: 'old', reason: 'It is old.' },
            { to: 2, as: 'summary', summary: 0 },
            { to: 3, as: 'kept', trims: [{ rule: 'long', tools: ['read'], over: 100, head: 40, tail: 40 }] },
          ],
          budget: { max: 1000, before: 1200, after: 600, window: 2000 },
        },
        items: [{ kind: 'reminder', id: 'todo', origin: 'loom', text: 'Two tasks are open.', priority: 50 }],
      },
    },
    { type: 'model.requested', data: { attempt: 1, digest: 'abc' } },
  ],
]

/** A thread whose system text has layers, of which one changes. */
const layered: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'turn.entered', data: { turn: 1 } },
  ],
  [
    {
      type: 'context.assembled',
      data: {
        rebase: {
          reason: 'start',
          system: 'Be exact.\n\nHurry.',
          tools: [],
          layers: [
            { to: 9, name: 'instructions', origin: 'agent' },
            { to: 17, name: 'rules', origin: 'agent' },
          ],
        },
        items: [{ kind: 'skill', id: 'refunds', origin: 'skill', text: '[Skill refunds]', trust: 'untrusted' }],
      },
    },
    { type: 'model.requested', data: { attempt: 1, digest: 'abc' } },
  ],
]

const kept = { $blob: 'b'.repeat(64), bytes: 5 }
const change = { path: 'src/a.ts', before: 'a'.repeat(64), after: kept.$blob, modes: [0o644, 0o755] } as const

/** A fork that puts files back, and whose calls change some: one in a step, one found by a scan, one in the background. */
const files: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    { type: 'thread.forked', data: { from: 'other@7', incarnation: 'rare' } },
    {
      type: 'workspace.restore-started',
      data: {
        at: 'other@7',
        from: 'other@20',
        files: [change],
        contents: [kept],
        conflicts: [{ path: 'b.ts', reason: 'edited', wanted: null, found: 'c' }],
      },
    },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'workspace.restored', data: { files: [change], conflicts: [{ path: 'b.ts', reason: 'edited', wanted: null, found: 'c' }] } },
    { type: 'turn.entered', data: { turn: 1 } },
    { type: 'context.assembled', data: { rebase: { reason: 'start', system: 'Be exact.', tools: [] } } },
    { type: 'model.requested', data: { attempt: 1 } },
  ],
  [
    { type: 'model.replied', data: { parts: [call], usage: { input: 1, output: 1 }, finish: 'tool-calls' } },
    { type: 'tool.started', data: { call: '1.0', effect: 'idempotent', durable: true } },
    { type: 'tool.step-started', data: { call: '1.0', key: 'step:apply:1', effect: 'idempotent', files: [change], contents: [kept] } },
    { type: 'tool.step-finished', data: { call: '1.0', key: 'step:apply:1' } },
    {
      type: 'tool.finished',
      data: {
        call: '1.0',
        status: 'success',
        output: { type: 'text', value: 'ok' },
        files: [change],
        contents: [kept],
        unseen: 'big.bin is too big',
      },
    },
  ],
  [{ type: 'workspace.changed', data: { by: 'job:1', files: [{ path: 'out.txt', before: null, after: 'd', workspace: 'other' }] } }],
]

/** A run with a layer of permissions, whose request lists tools that are shown when a result refers to them. */
const searched: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    {
      type: 'run.started',
      data: { run: 'r1', request: { ...request, permissions: { rules: [{ tool: 'write_*', verdict: 'ask' }], default: 'deny' } } },
    },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'turn.entered', data: { turn: 1 } },
  ],
  [
    {
      type: 'context.assembled',
      data: {
        rebase: {
          reason: 'start',
          system: 'Be exact.',
          tools: [
            { name: 'tool_search', schema: { type: 'object' } },
            { name: 'pay', schema: { type: 'object' }, deferred: true },
          ],
        },
      },
    },
    { type: 'model.requested', data: { attempt: 1, digest: 'abc' } },
  ],
]

/** A message that is pinned reaches the model with the next turn. */
const steered: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'turn.entered', data: { turn: 1 } },
    { type: 'context.assembled', data: { rebase: { reason: 'start', system: 'Be exact.', tools: [] } } },
    { type: 'model.requested', data: { attempt: 1, digest: 'abc' } },
  ],
  [
    ...request.input.map((message): Draft => ({ type: 'message.steered', data: { message, pin: true } })),
    { type: 'model.replied', data: { parts: [{ type: 'text', text: 'Yes.' }], usage: { input: 9, output: 3 }, finish: 'stop' } },
    { type: 'turn.entered', data: { turn: 2 } },
  ],
]

/** Events in the versions before inputs and calls could name what taints them: a queued run, a call that was judged by other arguments, and its child. */
const untainted: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'a', incarnation: 'rare' } },
    { type: 'run.started', data: { run: 'r1', request } },
  ],
  [
    { type: 'driver.acquired', data: { epoch: 1, worker: 'w1' } },
    { type: 'turn.entered', data: { turn: 1 } },
  ],
  [
    { type: 'run.queued', data: { run: 'r2', request: { ...request, pin: true } } },
    { type: 'context.assembled', data: { rebase: { reason: 'start', system: 'Be exact.', tools: [] } } },
    { type: 'model.requested', data: { attempt: 1, digest: 'abc' } },
  ],
  [
    { type: 'model.replied', data: { parts: [call], usage: { input: 9, output: 3 }, cost: 12, finish: 'tool-calls' } },
    { type: 'question.asked', data: { id: '1.0#1', kind: 'approval', call: '1.0', prompt: 'May pay run?', digest: 'd', above: 1 } },
    { type: 'question.answered', data: { id: '1.0#1', answer: { kind: 'approve' }, by: 'ann', recorded: 'other@9' } },
    { type: 'tool.started', data: { call: '1.0', effect: 'unsafe', durable: true, digest: 'd', judged: { sum: 5, currency: 'EUR' } } },
    { type: 'child.started', data: { call: '1.0', key: 'run:b:1', child: 'rare~1', agent: 'b', input: 'i', hasResolver: false } },
    { type: 'child.finished', data: { call: '1.0', key: 'run:b:1', child: 'rare~1', value: { text: 'paid' }, calls: 2, children: 1 } },
    { type: 'message.steered', data: { message: request.input[0], start: { id: 's1', digest: 'i' } } },
    { type: 'tool.finished', data: { call: '1.0', status: 'success', output: { type: 'text', value: 'paid' }, meta: { untrusted: true } } },
  ],
]

/** A schedule that is set, comes due, and is changed; and the position of a webhook. */
const schedule = {
  name: 'daily',
  agent: 'a',
  start: { input: 'Go.', thread: 't', whenBusy: 'reject' },
  missed: 'once',
  most: 1,
  grace: 60_000,
} as const
const scheduled: readonly (readonly Draft[])[] = [
  [
    { type: 'thread.started', data: { agent: 'loom:schedules', incarnation: 'rare' } },
    { type: 'schedule.set', data: { ...schedule, timing: { cron: '0 8 * * *', zone: 'Europe/Berlin' }, from: 1000, by: 'ann', wakeAt: 2000 } },
  ],
  [{ type: 'schedule.due', data: { set: 2, to: 9000, starts: [8000, 9000], skipped: { from: 2000, to: 7000 }, wakeAt: 9000 } }],
  [{ type: 'schedule.set', data: { ...schedule, timing: { interval: 1000, from: 0, until: 5000 }, from: 9500, paused: true, wakeAt: 9000 } }],
  [
    {
      type: 'schedule.started',
      data: {
        runs: [
          { time: 8000, thread: 't', run: 'r1' },
          { time: 9000, error: { code: 'LOOM_THREAD_BUSY', message: 'It is busy.' } },
        ],
      },
    },
  ],
  [{ type: 'schedule.set', data: { ...schedule, timing: { at: 99_000 }, from: 10_000, wakeAt: 99_000 } }],
  [
    { type: 'webhook.moved', data: { cursor: '12', delivered: 3, stale: true } },
    { type: 'webhook.moved', data: { cursor: '19', delivered: 0, dropped: [{ id: 'd', thread: 't', seq: 4, attempts: 3, problem: '410' }] } },
  ],
]

/** The histories by name, batch by batch. */
export function rareHistories(): Readonly<Record<string, readonly GoldenBatch[]>> {
  return {
    'events that no scenario has': historyOf(rare),
    'no scenario adopts a thread': historyOf(adoption),
    'labels that change, in no scenario': historyOf(labels),
    'a stop that keeps the text': historyOf(stopped),
    'a context made shorter': historyOf(shortened),
    'a system text of layers': historyOf(layered),
    'no scenario puts files back': historyOf(files),
    'tools that are deferred': historyOf(searched),
    'what came before taint, in no scenario': historyOf(untainted),
    'a steered message that is pinned': historyOf(steered),
    'a schedule, and where a webhook is': historyOf(scheduled, { hasRun: false }),
  }
}
function historyOf(batches: readonly (readonly Draft[])[], { hasRun } = { hasRun: true }): readonly GoldenBatch[] {
  let seq = 0
  return batches.map((events, index) => {
    const first = seq + 1
    const line = encodeBatch({
      id: `b${index}`,
      incarnation: 'rare',
      expected: seq,
      time: 1_000 + index,
      events,
      summary: { status: 'running' },
      ...(hasRun && index > 0 && { run: 'r1' }),
      ...(hasRun && index > 1 && { turn: 1 }),
    })
    seq += events.length
    return { thread: 'rare', first, line }
  })
}
