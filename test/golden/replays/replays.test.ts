/** A golden thread under other strategies: the report names what each of them would have kept. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Agent, agent, compress, everything, explain, judgeStrategy, memoryJournal, renderReplay, summarizeReplays } from '@loom-agent/agent'
import { importThread } from '@loom-agent/journals'
import { assertStrategy, scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { instructions, read, recordedWith } from './reader.ts'

/** The agent, with the golden thread in its journal. */
async function reader(): Promise<Agent> {
  const journal = memoryJournal()
  const lines = readFileSync(join(import.meta.dirname, 'a-talk-that-forgot.jsonl'), 'utf8')
  await importThread(journal, lines.trimEnd().split('\n'))
  const model = scriptedModel(() => ({ throws: new Error('A replay asked a model.') }))
  return agent({ name: 'reader', instructions, model, tools: [read], context: recordedWith, journal })
}

/** All messages that differ, whole. */
const whole = { messages: 100, characters: 10_000, total: 1_000_000 }

test('under its own strategy nothing differs', async () => {
  const worker = await reader()
  const { divergence, kept, lost, totals } = await worker.replay('talk')
  expect(divergence).toBeUndefined()
  expect([kept.entries, lost.entries, totals.saved.tokens]).toEqual([0, 0, 0])
  expect((await explain(worker.journal, 'talk@9')).request?.isVerified).toBe(true)
})

test('under everything, the page that was forgotten is named, with the rule that had dropped it', async () => {
  const worker = await reader()
  const report = await worker.replay('talk', { with: { context: everything }, report: whole })
  const page = report.kept.listed.find(({ text }) => text.includes('The launch code is 7319.'))
  expect(page).toMatchObject({ origin: 'results', as: 'dropped', rule: 'window' })
  expect(report.lost.entries).toBe(0)
  expect(report.turns.at(-1)?.added.some((text) => text.includes('The launch code is 7319.'))).toBe(true)
  expect(renderReplay(report)).toMatch(/Would be kept\n.*dropped by window\n[\s\S]*Page 2\. The launch code is 7319\./)
})

test('under compress it stands in the last request, in fewer tokens than all of it has, and the gate lets that pass', async () => {
  const worker = await reader()
  const context = compress({ max: 900, perSection: 64 })
  const report = await worker.replay('talk', { with: { context }, report: whole })
  expect(report.kept.by.map(({ rule }) => rule)).toEqual(['window'])
  expect(report.totals.summaries.replayed).toBeGreaterThan(0)
  const all = await worker.replay('talk', { with: { context: everything } })
  expect(report.totals.tokens.replayed).toBeLessThan(all.totals.tokens.replayed)
  expect(report.turns.at(-1)?.added.some((text) => text.includes('The launch code is 7319.'))).toBe(true)
  await assertStrategy(worker.replayAll(['talk'], { with: { context } }), { tokens: 100 })
  const { violations } = judgeStrategy(await summarizeReplays(worker.replayAll(['talk'], { with: { context: everything } })), { tokens: 10 })
  expect(violations.map(({ rule }) => rule)).toEqual(['tokens'])
})
