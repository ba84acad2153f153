/** The command as a process: what a shell, a pipe and a signal see of it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
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

test('an exit code says how the command ended', async () => {
  await expect(run('show', 'nobody')).rejects.toMatchObject({ code: 7, stdout: '' })
  await expect(run('run', 'Pay bob.')).rejects.toMatchObject({ code: 4 })
  await expect(run('nothing')).rejects.toMatchObject({ code: 2 })
})
