/** The command as a process: what a shell, a pipe and a signal see of it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sqlite } from '@loom-agent/journals/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { project } from './captured.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-process-'))
const env = { ...process.env, LOOM_JOURNAL: join(folder, 'loom.db'), NO_COLOR: '1' }
const bin = join(import.meta.dirname, '../../loom-agent/bin/loom.js')
const args = (given: readonly string[]): readonly string[] => ['--conditions=loom-source', '--no-warnings', bin, ...given]

const run = (...given: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, args(given), { cwd: project, env })

function ended(child: ChildProcess): Promise<readonly [number | null, string | null]> {
  return new Promise((settle) => child.once('exit', (code, signal) => settle([code, signal])))
}

beforeAll(async () => {
  await sqlite(env.LOOM_JOURNAL).close()
  await run('run', 'Look for the order number.', '--thread', 'user-123')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('an answer in a pipe is the answer alone, without colours and without what people read beside it', async () => {
  const { stdout, stderr } = await run('run', 'Hello.')
  expect(stdout).toBe('All is well.\n')
  expect(stderr).toMatch(/^done .* 1 step/m)
  const listed = await run('runs', '--json')
  expect(JSON.parse(listed.stdout)).toHaveLength(2)
})

test('the input of a run may come from a pipe', async () => {
  const child = spawn(process.execPath, args(['run', '-', '--json']), { cwd: project, env })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stdin.end('Hello.')
  expect(await ended(child)).toEqual([0, null])
  expect(JSON.parse(out)).toMatchObject({ status: 'done', text: 'All is well.' })
})

test('a reader that goes away ends the command without an error', async () => {
  const child = spawn('bash', ['-o', 'pipefail', '-c', `"$0" "$@" | head -1`, process.execPath, ...args(['export', 'user-123'])], {
    cwd: project,
    env,
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  expect([await ended(child), err]).toEqual([[0, null], ''])
})

test('agents are served until the process is asked to end, to who has the token of the start', async () => {
  const child = spawn(process.execPath, args(['serve', '--port', '0', '--json']), { cwd: project, env })
  const line = await new Promise<string>((settle) => child.stdout.once('data', (chunk: Buffer) => settle(chunk.toString())))
  const { url, startUrl } = JSON.parse(line) as { url: string; startUrl: string }
  const token = startUrl.split('#token=')[1] ?? ''
  const asked = { headers: { authorization: `Bearer ${token}` } }
  expect((await fetch(`${url}/api/v1/threads`)).status).toBe(401)
  const listed = (await (await fetch(`${url}/api/v1/threads`, asked)).json()) as { items: { thread: string }[] }
  expect(listed.items.map(({ thread }) => thread)).toContain('user-123')
  child.kill('SIGTERM')
  expect(await ended(child)).toEqual([143, null])
})

test('a key opens what its scopes allow, and the file of the server holds no key', async () => {
  const { key, record } = JSON.parse((await run('key', 'dashboard', '--scopes', 'read')).stdout) as { key: string; record: object }
  expect(JSON.stringify(record)).not.toContain(key.split('_')[2])
  const keys = join(folder, 'keys.json')
  writeFileSync(keys, JSON.stringify([record]))
  const child = spawn(process.execPath, args(['serve', '--port', '0', '--keys', keys, '--host', '0.0.0.0']), { cwd: project, env })
  const url = (await new Promise<string>((settle) => child.stdout.once('data', (chunk: Buffer) => settle(chunk.toString()))))
    .trim()
    .replace('0.0.0.0', '127.0.0.1')
  const asked = { headers: { authorization: `Bearer ${key}` } }
  expect((await fetch(`${url}/api/v1/threads`, asked)).status).toBe(200)
  expect((await fetch(`${url}/api/v1/agents/support/runs`, { ...asked, method: 'POST', body: '{"input":"Hi"}' })).status).toBe(403)
  child.kill('SIGTERM')
  await ended(child)
  await expect(run('serve', '--port', '0', '--host', '0.0.0.0')).rejects.toMatchObject({ code: 2 })
})

test('an exit code says how the command ended', async () => {
  await expect(run('show', 'nobody')).rejects.toMatchObject({ code: 7, stdout: '' })
  await expect(run('run', 'Pay bob.')).rejects.toMatchObject({ code: 4 })
  await expect(run('nothing')).rejects.toMatchObject({ code: 2 })
})
