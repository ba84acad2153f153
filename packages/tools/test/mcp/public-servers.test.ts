/** Real public servers, as npm has them: `server-everything` and `server-filesystem`, over lines and over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { respond } from '@loom-agent/agent'
import { type Mcp, mcp } from '@loom-agent/tools/mcp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../../test/support/event-loop.ts'
import { call, caller, outputOf } from './mcp-setup.ts'

const packages = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol')
const everything = join(packages, 'server-everything/dist/index.js')
const filesystem = join(packages, 'server-filesystem/dist/index.js')

let folder: string
const opened: Mcp[] = []
const programs: ChildProcess[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-public-')))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  for (const program of programs.splice(0)) program.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const open = (options: Parameters<typeof mcp>[0]): Mcp => {
  const made = mcp(options)
  opened.push(made)
  return made
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('server-filesystem reads and writes in its folder, and refuses other paths', async () => {
  const servers = open({ servers: { files: { command: process.execPath, args: [filesystem, folder] } } })
  writeFileSync(join(folder, 'a.txt'), 'Inside.')
  expect(Object.keys(await servers.tools())).toHaveLength(14)
  expect(await call(servers, 'files_read_text_file', { path: join(folder, 'a.txt') })).toContain('Inside.')
  await call(servers, 'files_write_file', { path: join(folder, 'b.txt'), content: 'Written.' })
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('Written.')
  const refused = await caller(servers, 'files_read_text_file', { input: { path: '/etc/passwd' } }).run('Go.')
  expect(refused.steps[0]?.calls[0]).toMatchObject({ status: 'error', output: expect.stringContaining('Access denied') })
})

test('server-everything over lines: texts, images, structured content, progress, resources, prompts', async () => {
  const servers = open({ servers: { every: { command: process.execPath, args: [everything, 'stdio'] } } })
  const names = Object.keys(await servers.tools())
  expect(names).toEqual(expect.arrayContaining(['every_echo', 'every_get-sum', 'every_get-tiny-image', 'every_resources_read']))
  expect(await call(servers, 'every_echo', { message: 'hello' })).toContain('Echo: hello')
  expect(await call(servers, 'every_get-sum', { a: 2, b: 3 })).toContain('5')
  expect(await call(servers, 'every_get-tiny-image')).toContainEqual(expect.objectContaining({ type: 'file', mediaType: 'image/png' }))
  expect(await call(servers, 'every_get-structured-content', { location: 'New York' })).toContain('temperature')
  expect(await call(servers, 'every_trigger-long-running-operation', { duration: 0.5, steps: 3 })).toContain('completed')
  const resources = await servers.resources('every')
  expect(resources.length).toBeGreaterThan(3)
  expect(await servers.resource('every', resources[0]?.uri ?? '')).not.toEqual([])
  expect((await servers.prompts('every')).map(({ name }) => name)).toContain('simple-prompt')
  expect(await servers.prompt('every', 'simple-prompt')).toMatchObject([
    { role: 'user', content: [{ text: expect.stringContaining('simple prompt') }] },
  ])
})

test('server-everything runs a task, whose question is one of the thread', async () => {
  const servers = open({ servers: { every: { command: process.execPath, args: [everything, 'stdio'] } } })
  const tools = Object.keys(await servers.tools())
  expect(tools).toContain('every_simulate-research-query')
  const done = await caller(servers, 'every_simulate-research-query', { input: { topic: 'tides' } }).run('Go.')
  expect(outputOf(done)).toContain('tides')
  const asking = caller(servers, 'every_simulate-research-query', { input: { topic: 'mercury', ambiguous: true } })
  const asked = await asking.run('Go.', { thread: 't' })
  expect(asked).toMatchObject({ status: 'waiting', questions: [{ kind: 'choice', prompt: expect.stringContaining('The MCP server every asks') }] })
  const [, choice] = /"const":"([^"]+)"/.exec(JSON.stringify(asked.questions[0]?.show)) ?? []
  await asking.answer(asked.questions[0]?.id ?? '', respond({ interpretation: choice }))
  expect(outputOf(await asking.resume('t').result())).toContain('mercury')
}, 120_000)

test('server-everything over HTTP', async () => {
  const port = await freePort()
  const program = spawn(process.execPath, [everything, 'streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' })
  programs.push(program)
  const url = `http://127.0.0.1:${port}/mcp`
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  const servers = open({ servers: { every: { url } } })
  expect(await call(servers, 'every_echo', { message: 'hello' })).toContain('Echo: hello')
  expect(await call(servers, 'every_get-sum', { a: 20, b: 3 })).toContain('23')
})
