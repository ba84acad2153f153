/** Attempts to leave the root. All are refused, nothing outside changes, and nothing of it is shown (CONFINE-1 to CONFINE-3). */
import { execFileSync, spawn } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isLoomError } from '@loom-agent/kernel'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorld, secret, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

interface Attack {
  readonly name: string
  readonly tool: 'read_file' | 'write_file' | 'list'
  readonly path: string | ((world: World) => string)
  readonly arrange?: (world: World) => void
}

const link =
  (target: string, name: string) =>
  (w: World): void =>
    symlinkSync(target.replace('{outside}', w.outside), w.inRoot(name))

/** Paths that lead out by their text alone; tried with every tool. */
const texts: readonly (readonly [string, string | ((world: World) => string)])[] = [
  ['..', '..'],
  ['.. and a name', '../outside/secret.txt'],
  ['.. after a folder', 'a/../../outside/secret.txt'],
  ['dots and slashes', './/..//../outside//secret.txt'],
  ['an absolute path', (w) => join(w.outside, 'secret.txt')],
  ['an absolute path through the root', (w) => `${w.root}/../outside/secret.txt`],
  ['two slashes in front', (w) => `//${w.outside}/secret.txt`],
  ['a drive', 'C:\\Windows\\win.ini'],
  ['a drive with slashes', 'C:/Windows/win.ini'],
  ['a drive without a slash', 'D:evil.txt'],
  ['a UNC path', '\\\\server\\share\\secret.txt'],
  ['a device path of Windows', '\\\\.\\PhysicalDrive0'],
  ['backslashes', '..\\outside\\secret.txt'],
  ['mixed slashes', 'a\\..\\../../outside/secret.txt'],
  ['a NUL', 'secret.txt\0.png'],
  ['a NUL behind dots', '..\0/outside/secret.txt'],
  ['a newline', 'a\n../outside/secret.txt'],
  ['an invisible character', '.\u200b./outside/secret.txt'],
  ['a turned direction', '\u202e../outside/secret.txt'],
  ['half a character', '\ud800/secret.txt'],
  ['a home folder', '~/.ssh/id_rsa'],
  ['a path of 5,000 characters', 'a/'.repeat(2500)],
  ['a name of 300 characters', 'a'.repeat(300)],
]

/** Links and things that are no files. */
const arranged: readonly Attack[] = [
  { name: 'reading a link to a file outside', tool: 'read_file', path: 'l', arrange: link('../outside/secret.txt', 'l') },
  { name: 'reading an absolute link', tool: 'read_file', path: 'l', arrange: link('{outside}/secret.txt', 'l') },
  { name: 'reading through a link to a folder outside', tool: 'read_file', path: 'd/secret.txt', arrange: link('{outside}', 'd') },
  { name: 'reading through a link to the parent', tool: 'read_file', path: 'up/outside/secret.txt', arrange: link('..', 'up') },
  {
    name: 'reading through a chain of links',
    tool: 'read_file',
    path: 'one',
    arrange: (w) => {
      link('two', 'one')(w)
      link('three', 'two')(w)
      link('{outside}/secret.txt', 'three')(w)
    },
  },
  {
    name: 'reading through a link inside a linked folder',
    tool: 'read_file',
    path: 'b/out/secret.txt',
    arrange: (w) => {
      mkdirSync(w.inRoot('a'))
      link('a', 'b')(w)
      symlinkSync(w.outside, w.inRoot('a', 'out'))
    },
  },
  { name: 'reading a link to itself', tool: 'read_file', path: 'l', arrange: link('l', 'l') },
  { name: 'reading a device', tool: 'read_file', path: 'zero', arrange: link('/dev/zero', 'zero') },
  { name: 'reading the environment of the process', tool: 'read_file', path: 'env', arrange: link('/proc/self/environ', 'env') },
  { name: 'reading an open file of the process', tool: 'read_file', path: 'fd', arrange: link('/proc/self/fd/0', 'fd') },
  { name: 'reading a pipe', tool: 'read_file', path: 'pipe', arrange: (w) => void execFileSync('mkfifo', [w.inRoot('pipe')]) },
  { name: 'reading a file:// address', tool: 'read_file', path: (w) => `file://${w.outside}/secret.txt` },
  { name: 'reading encoded dots', tool: 'read_file', path: '%2e%2e/outside/secret.txt' },
  { name: 'reading wide dots', tool: 'read_file', path: '．．/outside/secret.txt' },
  { name: 'reading the root', tool: 'read_file', path: '.' },
  { name: 'writing through a link to a file outside', tool: 'write_file', path: 'l', arrange: link('../outside/secret.txt', 'l') },
  { name: 'writing through a link to nothing', tool: 'write_file', path: 'l', arrange: link('../outside/new.txt', 'l') },
  { name: 'writing through a link to a folder outside', tool: 'write_file', path: 'd/new.txt', arrange: link('{outside}', 'd') },
  { name: 'making folders through a link', tool: 'write_file', path: 'd/deep/er/new.txt', arrange: link('{outside}', 'd') },
  { name: 'making folders through a link to nothing', tool: 'write_file', path: 'd/new.txt', arrange: link('../outside/made', 'd') },
  { name: 'writing to a pipe', tool: 'write_file', path: 'pipe', arrange: (w) => void execFileSync('mkfifo', [w.inRoot('pipe')]) },
  { name: 'writing to a folder', tool: 'write_file', path: 'a', arrange: (w) => mkdirSync(w.inRoot('a')) },
  { name: 'writing below a file', tool: 'write_file', path: 'f/new.txt', arrange: (w) => writeFileSync(w.inRoot('f'), '') },
  { name: 'listing a link to a folder outside', tool: 'list', path: 'd', arrange: link('{outside}', 'd') },
  { name: 'listing a link to the parent', tool: 'list', path: 'up/outside', arrange: link('..', 'up') },
]

async function refused(attack: Attack): Promise<void> {
  attack.arrange?.(world)
  const before = world.around()
  const inside = namesIn(world.root)
  const path = typeof attack.path === 'string' ? attack.path : attack.path(world)
  const said = await world.call(attack.tool, attack.tool === 'write_file' ? { path, content: 'evil' } : { path })
  expect(isLoomError(said), `${attack.tool} ${JSON.stringify(path)} returned ${String(said)}`).toBe(true)
  expect(String(said)).not.toContain(secret)
  expect(world.around()).toBe(before)
  expect(namesIn(world.root)).toEqual(inside)
}

const namesIn = (folder: string): readonly string[] => readdirSync(folder, { recursive: true }).map(String).sort()

describe('a path that leads out by its text', () => {
  for (const tool of ['read_file', 'write_file', 'list'] as const) {
    for (const [name, path] of texts) test(`${tool} refuses ${name}`, () => refused({ name, tool, path }))
  }
})

describe('a path that leads out by what is there', () => {
  for (const attack of arranged) test(`${attack.name} is refused`, () => refused(attack))
})

test('a socket is refused', async () => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(world.inRoot('socket'), done))
  await refused({ name: 'socket', tool: 'read_file', path: 'socket' })
  await refused({ name: 'socket', tool: 'write_file', path: 'socket' })
  await new Promise((done) => server.close(done))
})

test('a listing of everything names links and does not follow them', async () => {
  symlinkSync(world.outside, world.inRoot('d'))
  expect(await world.call('list', { recursive: true })).toBe('d (link)')
})

test('writing a name that is shared with a file outside leaves that file alone', async () => {
  linkSync(join(world.outside, 'secret.txt'), world.inRoot('shared.txt'))
  expect(await world.call('write_file', { path: 'shared.txt', content: 'mine' })).toMatchObject({ path: 'shared.txt', bytes: 4 })
  expect(readFileSync(join(world.outside, 'secret.txt'), 'utf8')).toBe(secret)
})

test('a link inside the root is followed for reading', async () => {
  mkdirSync(world.inRoot('a'))
  writeFileSync(world.inRoot('a', 'note.txt'), 'inside')
  symlinkSync('a', world.inRoot('b'))
  symlinkSync('b/note.txt', world.inRoot('c'))
  expect(await world.call('read_file', { path: 'b/note.txt' })).toBe('inside')
  expect(await world.call('read_file', { path: 'c' })).toBe('inside')
  expect(await world.call('list', { path: 'b' })).toBe('note.txt')
})

/** Swaps a folder and a link to the outside as fast as it can, and removes what the tools created in between. */
const swapper = `
  const { existsSync, renameSync, rmSync } = require('node:fs')
  process.chdir(process.argv[1])
  const move = (from, to) => {
    for (;;) {
      try { return renameSync(from, to) } catch {}
      // The test is over, or its process was lost.
      if (!existsSync(process.argv[1])) process.exit()
      try { rmSync(to, { recursive: true, force: true }) } catch {}
    }
  }
  process.stdout.write('go')
  for (let round = 0; round < 15_000; round += 1) {
    move('d', 't'); move('l', 'd'); move('d', 'l'); move('t', 'd')
  }
`

test('a folder that is swapped for a link at any moment lets nothing in and nothing out', async () => {
  mkdirSync(world.inRoot('d'))
  writeFileSync(world.inRoot('d', 'secret.txt'), 'harmless')
  symlinkSync(world.outside, world.inRoot('l'))
  const before = world.around()
  const child = spawn(process.execPath, ['-e', swapper, world.root])
  await new Promise((done) => child.stdout.once('data', done))
  const said = { inside: 0, refused: 0 }
  let running = true
  const ended = new Promise<void>((done) => child.once('exit', () => done())).then(() => {
    running = false
  })
  for (let number = 0; running; number += 1) {
    const answers = await Promise.all([
      world.call('read_file', { path: 'd/secret.txt' }),
      world.call('write_file', { path: `d/w${number % 5}.txt`, content: 'x' }, { key: `k${number}` }),
      world.call('list', { path: 'd' }),
    ])
    for (const answer of answers) {
      expect(String(answer)).not.toContain(secret)
      if (isLoomError(answer)) said.refused += 1
      else said.inside += 1
    }
  }
  await ended
  expect(world.around()).toBe(before)
  expect(child.exitCode).toBe(0)
  expect(said.inside).toBeGreaterThan(10)
  expect(said.refused).toBeGreaterThan(10)
})
