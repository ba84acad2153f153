/** The umbrella as it is built: importing it does no work, and it exports what its page lists. */
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { ImportReport } from './import-watch.ts'

const root = join(import.meta.dirname, '..')

/** Imports a module in a process of its own. */
async function watchImport(name: string): Promise<ImportReport> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'test/import-watch.ts'), name], { cwd: root })
  return JSON.parse(stdout) as ImportReport
}

/** The packages that modules belong to: those of the workspace by their folder, others by name. */
const packagesOf = ({ modules }: ImportReport): readonly string[] =>
  [
    ...new Set(
      modules
        .map((url) => /(packages\/[^/]+\/dist)|node_modules\/((?:@[^/]+\/)?[^/]+)|^node:.*/.exec(url))
        .map((at) => at?.[1] ?? at?.[2] ?? at?.[0] ?? '?'),
    ),
  ].sort()

describe.each(['loom-agent', 'loom-agent/compat'])('importing %s', (name) => {
  test('sets no timer, opens nothing, reads no file and looks at no variable of the environment', async () => {
    const report = await watchImport(name)
    expect(report.calls).toEqual([])
    expect(report.handles).toEqual([])
  })

  test('loads what is built here and nothing else: no schema library, no SDK, no tokenizer', async () => {
    const loaded = packagesOf(await watchImport(name))
    expect(loaded).toContain('packages/loom-agent/dist')
    // Modules of Node are there already; loading them does no work.
    expect(loaded.filter((name) => !name.startsWith('packages/') && !name.startsWith('node:'))).toEqual([])
  })
})

test('importing loom-agent loads at most 420 kB of code, because the time that it takes grows with that', async () => {
  const { modules } = await watchImport('loom-agent')
  const files = modules.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  expect(bytes).toBeGreaterThan(100 * 1024)
  expect(bytes).toBeLessThanOrEqual(420 * 1024)
})

describe('a Node without SQLite', () => {
  const program = `
    import { agent, memoryJournal, sqlite } from 'loom-agent'
    agent({ name: 'a', journal: memoryJournal() })
    try { sqlite(':memory:') } catch ({ code, message }) { console.log(JSON.stringify({ code, message })) }`

  test('imports the umbrella, and gets an error that says what to do when it opens a SQLite journal', async () => {
    const args = ['--no-experimental-sqlite', '--input-type=module', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
    expect(JSON.parse(stdout)).toEqual({
      code: 'LOOM_JOURNAL_UNUSABLE',
      message: expect.stringMatching(/^sqlite\(\) needs a newer SQLite than Node v[\d.]+ has\. Use Node 22\.16 or newer, or another journal/),
    })
  })
})

describe('an import that does work is noticed', () => {
  const program = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

  test.each([
    ['a timer', `setTimeout(() => {}, 10_000)`, { calls: ['globalThis.setTimeout'], handles: ['Timeout'] }],
    ['a timer of the module', `import { setInterval } from 'node:timers'; setInterval(() => {}, 10_000)`, { calls: ['timers.setInterval'] }],
    ['a look at the environment', `process.env.HOME`, { calls: ['env.HOME'] }],
    ['a scan of the environment', `Object.keys(process.env); 'HOME' in process.env`, { calls: ['env.*', 'env.HOME'] }],
    ['a file', `import { existsSync } from 'node:fs'; existsSync('package.json')`, { calls: ['fs.existsSync'] }],
    ['a file, later', `import fs from 'node:fs/promises'; await fs.readFile('package.json')`, { calls: ['fs/promises.readFile'] }],
    [
      'a server',
      `import net from 'node:net'; net.createServer().listen(0)`,
      { calls: ['net.createServer', 'net.Server.listen'], handles: ['TCPServerWrap'] },
    ],
    ['a request', `fetch('http://127.0.0.1:9').catch(() => {})`, { calls: ['globalThis.fetch'] }],
    ['a process', `import { spawn } from 'node:child_process'; spawn('true')`, { calls: ['child_process.spawn'] }],
  ])('by %s', async (_, code, expected) => {
    expect(await watchImport(program(code))).toMatchObject(expected)
  })

  test('by the packages that it loads', async () => {
    expect(packagesOf(await watchImport('zod'))).toEqual(['zod'])
    expect(packagesOf(await watchImport(program(`import 'node:crypto'`)))).toContain('node:crypto')
  })
})

test('the umbrella exports exactly the functions that the page of the API lists', async () => {
  const page = readFileSync(join(root, 'docs/reference/api.md'), 'utf8')
  const sections = page.split(/^(?=## )/m)
  const headed = [...page.matchAll(/^## (\w+)\(/gm)].map(([, name = '']) => name)
  const tabled = sections
    .filter((section) => /^## (Answers|Other functions)$/m.test(section))
    .flatMap((section) => section.split('\n').filter((line) => line.startsWith('| `')))
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)/g)].map(([, name = '']) => name))
  expect(headed).toEqual(['agent', 'tool'])
  expect([...headed, ...tabled].sort()).toEqual((await watchImport('loom-agent')).exports)
})

/** What only packages that build on the agent need: they import it from there. */
const forHosts = 'AgentFactory AgentHost DefineAgent Hash Ids Random completePorts createAgentFactory hookPoints sectionNames systemClock'.split(' ')

const exportedBy = (file: string): readonly string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')

test('the umbrella exports every name of the agent but those for packages that build on it, so that each type of an option can be named', () => {
  const umbrella = new Set(exportedBy('packages/loom-agent/src/index.ts'))
  const missing = exportedBy('packages/agent/src/index.ts').filter((name) => !umbrella.has(name))
  expect(missing.toSorted()).toEqual(forHosts)
})
