/** What is left when a process ends, and what happens without the packages of the protocol. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../../test/support/event-loop.ts'
import { keepWorlds, textResult } from './mcp-setup.ts'

const worlds = keepWorlds()
afterEach(() => worlds.close())
const run = promisify(execFile)

/** The processes whose command line has a text. */
const processesWith = (text: string): readonly string[] =>
  readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && id !== String(process.pid) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })

test('a process that has not closed its servers ends, and its servers end with it', async () => {
  const world = worlds.open({ tools: [{ name: 'fork', does: [{ reply: textResult('Forked.') }] }] })
  const program = join(import.meta.dirname, 'unclosed-process.ts')
  const { stdout } = await run(process.execPath, ['--conditions=loom-source', program, world.script, world.folder])
  expect(stdout).toContain('Forked.')
  await until(() => processesWith(world.script).length === 0)
})

test('a missing package is an error that says how to install it', async () => {
  expect(existsSync(join(import.meta.dirname, '../../src/mcp.ts'))).toBe(true)
  const hook = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (name.startsWith('@modelcontextprotocol/')) throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(name, context)
} })`
  const program = `import { mcp, serveMcp } from '@loom-agent/tools/mcp'
import { memoryJournal, tool } from '@loom-agent/agent'
const servers = mcp({ servers: { a: { command: 'true' } } })
console.log(Object.keys(await servers.tools()).length, servers.notices()[0].message)
const served = serveMcp({ name: 's', tools: { t: tool({ run: () => 1 }) }, journal: memoryJournal() })
await served.fetch(new Request('http://localhost/')).catch((error) => console.log(error.code, error.message))`
  const args = ['--conditions=loom-source', '--import', `data:text/javascript,${encodeURIComponent(hook)}`, '--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname })
  expect(stdout).toContain(
    '0 MCP needs the package @modelcontextprotocol/client, which is not installed. Install it: npm install @modelcontextprotocol/client',
  )
  expect(stdout).toContain('LOOM_PACKAGE_MISSING MCP needs the package @modelcontextprotocol/server, which is not installed.')
})
