/** Whatever a command starts ends with its call: other sessions, processes whose parent has ended, processes that ignore SIGTERM. */
import { randomBytes } from 'node:crypto'
import { agent, approve } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { makeShellWorld, processesWith, type ShellWorld } from './shell-world.ts'

let world: ShellWorld
beforeEach(() => {
  world = makeShellWorld()
})
afterEach(() => world.remove())

/** What commands leave behind; NAME is a text by which their processes are found. */
const shapes: Readonly<Record<string, string>> = {
  'a child in the foreground': 'echo ready; exec -a NAME sleep 600',
  'children in the background': '(exec -a NAME sleep 600) & (exec -a NAME sleep 600) & echo ready; wait',
  'another session': 'setsid bash -c "exec -a NAME sleep 600" & echo ready; wait',
  'a double fork': '( (exec -a NAME sleep 600) & ) ; echo ready; sleep 600',
  'a double fork in another session': '( setsid bash -c "exec -a NAME sleep 600" & ) ; echo ready; sleep 600',
  'an ignored SIGTERM': 'trap "" TERM; echo ready; while :; do bash -c "exec -a NAME sleep 600"; done',
  'an ignored SIGTERM in another session, without its parent':
    '( setsid bash -c \'trap "" TERM; while :; do bash -c "exec -a NAME sleep 600"; done\' & ) ; echo ready; sleep 600',
  'nohup and closed outputs': '( nohup setsid bash -c "exec -a NAME sleep 600" </dev/null >/dev/null 2>&1 & ) ; echo ready; sleep 600',
  'a cleared environment and closed outputs in the same session':
    '( env -i bash -c "exec -a NAME sleep 600" </dev/null >/dev/null 2>&1 & ) ; echo ready; sleep 600',
  'a cleared environment in another session that still has its output':
    '( env -i setsid bash -c "exec -a NAME sleep 600" & ) ; echo ready; sleep 600',
}

/** How often each shape is tried. */
const rounds = Number(process.env['LOOM_ORPHAN_ROUNDS'] ?? 10)

test.each(Object.entries(shapes))('a stop ends %s', async (_, shape) => {
  for (let round = 0; round < rounds; round += 1) {
    const name = `loom-orphan-${randomBytes(8).toString('hex')}`
    const stop = new AbortController()
    let printed = ''
    const onProgress = (data: unknown): void => {
      printed += (data as { output: string }).output
    }
    const called = world.call('bash', { command: shape.replaceAll('NAME', name) }, { signal: stop.signal, progress: onProgress })
    await until(() => printed.includes('ready') && processesWith(name).length > 0)
    stop.abort()
    expect(await called).toMatchObject({ name: 'AbortError' })
    expect(processesWith(name), `round ${round}`).toEqual([])
  }
})

test('what a command leaves running when it ends is ended, too, and the result says so', async () => {
  const name = `loom-orphan-${randomBytes(8).toString('hex')}`
  const { output, note } = await world.bash(`( setsid bash -c "exec -a ${name} sleep 600" & ) ; echo done`)
  expect(output).toBe('done\n')
  expect(note).toMatch(/^It left \d process(?:es)? running, which were ended\.$/)
  expect(processesWith(name)).toEqual([])
})

test('what ends by itself in a moment is not ended', async () => {
  expect((await world.bash('( echo late >&2 ) & true')).note).toBe(undefined)
})

test('the processes of another command are left alone', async () => {
  const stop = new AbortController()
  let printed = ''
  const other = world.call('bash', { command: 'echo ready; sleep 600' }, { signal: stop.signal, progress: () => (printed = 'ready') })
  await until(() => printed === 'ready')
  expect(await world.bash('true')).toMatchObject({ exitCode: 0 })
  expect(await Promise.race([other, Promise.resolve('runs')])).toBe('runs')
  stop.abort()
  await other
})

test('a stop of the run ends the processes of its command', async () => {
  const name = `loom-orphan-${randomBytes(8).toString('hex')}`
  const model = scriptedModel([{ calls: [{ tool: 'bash', input: { command: `bash -c "exec -a ${name} sleep 600"` } }] }, 'Done.'])
  const run = agent({ model, tools: world.tools }).start('Wait.', { onQuestion: () => approve() })
  await until(() => processesWith(name).length > 0)
  await run.stop('enough')
  expect((await run.result()).status).toBe('stopped')
  await until(() => processesWith(name).length === 0)
})

test('the end of a shell that persists ends what its commands have started', async () => {
  const name = `loom-orphan-${randomBytes(8).toString('hex')}`
  const kept = makeShellWorld({ persistent: true })
  await kept.bash(`( setsid bash -c "exec -a ${name} sleep 600" & )`)
  await until(() => processesWith(name).length > 0)
  await kept.bash('true')
  expect(processesWith(name).length).toBeGreaterThan(0)
  await kept.remove()
  expect(processesWith(name)).toEqual([])
})
