import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, approve, explain, questions, requestAt, threads } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { listSchedules, type Schedule } from '@loom-agent/server'
import { costTreeOf, createProjector, runMetrics, skeleton } from '@loom-agent/telemetry'
import { scriptedModel } from '@loom-agent/testing'
import { codeTools, writtenTools } from '@loom-agent/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, loom } from './captured.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-cli-'))

beforeAll(async () => {
  process.env['LOOM_JOURNAL'] = join(folder, 'loom.db')
  await sqlite(join(folder, 'loom.db')).close()
  await loom(['run', 'Look for the order number.', '--thread', 'user-123'])
  await loom(['run', 'Pay bob.', '--thread', 'user-456'])
})
afterAll(() => rmSync(folder, { recursive: true }))

async function inJournal<T>(look: (journal: ReturnType<typeof sqlite>) => Promise<T>): Promise<T> {
  const journal = sqlite(join(folder, 'loom.db'))
  try {
    return await look(journal)
  } finally {
    await journal.close()
  }
}

test('runs lists what the journal lists, with the usage that the metrics have', async () => {
  const listed = (await json('runs', '--usage')) as { thread: string; seq: number; status: string; turns: number; tokens: number }[]
  const known = await inJournal(async (journal) => {
    const heads = await Array.fromAsync(threads(journal, { sort: 'latest' }))
    const [run] = (await createProjector(journal).view(runMetrics, 'user-123')).view
    return {
      heads: heads.map(({ thread, seq, summary }) => [thread, seq, summary.status]),
      turns: run?.turns,
      tokens: (run?.input ?? 0) + (run?.output ?? 0),
    }
  })
  expect(listed.map(({ thread, seq, status }) => [thread, seq, status])).toEqual(known.heads)
  expect(listed.find(({ thread }) => thread === 'user-123')).toMatchObject({ turns: known.turns, tokens: known.tokens })
})

test('runs finds threads by status, agent and time, and says so where none fits', async () => {
  const waiting = (await json('runs', '--status', 'waiting', '--agent', 'support', '--since', '1h')) as { thread: string }[]
  expect(waiting.map(({ thread }) => thread)).toContain('user-456')
  expect(waiting.map(({ thread }) => thread)).not.toContain('user-123')
  const { code, out, err } = await loom(['runs', '--label', 'team=nobody'])
  expect([code, out, err]).toEqual([0, '', 'No thread fits.\n'])
})

test('schedules are set, listed, paused, let go on and removed, in the journal alone', async () => {
  const { err } = await loom(['schedules', 'set', 'report', 'Write it.', '--agent', 'support', '--every', '0 8 * * 1-5', '--zone', 'Europe/Berlin'])
  expect(err).toMatch(/^report is due next at \d{4}-\d\d-\d\dT0[67]:00:00\.000Z\./)
  const listed = await inJournal((journal) => schedulesOf(journal))
  expect(await json('schedules', 'list')).toEqual(listed)
  expect((await loom(['schedules', 'list'])).out).toMatch(/^NAME .*\nreport +support +0 8 \* \* 1-5 Europe\/Berlin +\d{4}-.*Z +-\n$/)
  expect(((await json('schedules', 'show', 'report', '--next', '5')) as { next: unknown[] }).next).toHaveLength(5)
  expect(await json('schedules', 'pause', 'report')).toMatchObject({ paused: true, next: [] })
  expect((await loom(['schedules', 'list'])).out).toContain('paused')
  expect(await json('schedules', 'resume', 'report')).toMatchObject({ paused: false })
  expect((await loom(['schedules', 'show', 'report'])).out).toMatch(/input: Write it\.\n {2}missed: once\n {2}due: /)
  expect((await loom(['schedules', 'set', 'x', 'Go.', '--agent', 'support', '--at', 'tomorrow'])).code).toBe(2)
  expect((await loom(['schedules', 'remove', 'report'])).code).toBe(0)
  expect((await loom(['schedules', 'show', 'report'])).code).toBe(7)
  expect((await loom(['schedules', 'list'])).err).toContain('There are no schedules.')
})

const schedulesOf = (journal: Journal): Promise<readonly Schedule[]> => Array.fromAsync(listSchedules(journal))

test('show has what was said, with hidden characters by their names', async () => {
  const { out } = await loom(['show', 'user-123'])
  expect(out).toContain('Look for the order number.')
  expect(out).toContain('order number 8812, <U+001B>[2Jin red<U+202E>')
  expect(out).toContain('All is well.')
})

test('show at a moment has nothing that came later', async () => {
  const { out } = await loom(['show', 'user-123@6'])
  expect(out).toContain('Look for the order number.')
  expect(out).not.toContain('8812')
})

test('the events of show are those of the journal', async () => {
  const listed = (await json('show', 'user-123', '--events', '--from', '3', '--limit', '4')) as { seq: number; type: string }[]
  const stored = await inJournal((journal) => journal.read('user-123', { from: 3, limit: 4 }))
  expect(listed.map(({ seq, type }) => [seq, type])).toEqual(stored.map(({ seq, type }) => [seq, type]))
})

test('tree has the sums of the cost tree', async () => {
  const root = (await json('tree', 'user-123')) as { tokens: number; nodes: { kind: string; nodes: unknown[] }[] }
  const known = await inJournal(async (journal) => costTreeOf((await createProjector(journal).view(skeleton, 'user-123')).view))
  expect(root.tokens).toBe(known.input + known.output)
  expect(root.nodes.map(({ kind }) => kind)).toEqual(['run'])
  expect(root.nodes[0]?.nodes).toHaveLength(21)
})

test('tools has what the model has written on a thread, as it was at any moment, and says so where it is nothing', async () => {
  await inJournal(async (journal) => {
    const input = { name: 'tax', description: 'The \u202etax.', input: { type: 'object' }, code: 'const rate = 0.19\nreturn input.amount * rate' }
    const model = scriptedModel([{ calls: [{ tool: 'create_tool', input }] }, 'It is there.'])
    await agent({ name: 'writer', model, journal, tools: codeTools() }).run('Make it.', { thread: 'writer', onQuestion: () => approve() })
    const [made] = await writtenTools(journal, 'writer')
    // Its description has an invisible character, so nobody could have judged it.
    expect(made).toBeUndefined()
    const visible = scriptedModel([{ calls: [{ tool: 'create_tool', input: { ...input, description: 'The tax.' } }] }, 'It is there.'])
    await agent({ name: 'writer', model: visible, journal, tools: codeTools() }).run('Again.', { thread: 'writer', onQuestion: () => approve() })
  })
  const written = (await json('tools', 'writer')) as { name: string; seq: number }[]
  expect(written).toEqual(await inJournal((journal) => writtenTools(journal, 'writer')))
  const { out } = await loom(['tools', 'writer', '--code'])
  expect(out).toBe(`tax  @${written[0]?.seq}\n  The tax.\n  input: {"type":"object"}\n  const rate = 0.19\n  return input.amount * rate\n`)
  expect((await loom(['tools', 'writer'])).out).not.toContain('return')
  expect(await loom(['tools', 'user-123'])).toEqual({ code: 0, out: '', err: 'No tool was written on this thread.\n' })
  expect(await json('tools', 'writer@3')).toEqual([])
  expect((await loom(['tools', 'nobody'])).code).toBe(7)
})

test('flame has a row for each span, and none is longer than a line', async () => {
  const { out } = await loom(['flame', 'user-123'], { columns: 80 })
  const rows = out.trimEnd().split('\n')
  expect(rows.filter((row) => row.includes('look'))).toHaveLength(20)
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80)
})

test('explain, request and diff say what the functions of the agent say', async () => {
  const [explained, sent, differing] = await Promise.all([
    json('explain', 'user-123', '8812'),
    json('request', 'user-123'),
    json('diff', 'user-123@4', 'user-123'),
  ])
  const known = await inJournal(async (journal) => {
    const end = (await journal.head('user-123'))?.seq
    return { explained: await explain(journal, `user-123@${end}`, '8812'), sent: await requestAt(journal, `user-123@${end}`) }
  })
  expect(explained).toEqual(JSON.parse(JSON.stringify(known.explained)))
  expect(sent).toEqual(JSON.parse(JSON.stringify(known.sent)))
  expect(differing).toContainEqual({ path: 'seq', before: 4, after: expect.any(Number) })
})

test('a question is shown whole, and answered by the person who says so; the run goes on by resume', async () => {
  const { out } = await loom(['questions', '--thread', 'user-456'])
  expect(out).toContain('May pay run with these arguments?')
  expect(out).toContain('"to": "bob<U+202E>"')
  const [question] = await inJournal((journal) => questions(journal, { thread: 'user-456' }))
  const answered = await loom(['answer', question?.id ?? '', '--approve', '--by', 'bea'])
  expect(answered.code).toBe(0)
  const again = await loom(['answer', question?.id ?? '', '--reject'])
  expect([again.code, again.err]).toEqual([8, expect.stringContaining('LOOM_QUESTION_SETTLED')])
  const resumed = await loom(['resume', 'user-456'])
  expect([resumed.code, resumed.out]).toEqual([0, 'All is well.\n'])
  const events = await inJournal((journal) => journal.read('user-456'))
  expect(events.find(({ type }) => type === 'question.answered')?.data).toMatchObject({ by: 'bea' })
})

test('a run that waits ends with 4 and approves nothing by itself', async () => {
  const { code, out, err } = await loom(['run', 'Pay bob.', '--thread', 'user-789'])
  expect([code, out]).toEqual([4, ''])
  expect(err).toContain('"to": "bob<U+202E>"')
  expect(((await json('questions', '--thread', 'user-789')) as unknown[]).length).toBe(1)
})

test('a start that is made twice under one id is one run', async () => {
  const first = await json('run', 'Hello.', '--thread', 'once', '--id', 'a')
  const second = await json('run', 'Hello.', '--thread', 'once', '--id', 'a')
  expect(second).toEqual(first)
  const stored = await inJournal((journal) => journal.read('once'))
  expect(stored.filter(({ type }) => type === 'run.started')).toHaveLength(1)
})

test('a fork says what it comes to, and leaves its parent as it was', async () => {
  const before = await inJournal((journal) => journal.read('user-123'))
  const plan = (await json('fork', 'user-123@8', '--plan')) as { calls: { tool: string; fate: string }[]; reused: { events: number } }
  expect(plan.reused.events).toBe(8)
  expect(plan.calls.every(({ tool }) => tool === 'look')).toBe(true)
  const made = (await json('fork', 'user-123@8', '--input', 'Hello.')) as { thread: string; text: string }
  expect(made.text).toBe('All is well.')
  const [forked, after] = await inJournal(async (journal) => [await journal.head(made.thread), await journal.read('user-123')] as const)
  expect(forked?.forkOf).toMatchObject({ thread: 'user-123' })
  expect(after).toEqual(before)
})

test('a replay of an unchanged agent differs nowhere', async () => {
  expect(await json('replay', 'user-123')).toMatchObject({ thread: 'user-123', totals: { turns: 21, differing: 0 } })
})

test('an exported thread is imported elsewhere, and runs nothing until it is adopted', async () => {
  const path = join(folder, 'user-123.jsonl')
  expect((await loom(['export', 'user-123', '-o', path])).code).toBe(0)
  const kept = readFileSync(path)
  const again = await loom(['export', 'user-123', '-o', path])
  expect([again.code, readFileSync(path).equals(kept)]).toEqual([1, true])
  const other = join(folder, 'other.db')
  expect((await loom(['import', path, '--journal', other])).code).toBe(0)
  const steered = await loom(['steer', 'user-123', 'Hello.', '--journal', other])
  expect([steered.code, steered.err]).toEqual([1, expect.stringContaining('LOOM_THREAD_QUARANTINED')])
  expect((await loom(['adopt', 'user-123', '--journal', other])).code).toBe(0)
  expect((await loom(['steer', 'user-123', 'Hello.', '--journal', other])).code).toBe(0)
  expect((await loom(['verify', '--journal', other])).code).toBe(0)
})

test.each(['markdown', 'speedscope', 'chrome', 'otlp'])('an export as %s is one whole text', async (format) => {
  const { code, out } = await loom(['export', 'user-123', '--format', format])
  expect(code).toBe(0)
  if (format === 'markdown') expect(out).toContain('# user-123')
  else expect(Object.keys(JSON.parse(out) as object).length).toBeGreaterThan(0)
})

test('an empty file is no journal, and looking at it makes it none', async () => {
  const path = join(folder, 'empty.db')
  writeFileSync(path, '')
  expect((await loom(['runs', '--journal', path])).code).toBe(2)
  expect(readFileSync(path)).toHaveLength(0)
})

test('policy explains a verdict, and its cases fail where a verdict is another', async () => {
  const [policy, cases] = [join(folder, 'policy.json'), join(folder, 'cases.json')]
  writeFileSync(policy, JSON.stringify({ 'delete_*': 'deny', default: 'ask' }))
  writeFileSync(cases, JSON.stringify([{ tool: 'delete_file', expect: 'allow' }]))
  expect(await json('policy', 'explain', 'delete_file', '--policy', policy)).toMatchObject({ verdict: 'deny', decidedBy: ['delete_*'] })
  expect((await loom(['policy', 'test', cases, '--policy', policy])).code).toBe(6)
})

test.each([
  ['no command of that name', ['rnus'], 2, 'Did you mean runs?'],
  ['an unknown status', ['runs', '--status', 'dead'], 2, 'It is one of idle, running'],
  ['a label without a value', ['runs', '--label', 'x'], 2, 'Write name=value'],
  ['a time without a unit', ['runs', '--since', '5'], 2, 'such as 24h'],
  ['a thread that is not there', ['show', 'nobody'], 7, 'There is no thread "nobody"'],
  ['a moment that is not there yet', ['request', 'user-123@9999'], 2, 'the thread ends at'],
  ['a question that is not there', ['answer', 'user-123#1.0#1', '--approve'], 7, 'LOOM_QUESTION_NOT_FOUND'],
  ['two answers', ['answer', 'x', '--approve', '--reject'], 2, '--approve and --reject were given'],
  ['arguments that are no JSON', ['answer', 'x', '--edit', '{'], 2, '--edit is not JSON'],
  ['a journal that is not there', ['runs', '--journal', 'nowhere.db'], 2, 'There is no journal "nowhere.db"'],
  ['a count that is none', ['runs', '--limit', 'all'], 2, 'Write a whole number'],
  ['a file to import that is not there', ['import', 'nowhere.jsonl'], 2, 'There is no file nowhere.jsonl'],
  ['a format that is not known', ['export', 'user-123', '--format', 'pdf'], 2, 'It is one of journal, markdown'],
  ['an agent that is not configured', ['run', '--agent', 'nobody', 'Hi'], 2, 'The configuration has support'],
  ['a configuration that is not there', ['run', '-c', 'nowhere.ts', 'Hi'], 2, 'There is no file "nowhere.ts"'],
] as const)('%s is an error that says what to do', async (_, args, code, words) => {
  const ended = await loom(args)
  expect([ended.code, ended.out, ended.err]).toEqual([code, '', expect.stringContaining(words)])
})
