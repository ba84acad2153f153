/** Loom's server over lines, used by the inspector of the protocol and by Loom's own client. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { respond } from '@loom-agent/agent'
import { type Mcp, mcp } from '@loom-agent/tools/mcp'
import { afterEach, expect, test } from 'vitest'
import { call, caller, outputOf } from './mcp-setup.ts'

const inspector = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const program = join(import.meta.dirname, 'served-process.ts')
const run = promisify(execFile)

const opened: Mcp[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** What the inspector prints. */
async function inspect(...given: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [inspector, '--cli', process.execPath, '--conditions=loom-source', program, ...given])
  return JSON.parse(stdout)
}

test('the inspector lists and calls tools and agents', async () => {
  expect(await inspect('--method', 'tools/list')).toMatchObject({
    tools: [{ name: 'clerk' }, { name: 'add', description: 'Adds two numbers.' }, { name: 'mail' }],
  })
  const added = await inspect('--method', 'tools/call', '--tool-name', 'add', '--tool-arg', 'a=2', 'b=3')
  expect(added).toMatchObject({ content: [{ text: '{"sum":5}' }] })
  const said = await inspect('--method', 'tools/call', '--tool-name', 'clerk', '--tool-arg', 'prompt=When?')
  expect(said).toMatchObject({ content: [{ text: 'We open at nine.' }] })
})

test("Loom's client uses it over both protocols, and its questions are questions of the thread", async () => {
  for (const protocol of ['auto', '2025'] as const) {
    const servers = mcp({ servers: { shop: { command: process.execPath, args: ['--conditions=loom-source', program], protocol } } })
    opened.push(servers)
    expect(await call(servers, 'shop_add', { a: 2, b: 3 })).toContain('{"sum":5}')
    const sender = caller(servers, 'shop_mail', { input: { to: 'ann' } })
    const asked = await sender.run('Go.', { thread: 't' })
    expect(asked.questions).toMatchObject([{ prompt: expect.stringContaining('May mail run with these arguments?') }])
    await sender.answer(asked.questions[0]?.id ?? '', respond({ decision: 'approve' }))
    expect(outputOf(await sender.resume('t').result())).toContain('sent to ann')
  }
})
