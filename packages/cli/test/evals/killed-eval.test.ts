/** An eval whose processes are killed: the same table as one that was left alone, and each case paid once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PayingServer, startPayingServer, writeProject } from './eval-project.ts'

const bin = join(import.meta.dirname, '../../../loom-agent/bin/loom.js')
const folders: string[] = []
let server: PayingServer

/** A folder inside of the workspace, from which packages are found. */
function newProject(): string {
  const folder = mkdtempSync(join(import.meta.dirname, 'tmp-'))
  folders.push(folder)
  writeProject(folder)
  return folder
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly out: string; readonly err: string }>
}

function start(folder: string, ...more: readonly string[]): Running {
  const args = ['--conditions=loom-source', '--no-warnings', bin, 'eval', 'cases.jsonl', '--thread', 'nightly', '--parallel', '4', '-q', ...more]
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1', PAYING_SERVER: server.url } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  return { child, ended: new Promise((settle) => child.once('close', (code, signal) => settle({ code, signal, out, err }))) }
}

beforeAll(async () => {
  server = await startPayingServer()
})
afterAll(async () => {
  await server.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

test('an eval of 100 cases that is killed three times comes to the table of one that was left alone, and each case is paid once', async () => {
  const undisturbed = await start(newProject(), '--threshold', '0.9').ended
  expect(undisturbed).toMatchObject({ code: 0, err: '' })
  expect(undisturbed.out).toMatch(/support +90\/100 +90\.0 %/)
  const paidAlone = new Map(server.paid)
  expect(server.paid.size).toBe(100)
  const before = [...paidAlone.values()].reduce((sum, one) => sum + one, 0)

  const folder = newProject()
  for (const after of [20, 45, 80]) {
    // With all four places held, what was answered before is in the journal: its place was free for another case.
    const full = server.holdAfter(before + after, 4)
    const running = start(folder)
    await full
    running.child.kill('SIGKILL')
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL', out: '' })
    server.letGo()
  }
  const last = await start(folder, '--threshold', '0.9').ended
  expect(last).toEqual(undisturbed)
  expect([...server.paid.values()]).toEqual(Array.from({ length: 100 }, () => 2))
  expect(server.asked()).toBe(200 + 3 * 4)

  // Said again, it asks nobody.
  expect(await start(folder, '--threshold', '0.9').ended).toEqual(undisturbed)
  expect(await start(folder, '--threshold', '0.95').ended).toMatchObject({ code: 6, out: undisturbed.out })
  expect(server.asked()).toBe(212)
}, 240_000)
