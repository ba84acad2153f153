/** Rewinds, comparisons, file changes, payloads, replays under another context and tools tried by hand, over routes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, memoryJournal, questions, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools, workspace } from '@loom-agent/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clerkOf, jsonOf, type Send, sender } from './world.ts'

const temporary = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'loom-branches-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

describe('the files of a thread', () => {
  const writer = async () => {
    const root = temporary()
    writeFileSync(join(root, 'a.txt'), 'one')
    const folder = workspace({ root, contents: 'snapshots' })
    const write = (old: string, text: string) => ({ calls: [{ tool: 'edit', input: { path: 'a.txt', edits: [{ old, new: text }] } }] })
    const model = scriptedModel([write('one', 'two'), write('two', 'three'), 'Written.'])
    const permissions = { '*': 'allow' as const }
    const tools = fileTools({ root, workspace: 'snapshots' })
    const clerk = agent({ name: 'clerk', model, tools, workspace: folder, permissions, journal: memoryJournal() })
    await clerk.run('Write.', { thread: 't' })
    return { root, clerk, send: sender({ agents: [clerk] }).send }
  }

  test('are shown turn by turn with their contents, and put back by a rewind that was planned before', async () => {
    const { root, send } = await writer()
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('three')
    const turns = await jsonOf<readonly { turn: number; files: readonly { path: string; before: string; after: string; seq: number }[] }[]>(
      send('GET /threads/t/changes'),
    )
    expect(turns.map(({ turn, files }) => [turn, files.map(({ path }) => path)])).toEqual([
      [1, ['a.txt']],
      [2, ['a.txt']],
    ])
    const [first] = turns[0]?.files ?? []
    const content = async (hash: string | undefined) => (await send(`GET /threads/t/blobs/${hash}`)).text()
    expect(await Promise.all([content(first?.before), content(first?.after)])).toEqual(['one', 'two'])

    const body = { at: first?.seq, thread: 'back' }
    const plan = await jsonOf<{ files: readonly object[]; conflicts: readonly object[] }>(send('POST /threads/t/rewind-plans', { body }))
    expect(plan).toMatchObject({ files: [{ path: 'a.txt' }], conflicts: [], fork: { from: `t@${first?.seq}` } })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('three')
    for (const time of [1, 2]) {
      const rewound = await jsonOf(send('POST /threads/t/rewinds', { body }))
      expect([time, rewound]).toMatchObject([time, { thread: 'back', files: [{ path: 'a.txt' }] }])
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two')
    }
    const undone = await jsonOf<readonly { files: readonly { by?: string }[] }[]>(send('GET /threads/back/changes'))
    expect(undone.at(-1)?.files.at(-1)).toMatchObject({ path: 'a.txt', by: 'rewind' })
  })

  test('are not put back for an agent without a workspace', async () => {
    const clerk = clerkOf(['Hi.'])
    await clerk.run('Hi', { thread: 't' })
    const response = await sender({ agents: [clerk] }).send('POST /threads/t/rewinds', { body: { at: 2 } })
    expect([response.status, await jsonOf(response)]).toMatchObject([409, { code: 'LOOM_WORKSPACE_MISSING' }])
  })
})

test('a fork is compared with its parent: what they share is no row, and the rest is aligned by what each step is', async () => {
  const clerk = clerkOf([{ calls: [{ tool: 'look', input: { at: 1 } }] }, 'Seen one.', 'Seen another.'])
  const { send } = sender({ agents: [clerk] })
  await clerk.run('Look.', { thread: 't' })
  const { items: results } = await jsonOf<{ items: readonly { seq: number }[] }>(send('GET /threads/t/events?types=tool.finished'))
  const edits = [{ kind: 'result', call: '1.0', result: 'other' }]
  const fork = { at: results[0]?.seq, thread: 'b', edits, limits: { turns: 5, tokens: 10_000 } }
  expect((await send('POST /threads/t/forks', { body: fork })).status).toBe(200)
  await clerk.resume('b').result()
  type Compared = { common: number; items: readonly { op: string; a?: { kind: string; label: string }; b?: { label: string } }[]; next?: number }
  const all = await jsonOf<Compared>(send('GET /comparison?a=t&b=b'))
  expect(all).toMatchObject({ common: 3, last: { a: { kind: 'reply' } }, isBest: true, counts: { same: 1, changed: 2, removed: 0, added: 0 } })
  expect(all.items.map(({ op, a, b }) => [op, a?.kind, a?.label, b?.label])).toEqual([
    ['~', 'tool', 'seen', 'other'],
    ['~', 'reply', 'Seen one.', 'Seen another.'],
    ['=', 'end', 'done', 'done'],
  ])
  const rows: object[] = []
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page: Compared = await jsonOf<Compared>(send(`GET /comparison?a=t&b=b&from=${from}&limit=2`))
    rows.push(...page.items)
    from = page.next
  }
  expect(rows).toEqual(all.items)
  expect(await jsonOf(send('GET /comparison?a=t@4&b=t@4'))).toMatchObject({ a: 't@4', items: [] })
  expect((await send('GET /comparison?a=t&b=none')).status).toBe(404)
  const bob = { name: 'bob', scopes: ['read' as const], threads: (thread: string) => thread === 't' }
  expect((await send('GET /comparison?a=t&b=b', { as: bob })).status).toBe(404)
})

test('a long text of an event is read in parts, which are whole together and break no character', async () => {
  const long = `${'x'.repeat(100)}${'😀'.repeat(200)}`
  const clerk = clerkOf([long])
  const { send } = sender({ agents: [clerk] })
  await clerk.run('Talk.', { thread: 't' })
  const { items } = await jsonOf<{ items: readonly { seq: number }[] }>(send('GET /threads/t/events?types=model.replied'))
  const path = `GET /threads/t/events/${items[0]?.seq}/payload`
  let whole = ''
  for (let from: number | undefined = 0; from !== undefined; ) {
    const part: { text: string; next?: number; length: number } = await jsonOf(send(`${path}?path=parts.0.text&from=${from}&length=101`))
    expect([part.length, part.text.isWellFormed()]).toEqual([long.length, true])
    whole += part.text
    from = part.next
  }
  expect(whole).toBe(long)
  expect(await jsonOf(send(`${path}?path=usage`))).toMatchObject({ isText: false, text: expect.stringContaining('"input"') })
  for (const other of ['nothing', 'parts.0.text.length', '__proto__', 'parts.constructor'])
    expect([other, (await send(`${path}?path=${other}`)).status]).toEqual([other, 404])
})

describe('a replay under another context', () => {
  const talked = async (): Promise<Send> => {
    const clerk = clerkOf(['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'])
    for (const input of ['1', '2', '3', '4', '5', '6']) await clerk.run(input, { thread: 't' })
    return sender({ agents: [clerk] }).send
  }

  test('shows what it would have sent and left out, and asks no model', async () => {
    const send = await talked()
    const before = (await jsonOf<{ seq: number }>(send('GET /threads/t'))).seq
    const replay = (context: object) =>
      jsonOf<{ lost: { entries: number }; divergence?: object }>(send('POST /threads/t/replays', { body: { context } }))
    const narrow = await replay({ strategy: 'window', turns: 1 })
    expect([narrow.lost.entries > 0, narrow.divergence !== undefined]).toEqual([true, true])
    const kept = await replay({ strategy: 'window', turns: 1, keep: [{ kind: 'turns', more: 100 }] })
    expect(kept.lost.entries).toBe(0)
    expect((await replay({ strategy: 'everything' })).divergence).toBeUndefined()
    expect((await jsonOf<{ seq: number }>(send('GET /threads/t'))).seq).toBe(before)
  })

  test('is refused with what is wrong about it', async () => {
    const send = await talked()
    for (const context of [
      { strategy: 'window' },
      { strategy: 'window', turns: 1, tokens: 1 },
      { strategy: 'compress', trigger: 3 },
      { keep: [{ kind: 'pin' }] },
      { keep: [{ kind: 'pin', entries: [{}] }] },
      { keep: [{ kind: 'results' }] },
      { strategy: 'other' },
    ]) {
      const response = await send('POST /threads/t/replays', { body: { context } })
      expect([context, response.status]).toEqual([context, 400])
    }
  })
})

describe('an agent', () => {
  test('is shown with its rules, its tools, its limits and its answer, as far as they are data', async () => {
    const add = tool({ name: 'add', effect: 'pure', run: () => 1 })
    const send_mail = tool({ name: 'send_mail', permission: () => 'ask', durable: true, run: () => 1 })
    const permissions = {
      rules: [{ tool: 'send_*', verdict: 'ask' as const, when: () => true, reason: 'Mail leaves the house.' }],
      default: 'allow' as const,
    }
    const options = {
      name: 'rich',
      model: scriptedModel('Hi.'),
      tools: { add, send_mail },
      permissions,
      instructions: () => 'x',
      limits: { turns: 7 },
    }
    const rich = agent({ ...options, hooks: [{ name: 'spy', beforeModelCall: () => undefined }], journal: memoryJournal() })
    const shown = await jsonOf(sender({ agents: [rich] }).send('GET /agents/rich'))
    expect(shown).toMatchObject({
      limits: { turns: 7 },
      functions: ['instructions'],
      hooks: [{ name: 'spy', points: ['beforeModelCall'] }],
      permissions: { mode: 'default', rules: [{ tool: 'send_*', verdict: 'ask', isConditional: true, reason: 'Mail leaves the house.' }] },
      tools: [
        { name: 'add', permission: 'allow', isDurable: false },
        { name: 'send_mail', permission: 'by call', isDurable: true },
      ],
    })
    expect(shown).not.toHaveProperty('instructions')
  })
})

describe('a tool that is tried by hand', () => {
  const world = () => {
    const done: unknown[] = []
    const pay = tool({ name: 'pay', permission: 'ask', run: (input) => done.push(input) })
    const model = scriptedModel([])
    const clerk = agent({ name: 'clerk', model, tools: { pay }, journal: memoryJournal() })
    return { done, model, clerk, send: sender({ agents: [clerk] }).send }
  }

  test('asks the people who are asked about any call, runs once, and never asks the model', async () => {
    const { done, model, clerk, send } = world()
    const tried = { body: { input: { sum: 5 }, id: 'click' } }
    const started = await jsonOf<{ thread: string }>(send('POST /agents/clerk/tools/pay/tries', tried))
    const { thread } = started
    await clerk.resume(thread).result()
    const [question] = await questions(clerk.journal, { thread })
    expect([done, question?.kind]).toEqual([[], 'approval'])
    await send(`POST /questions/${encodeURIComponent(question?.id ?? '')}/answer`, { body: { kind: 'approve' } })
    const result = await clerk.resume(thread).result()
    expect([done, result.status]).toEqual([[{ sum: 5 }], 'stopped'])
    expect(await jsonOf(send('POST /agents/clerk/tools/pay/tries', tried))).toEqual(started)
    expect([done.length, model.requests.length]).toEqual([1, 0])
    expect(await jsonOf(send(`GET /threads/${thread}/tools`))).toMatchObject([{ tool: 'pay', status: 'success' }])
  })

  test('has a thread of its own, and is a tool that is there', async () => {
    const { clerk, send } = world()
    await clerk.run('Hi', { thread: 'busy' }).catch(() => {})
    const onOther = await send('POST /agents/clerk/tools/pay/tries', { body: { input: {}, thread: 'busy' } })
    expect([onOther.status, await jsonOf(onOther)]).toMatchObject([409, { code: 'LOOM_THREAD_BUSY' }])
    expect((await send('POST /agents/clerk/tools/steal/tries', { body: { input: {} } })).status).toBe(404)
  })
})

test('an exact request is sent without the secrets that settings hold', async () => {
  const settings = { providerOptions: { vendor: { apiKey: 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCD' } } }
  const clerk = agent({ name: 'clerk', model: scriptedModel('Hi.'), settings, journal: memoryJournal() })
  await clerk.run('Hi', { thread: 't' })
  const text = await (await sender({ agents: [clerk] }).send('GET /threads/t/request')).text()
  expect(text).toContain('providerOptions')
  expect(text).not.toContain('abcdefghijklmnopqrstuvwxyz0123456789ABCD')
})

test('the system page counts threads and workers, and says what the server holds and knows', async () => {
  const clerk = clerkOf([{ calls: [{ tool: 'pay' }] }, 'Hi.'])
  const { send } = sender({ agents: [clerk], about: { release: '7' } })
  await clerk.run('Pay.', { thread: 't' })
  await send('GET /threads/t/chat')
  expect(await jsonOf(send('GET /system'))).toMatchObject({
    about: { release: '7' },
    agents: ['clerk'],
    threads: { running: { threads: 0 }, waiting: { threads: 1, isMore: false } },
    views: { held: 1, folded: expect.any(Number) },
  })
  expect((await send('GET /system', { as: { name: 'bob', scopes: ['admin'], threads: () => true } })).status).toBe(403)
})

test('figures over time add up to those of the range, by step and by agent', async () => {
  const clerk = clerkOf(['One.', 'Two.', 'Three.'])
  const { send } = sender({ agents: [clerk] })
  for (const thread of ['a', 'b', 'c']) await clerk.run('Hi', { thread })
  type Series = { steps: number; lines: readonly { key: string; runs: readonly number[]; input: readonly number[] }[] }
  const series = await jsonOf<Series>(send('GET /metrics/series?by=agent'))
  const sum = (counts: readonly number[] = []) => counts.reduce((total, count) => total + count, 0)
  const { summary } = await jsonOf<{ summary: { model: { input: number } } }>(send('GET /metrics'))
  expect([series.steps, series.lines.map(({ key }) => key), sum(series.lines[0]?.runs), sum(series.lines[0]?.input)]).toEqual([
    24,
    ['clerk'],
    3,
    summary.model.input,
  ])
  expect(await jsonOf(send('GET /metrics/series?from=1000&to=2000&step=10'))).toMatchObject({ steps: 100, lines: [] })
  expect((await jsonOf<Series>(send('GET /metrics/series?from=0&to=100000000&step=1'))).steps).toBe(2000)
  expect((await send('GET /metrics/series?from=5&to=5')).status).toBe(400)
})
