/** A process dies in the middle of a tool; another one continues from the journal. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from '@loom-agent/testing'
import { agent, sqlite, tool } from 'loom-agent'

function workerIn(folder: string, look: () => string) {
  const journal = sqlite(join(folder, 'loom.db'))
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'I saw it.' : { calls: [{ tool: 'look' }] }))
  return { journal, worker: agent({ name: 'worker', model, tools: { look: tool({ effect: 'read', run: look }) }, journal }) }
}

const [given] = process.argv.slice(2)
if (given === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'loom-user-'))
  const { signal } = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, folder])
  assert.equal(signal, 'SIGKILL')
  const { worker, journal } = workerIn(folder, () => 'a loom')
  assert.equal((await worker.resume('task').result()).text, 'I saw it.')
  await journal.close()
  rmSync(folder, { recursive: true })
} else {
  const { worker } = workerIn(given, () => {
    process.kill(process.pid, 'SIGKILL')
    return 'never'
  })
  await worker.run('Look.', { thread: 'task' })
}
