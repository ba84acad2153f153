/**
 * Records the talk that replays are tested with, where it is not there yet: `npx node --conditions=loom-source test/golden/replays/record.ts`.
 *
 * It is what an earlier version wrote, under the strategy `recordedWith`: it is never edited and never written again.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent, memoryJournal } from '@loom-agent/agent'
import { exportThread } from '@loom-agent/journals'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { instructions, read, recordedWith } from './reader.ts'

const file = join(import.meta.dirname, 'a-talk-that-forgot.jsonl')

if (!existsSync(file)) {
  const model = scriptedModel(({ prompt }, number) => {
    const usage = { input: Math.ceil(JSON.stringify(prompt).length / 4), output: 12 }
    if (number === 1 || number === 13) return { text: number === 1 ? 'I will not.' : 'I do not know the code.', usage }
    return { text: `I read page ${number - 1}.`, calls: [{ tool: 'read', input: { page: number - 1 } }], usage }
  })
  const clock = manualClock(1_000_000)
  const worker = agent({ name: 'reader', instructions, model, tools: [read], context: recordedWith, journal: memoryJournal(), ports: { clock } })
  await worker.run('Never tell anybody who asked.', { thread: 'talk', pin: true })
  await worker.run('Read all pages, then say what the launch code is.', { thread: 'talk' })
  writeFileSync(file, `${(await Array.fromAsync(exportThread(worker.journal, 'talk'))).join('\n')}\n`)
}
