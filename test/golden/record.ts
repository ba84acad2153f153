/**
 * Records golden histories of the scenarios that have none yet: `node --conditions=loom-source test/golden/record.ts`.
 *
 * A history that is there is never written again: it is what an earlier version wrote.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryJournal } from '@loom-agent/agent'
import { encodeBatch, type Journal } from '@loom-agent/kernel'
import { scenarios } from '../../packages/testing/test/history/real-journals.ts'
import { eventsByThread, factsOf, type GoldenBatch, writeGolden } from './golden-history.ts'
import { rareHistories } from './rare-events.ts'

const folder = join(import.meta.dirname, 'histories')

/** A journal that keeps every batch as it was written. */
function recording(batches: GoldenBatch[]): Journal {
  const journal = memoryJournal()
  return {
    ...journal,
    async append(thread, batch) {
      const result = await journal.append(thread, batch)
      if (result.kind === 'appended') batches.push({ thread, first: batch.expected + 1, line: encodeBatch(batch) })
      return result
    },
  }
}

function write(name: string, batches: readonly GoldenBatch[]): void {
  const file = join(folder, `v1-${name.replaceAll(/[^a-z0-9]+/gi, '-')}.jsonl`)
  if (existsSync(file)) return
  const facts = Object.fromEntries([...eventsByThread(batches)].map(([thread, events]) => [thread, factsOf(thread, events)]))
  writeFileSync(file, writeGolden({ facts, batches }))
  console.log(`recorded ${name}: ${batches.length} batches`)
}

for (const scenario of scenarios) {
  const batches: GoldenBatch[] = []
  const journal = recording(batches)
  await scenario.play(scenario.createAgent(journal), scenario.name)
  write(scenario.name, batches)
}
for (const [name, batches] of Object.entries(rareHistories())) write(name, batches)

const hashes = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => [
    file,
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex'),
  ])
writeFileSync(join(folder, 'hashes.json'), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`)
