/** A run becomes a test: it is recorded once, and every later version of the agent is compared with it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assertSameAgent, assertSameRun, RunDivergence, scriptedModel, writeRegression } from '@loom-agent/testing'
import { agent, tool } from 'loom-agent'

const look = tool({ name: 'look', effect: 'read', run: () => '3 pages' })
const reader = (instructions: string) =>
  agent({ name: 'reader', instructions, model: scriptedModel([{ calls: [{ tool: 'look' }] }, 'There are 3.']), tools: [look] })

const folder = mkdtempSync(join(tmpdir(), 'loom-user-'))
const recorded = reader('Count the pages.')
await recorded.run('How many pages?', { thread: 'pages' })
const about = { module: './reader.ts', export: 'reader', value: recorded }
const { journal: fixture } = await writeRegression(recorded.journal, 'pages', { folder, name: 'pages', agent: about })

await assertSameRun(reader('Count the pages.'), pathToFileURL(fixture))
// What all runs of the agent share is compared once.
await assert.rejects(assertSameAgent(reader('Guess.'), pathToFileURL(join(folder, 'reader.shared.json'))), RunDivergence)
const asking = agent({
  name: 'reader',
  instructions: 'Count the pages.',
  model: scriptedModel(['There are 3.']),
  tools: [look],
  permissions: { look: 'ask' },
})
await assert.rejects(assertSameRun(asking, pathToFileURL(fixture)), RunDivergence)
rmSync(folder, { recursive: true })
