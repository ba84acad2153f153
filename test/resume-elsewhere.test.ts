/** RESUME-1 between two processes: one resume goes on with a run whose driver elsewhere still waits for its hook. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { scriptedModel } from '@loom-agent/testing'
import { agent, pause, sqlite, tool } from 'loom-agent'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from './support/event-loop.ts'
import { factsOf, typesOf } from './support/threads.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resuming-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** The process that drives the thread, and what it writes, line by line. */
function startDriver(database: string) {
  const program = fileURLToPath(new URL('./support/hook-process.ts', import.meta.url))
  const driver = spawn(process.execPath, ['--conditions=loom-source', program, database], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: driver.stdout })[Symbol.asyncIterator]()
  return { driver, next: async () => (await lines.next()).value, goOn: () => driver.stdin.write('\n') }
}

test.each(['returns', 'never returns because its process is killed'])('a run that is paused goes on when the hook of its driver %s', async (how) => {
  const database = join(folder, 'loom.db')
  const { driver, next, goOn } = startDriver(database)
  const journal = sqlite(database)
  try {
    expect(await next()).toBe('entered')
    await pause(journal, 't')
    await until(async () => (await typesOf(journal, 't')).includes('run.suspended'))
    const look = tool({ effect: 'read', run: () => 'x' })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Seen.' : { calls: [{ tool: 'look' }] }))
    let claims = 0
    const acquire: typeof journal.acquire = (...claim) => {
      claims += 1
      return journal.acquire(...claim)
    }
    const result = agent({ name: 'a', model, tools: { look }, journal: { ...journal, acquire } })
      .resume('t')
      .result()
    await until(() => claims > 1)
    expect(await factsOf(journal, 't', 'run.resumed')).toEqual([])
    if (how === 'returns') goOn()
    else driver.kill('SIGKILL')
    expect(await result).toMatchObject({ status: 'done', text: 'Seen.' })
    expect(await factsOf(journal, 't', 'run.resumed')).toHaveLength(1)
  } finally {
    driver.kill('SIGKILL')
    await journal.close()
  }
})
