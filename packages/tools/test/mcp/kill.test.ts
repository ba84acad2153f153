/** kill -9 while a server works on a task: the process that goes on asks for that task, and begins no other one. */
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { assertHistory } from '@loom-agent/testing'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../../test/support/event-loop.ts'
import { eventsOf } from '../../../../test/support/threads.ts'
import { keepWorlds, textResult } from './mcp-setup.ts'
import { type ScriptedHttp, startScripted } from './scripted-http.ts'
import { openCaller } from './task-agent.ts'

const worlds = keepWorlds()
const started: ChildProcess[] = []
let server: ScriptedHttp | undefined
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await server?.close()
  await worlds.close()
})

/** Starts a process that goes on with the thread. */
function start(folder: string, url: string): { readonly child: ChildProcess; readonly printed: Promise<string> } {
  const program = join(import.meta.dirname, 'task-process.ts')
  const { promise: printed, resolve } = Promise.withResolvers<string>()
  const child = execFile(process.execPath, ['--conditions=loom-source', program, folder, url], (_, stdout, stderr) => resolve(stdout + stderr))
  started.push(child)
  return { child, printed }
}

test('a task is asked for by its recorded id after kill -9, and is created once', async () => {
  const world = worlds.open({ tools: [{ name: 'research', execution: { taskSupport: 'required' } }] })
  const { folder } = world
  server = await startScripted(world)
  const url = `http://127.0.0.1:${server.port}/mcp`
  const linesOf = (words: string): readonly string[] => world.ledger().filter((line) => line.startsWith(words))

  // The thread is there before any process drives it.
  const first = openCaller(folder, 'http://127.0.0.1:1/')
  const waiting = first.caller.start('Go.', { thread: 't' })
  await waiting.pause()
  await waiting.result()
  await first.close()

  for (let kills = 1; kills <= 3; kills += 1) {
    const looks = linesOf('task looked at').length
    const { child } = start(folder, url)
    await until(() => linesOf('task looked at').length > looks)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const [created = ''] = linesOf('task created ')
  const id = created.slice('task created '.length)
  world.finish(id, textResult('Found.'))
  expect(await start(folder, url).printed).toBe('Done.\n')

  expect(linesOf('task created')).toEqual([`task created ${id}`])
  expect(new Set(linesOf('task looked at'))).toEqual(new Set([`task looked at ${id}`]))
  const last = openCaller(folder, url)
  const events = await eventsOf(last.journal, 't')
  await last.close()
  assertHistory(events)
  expect(events.filter(({ type }) => type === 'tool.in-doubt')).toEqual([])
  expect(JSON.stringify(events.filter(({ type }) => type === 'tool.finished'))).toContain('Found.')
}, 120_000)
