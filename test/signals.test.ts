/** A signal crosses processes: one process waits and ends, another sends, a third goes on. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { agent, tool } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, factsOf } from './support/threads.ts'

const run = promisify(execFile)

/** Sends a signal from a process of its own, which has the journal and no agent. */
async function sendFromElsewhere(path: string): Promise<void> {
  const program = `
    import { signal } from '@loom-agent/agent'
    import { sqlite } from '@loom-agent/journals/sqlite'
    const journal = sqlite(process.argv[1])
    await signal(journal, 't', 'paid', { cents: 7 }, { by: 'bank' })
    await journal.close()`
  await run(process.execPath, ['--conditions=loom-source', '--input-type=module', '-e', program, path], { cwd: import.meta.dirname })
}

test('a run on SQLite waits without a process, and goes on with the signal of another one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loom-signals-'))
  const path = join(folder, 'loom.db')
  onTestFinished(() => rm(folder, { recursive: true }))
  const ship = tool({ name: 'ship', durable: true, run: (_, ctx) => ctx.waitFor('paid') })
  const model = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Shipped.' : { calls: [{ tool: 'ship' }] }))

  const first = sqlite(path)
  const waiting = await agent({ name: 'shop', model: model(), tools: [ship], journal: first }).run('go', { thread: 't', id: 'order-1' })
  expect(waiting).toMatchObject({ status: 'waiting', waits: [{ thread: 't', signal: 'paid' }] })
  await first.close()

  await sendFromElsewhere(path)

  const second = sqlite(path)
  onTestFinished(() => second.close())
  const shop = agent({ name: 'shop', model: model(), tools: [ship], journal: second })
  expect(await shop.recover()).toMatchObject([{ thread: 't', status: 'done' }])
  expect(await shop.run('go', { thread: 't', id: 'order-1' })).toMatchObject({ status: 'done', run: 'r1', text: 'Shipped.' })
  const [finished] = await factsOf(second, 't', 'tool.finished')
  expect(finished?.data.output.value).toEqual({ status: 'received', value: { cents: 7 } })
  assertHistory(await eventsOf(second, 't'))
})
