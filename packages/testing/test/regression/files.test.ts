/** Files of recorded tests that are not what they must be: each error says which file, and what to do. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { memoryJournal } from '@loom-agent/agent'
import { assertSameAgent, assertSameRun, type Regression, scriptedModel, writeRegression } from '@loom-agent/testing'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { agentOf, calls, look, type Player } from './scenarios.ts'

const root = mkdtempSync(join(tmpdir(), 'loom-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const kid = agentOf({ options: () => ({}) }, { model: scriptedModel(() => 'Yes.') })
const options = { options: () => ({ tools: { look, kid } }) }
const player: Player = agentOf(options)
const agent = { module: './agent.ts', export: 'player', value: player }

let folder = ''
let written: Regression

beforeEach(async () => {
  folder = mkdtempSync(join(root, 'one-'))
  const journal = memoryJournal()
  await agentOf(options, { model: scriptedModel([calls(['look', { at: 'a' }], ['kid', { input: 'Go.' }]), 'Done.']), journal }).run('Go.', {
    thread: 'one',
  })
  written = await writeRegression(journal, 'one', { folder, name: 'one', agent })
})

const refusal = (message: RegExp): object => ({ code: 'LOOM_OPTION_INVALID', message: expect.stringMatching(message) })
const fileOf = (name: string): URL => pathToFileURL(join(folder, name))

test('a fixture with a merge conflict is named', async () => {
  writeFileSync(written.journal, readFileSync(written.journal, 'utf8').replace('{', '{\n<<<<<<< ours'))
  await expect(assertSameRun(player, pathToFileURL(written.journal))).rejects.toMatchObject(
    refusal(/one\.journal\.json is not JSON: .* Look for a merge conflict, or write it again with writeRegression\.$/s),
  )
})

test('the file that runs share is for assertSameAgent', async () => {
  await expect(assertSameRun(player, fileOf('player.shared.json'))).rejects.toMatchObject(
    refusal(/player\.shared\.json .* Give it to assertSameAgent\.$/),
  )
})

test('a fixture for assertSameAgent is refused', async () => {
  await expect(assertSameAgent(player, fileOf('one.journal.json'))).rejects.toMatchObject(refusal(/one\.journal\.json holds no shared parts/))
})

test('a path is given as a URL', async () => {
  const asked = /is a text\. Give the URL of the file, as in new URL\(/
  await expect(assertSameRun(player, written.journal as never)).rejects.toMatchObject(refusal(asked))
  await expect(assertSameAgent(player, join(folder, 'player.shared.json') as never)).rejects.toMatchObject(refusal(asked))
})

test('a missing file is named: the fixture, or what it shares with others', async () => {
  await assertSameRun(player, fileOf('one.journal.json'))
  rmSync(join(folder, 'player.shared.json'))
  const missing = (name: string): object => refusal(new RegExp(`${name} cannot be read: .* Commit the file with its test`))
  await expect(assertSameRun(player, fileOf('one.journal.json'))).rejects.toMatchObject(missing('player.shared.json'))
  await expect(assertSameAgent(player, fileOf('player.shared.json'))).rejects.toMatchObject(missing('player.shared.json'))
  await expect(assertSameRun(player, fileOf('two.journal.json'))).rejects.toMatchObject(missing('two.journal.json'))
})

test('writeRegression takes the journal of an agent, not the agent', async () => {
  await expect(writeRegression(player as never, 'one', { folder, name: 'two', agent })).rejects.toMatchObject(
    refusal(/writeRegression: journal is .* Give a journal, such as agent\.journal/),
  )
})

test('the head of a written test has no date, and names no steps of an agent that is a tool', () => {
  const text = readFileSync(written.test, 'utf8')
  expect(text).toContain('The thread one as it was recorded: 2 turns, 2 calls.')
  expect(text).not.toMatch(/\d{4}-\d{2}-\d{2}|steps of/)
})
