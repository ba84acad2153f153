/** Rewinds on the command line: with the agents of a configuration, and with the built-in coder. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@loom-agent/journals/sqlite'
import { scriptedModel } from '@loom-agent/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coder } from '../src/coder.ts'
import { loom } from './captured.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-rewind-'))
const path = join(folder, 'a.txt')
const env = { LOOM_PROVIDER: 'offline' }

let asked = ''

beforeAll(async () => {
  writeFileSync(path, 'one\n')
  writeFileSync(join(folder, 'AGENTS.md'), 'Always say please.\n')
  const journal = sqlite(join(folder, 'loom.db'))
  const edits = [{ old: 'one', new: 'two' }]
  const model = scriptedModel([{ calls: [{ tool: 'edit', input: { path: 'a.txt', edits } }] }, 'Done.'])
  const agent = coder({ root: folder, journal, model })
  await agent.run('Make it two.', { thread: 't', permissions: { rules: [], mostMode: 'accept-edits' } })
  asked = JSON.stringify(model.requests[0]?.prompt)
  await journal.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the coder has what AGENTS.md of its folder says', () => {
  expect(asked).toContain('Always say please.')
})

test('a rewind says first what it would put back, then puts it back, and says so again', async () => {
  expect(readFileSync(path, 'utf8')).toBe('two\n')
  const plan = await loom(['rewind', 't@1', '--plan'], { cwd: folder, env })
  expect([plan.code, plan.out]).toEqual([0, 'put back   a.txt\n'])
  expect(readFileSync(path, 'utf8')).toBe('two\n')
  const made = await loom(['rewind', 't@1', '--thread', 'again', '--json'], { cwd: folder, env })
  expect(JSON.parse(made.out)).toMatchObject({ thread: 'again', from: 't@1', files: [{ path: 'a.txt' }], conflicts: [] })
  expect(readFileSync(path, 'utf8')).toBe('one\n')
  const repeated = await loom(['rewind', 't@1', '--thread', 'again'], { cwd: folder, env })
  expect([repeated.code, repeated.out]).toEqual([0, 'put back   a.txt\n'])
})

test('a file that a person has changed since stays, and the exit code says so', async () => {
  writeFileSync(path, 'three\n')
  const { code, out } = await loom(['rewind', 't@1', '--thread', 'third'], { cwd: folder, env })
  expect([code, out]).toEqual([8, 'left alone a.txt: somebody has changed it since\n'])
  expect(readFileSync(path, 'utf8')).toBe('three\n')
})

test('a rewind makes no journal where there is none', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'))
  const { code, err } = await loom(['rewind', 't@1'], { cwd: empty, env })
  expect([code, err]).toEqual([2, expect.stringContaining('No journal was named')])
})
