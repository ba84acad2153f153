/** Attacks on the file tools: leaving the root, protected paths, journals (CONFINE-1 to CONFINE-3, GUARD-1, GUARD-2, JOURNAL-FILE-1, PERM-15). */
import { spawn } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent, type LeastVerdict } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { isLoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWorld, secret, type ToolName, type World } from '../../packages/tools/test/world.ts'
import { noteFigure } from './figure.ts'
import { pathForms } from './path-corpus.ts'

let world: World
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

const inputs: Readonly<Record<ToolName, (path: string) => object>> = {
  read_file: (path) => ({ path, version: true }),
  write_file: (path) => ({ path, content: 'evil' }),
  edit: (path) => ({ path, edits: [{ old: 'secret', new: 'evil', all: true }] }),
  delete_file: (path) => ({ path }),
  list: (path) => ({ path, recursive: true }),
  glob: (path) => ({ path, pattern: '**', hidden: true, ignored: true }),
  grep: (path) => ({ path, pattern: '.', hidden: true, ignored: true }),
  file_search: (path) => ({ path, query: 's', hidden: true, ignored: true }),
}
/** What deletes comes last. */
const tools = ['read_file', 'list', 'glob', 'grep', 'file_search', 'edit', 'write_file', 'delete_file'] as const

/** Everything in a folder, without what links lead to. */
const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => [entry.name, ...(entry.isDirectory() ? namesIn(join(folder, entry.name)).map((name) => `${entry.name}/${name}`) : [])])
    .sort()

describe('no tool leaves the root', () => {
  it('in at least 200 forms of paths', () => {
    const forms = new Set(pathForms.map(({ name, path }) => `${name} ${String(path)}`)).size
    expect(forms).toBeGreaterThanOrEqual(200)
    noteFigure({ what: 'forms of paths that try to leave the folder, each with every file tool', tried: forms, wrong: 0 })
  })

  it.each(pathForms.map((form) => [form.name, form] as const))('%s', async (_, { path: given, arrange, expect: outcome }) => {
    arrange?.(world)
    const before = world.around()
    const inside = namesIn(world.root)
    const path = typeof given === 'string' ? given : given(world)
    for (const name of tools) {
      const said = await world.call(name, inputs[name](path))
      const text = isLoomError(said) ? said.message : JSON.stringify(said)
      expect(text, name).not.toContain(secret)
      expect(text, name).not.toContain('root:x:')
      if (outcome === 'refused') expect(isLoomError(said), `${name} returned ${text}`).toBe(true)
    }
    expect(world.around()).toBe(before)
    if (outcome === 'refused') expect(namesIn(world.root)).toEqual(inside)
  })

  it('a search of everything goes through no link', async () => {
    symlinkSync(world.outside, world.inRoot('d'))
    symlinkSync(join(world.outside, 'secret.txt'), world.inRoot('secret.txt'))
    for (const name of ['glob', 'grep', 'file_search'] as const) expect(String(await world.call(name, inputs[name]('.'))), name).toMatch(/^No /)
  })

  it('a file that is shared with one outside is never changed there', async () => {
    for (const name of ['edit', 'write_file', 'delete_file'] as const) {
      linkSync(join(world.outside, 'secret.txt'), world.inRoot(name))
      expect(isLoomError(await world.call(name, inputs[name](name))), name).toBe(false)
    }
    expect(readFileSync(join(world.outside, 'secret.txt'), 'utf8')).toBe(secret)
  })
})

/** Exchanges two pairs of names as fast as it can: a folder and a link to the outside, a file and a link to a secret. */
const swapper = `
  const { existsSync, renameSync, rmSync } = require('node:fs')
  process.chdir(process.argv[1])
  const parent = process.ppid
  const move = (from, to) => {
    for (;;) {
      try { return renameSync(from, to) } catch {}
      // The test is over, or its process was lost.
      if (!existsSync(process.argv[1]) || process.ppid !== parent) process.exit()
      try { rmSync(to, { recursive: true, force: true }) } catch {}
    }
  }
  process.stdout.write('go')
  for (let round = 0; round < Number(process.argv[2]); round += 1) {
    move('d', 't'); move('l', 'd'); move('d', 'l'); move('t', 'd')
    move('f', 't'); move('m', 'f'); move('f', 'm'); move('t', 'f')
  }
`
const rounds = process.env['LOOM_RACE_ROUNDS'] ?? '6000'

describe('names that are exchanged at any moment', () => {
  it('let nothing in and nothing out, and show no secret', async () => {
    mkdirSync(world.inRoot('d'))
    writeFileSync(world.inRoot('d', 'secret.txt'), 'harmless')
    symlinkSync(world.outside, world.inRoot('l'))
    writeFileSync(world.inRoot('.env'), secret)
    writeFileSync(world.inRoot('f'), 'harmless')
    symlinkSync('.env', world.inRoot('m'))
    const before = world.around()
    const child = spawn(process.execPath, ['-e', swapper, world.root, rounds])
    await new Promise((done) => child.stdout.once('data', done))
    let running = true
    const ended = new Promise<void>((done) => child.once('exit', () => done())).then(() => {
      running = false
    })
    let calls = 0
    for (let number = 0; running || number < 5; number += 1) {
      const said = await Promise.all([
        ...tools.slice(0, 6).map((name) => world.call(name, inputs[name](name === 'edit' || name === 'read_file' ? 'd/secret.txt' : 'd'))),
        world.call('write_file', { path: `d/w${number % 3}.txt`, content: 'x' }, { key: `w${number}` }),
        world.call('delete_file', { path: `d/w${(number + 1) % 3}.txt` }),
        world.call('read_file', { path: 'f' }),
        world.call('grep', { path: 'f', pattern: '.' }),
      ])
      for (const each of said) expect(isLoomError(each) ? each.message : JSON.stringify(each)).not.toContain(secret)
      calls += said.length
    }
    await ended
    expect(world.around()).toBe(before)
    expect(readFileSync(world.inRoot('.env'), 'utf8')).toBe(secret)
    expect(calls).toBeGreaterThanOrEqual(50)
    noteFigure({ what: 'calls of file tools while another process exchanges names', tried: calls, wrong: 0 })
    expect(child.exitCode).toBe(0)
  }, 600_000)
})

/** Spellings of protected paths, and whether they are protected against reading, too. */
const protectedForms: readonly (readonly [path: string, access: 'read' | 'write'])[] = [
  ['.env', 'read'],
  ['.ENV', 'read'],
  ['a/b/.env.production', 'read'],
  ['.ｅｎｖ', 'read'],
  ['.env.', 'read'],
  ['.env ', 'read'],
  ['.env::$DATA', 'read'],
  ['.env:x', 'read'],
  ['ENV~1', 'read'],
  ['.ſsh/id_rsa', 'read'],
  ['.ssh/known_hosts', 'read'],
  ['x/../.ssh/config', 'read'],
  ['deploy.Pem', 'read'],
  ['.loom/x', 'read'],
  ['.git/hooks/pre-commit', 'write'],
  ['.gıt/config', 'write'],
  ['.gIT/config', 'write'],
  ['GIT~2/config', 'write'],
  ['a/.git', 'write'],
  ['.github/workflows/x.yml', 'write'],
  ['.husky/x', 'write'],
  ['.vscode/tasks.json', 'write'],
  ['package.json', 'write'],
  ['.zshrc', 'write'],
]

describe('protected paths ask', () => {
  it.each(protectedForms)('%s, in whatever spelling (%s)', (path, access) => {
    const { read_file, grep, write_file, edit, delete_file } = world.tools
    for (const each of [write_file, edit, delete_file, ...(access === 'read' ? [read_file, grep] : [])]) {
      const { permission, name } = toolDefinitionOf(each)
      const verdict = typeof permission === 'function' ? (permission({ path }, {} as never) as LeastVerdict) : undefined
      expect(verdict?.atLeast, name).toBe('ask')
      expect(verdict?.reason, name).toContain('is protected')
    }
  })

  it('although rules allow everything', async () => {
    writeFileSync(world.inRoot('.env'), secret)
    const model = scriptedModel([{ calls: [{ tool: 'read_file', input: { path: '.env' } }] }, 'Done.'])
    const { status } = await agent({ model, tools: fileTools({ root: world.root }), permissions: { '*': 'allow' } }).run('Read it.')
    expect(status).toBe('waiting')
  })

  it('and links to them are refused', async () => {
    writeFileSync(world.inRoot('.env'), secret)
    mkdirSync(world.inRoot('.git'))
    symlinkSync('.env', world.inRoot('notes'))
    symlinkSync('.git', world.inRoot('g'))
    for (const name of ['read_file', 'grep', 'edit', 'write_file', 'delete_file'] as const) {
      expect(isLoomError(await world.call(name, inputs[name]('notes'))), name).toBe(true)
    }
    for (const path of ['g/config', 'g/hooks/x']) expect(isLoomError(await world.call('write_file', { path, content: 'x' }))).toBe(true)
    expect(namesIn(world.inRoot('.git'))).toEqual([])
  })

  it('and searches leave their content out', async () => {
    writeFileSync(world.inRoot('.env'), secret)
    writeFileSync(world.inRoot('server.key'), secret)
    mkdirSync(world.inRoot('.ssh'))
    writeFileSync(world.inRoot('.ssh', 'x'), secret)
    expect(String(await world.call('grep', { pattern: secret, hidden: true }))).toMatch(/^No line matches\.\n\[left out: \.env, \.ssh\/, server\.key/)
  })
})

describe('the files of journals', () => {
  it.each([
    ['a database', 'x.bin', 'SQLite format 3\0'],
    ['a database with its usual name', 'loom.db', 'SQLite format 3\0'],
    ['the log of a database that is not there yet', 'loom.db-wal', undefined],
    ['the old log of one', 'loom.db-journal', undefined],
    ['a thread', 'notes.txt', '{"loom":"thread","format":2}'],
    ['what the program names', 'store/x', undefined],
  ])('are not changed: %s', async (_, path, content) => {
    const named = fileTools({ root: world.root, journals: [world.inRoot('store')] })
    if (content !== undefined) writeFileSync(world.inRoot(path), content)
    for (const name of ['write_file', 'edit', 'delete_file'] as const) {
      const context = {
        signal: new AbortController().signal,
        step: async (step: string, run: (given: object) => unknown) => run({ key: step, signal: context.signal }),
      }
      expect(isLoomError(await toolDefinitionOf(named[name]).run(inputs[name](path), context as never)), name).toBe(true)
    }
    expect(namesIn(world.root)).toEqual(content === undefined ? [] : [path])
    if (content !== undefined) expect(readFileSync(world.inRoot(path), 'utf8')).toBe(content)
  })
})
