/** Scripts run on the Node that the project has locked, whichever Node and npm started them: `tools/node.mjs`. */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const name = `node-${process.platform}-${process.arch}`
let project: string
let modules: string

/** A project as `npm ci` of an old npm leaves it: Node is in its package, and nothing is linked. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'loom-node-'))
  modules = join(project, 'node_modules')
  mkdirSync(join(project, 'tools'))
  mkdirSync(join(modules, '.bin'), { recursive: true })
  mkdirSync(join(modules, name, 'bin'), { recursive: true })
  copyFileSync(join(import.meta.dirname, '../tools/node.mjs'), join(project, 'tools/node.mjs'))
  symlinkSync(process.execPath, join(modules, name, 'bin/node'))
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

/** Makes the process that starts the file one of an older Node. */
const older = ['--import', 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})']
const start = (before: readonly string[], ...given: readonly string[]) =>
  spawnSync(process.execPath, [...before, join(project, 'tools/node.mjs'), ...given], { encoding: 'utf8' })
const linked = (): string => readlinkSync(join(modules, '.bin/node'))

describe('an older Node', () => {
  test('runs the one that was installed, with all arguments, and returns its exit code', () => {
    const { stdout, status } = start(older, '-e', 'console.log(process.execPath, process.argv.slice(1).join()); process.exit(7)', 'a', 'b c')
    expect(stdout.trim()).toBe(`${realpathSync(process.execPath)} a,b c`)
    expect(status).toBe(7)
  })

  test('links it for npx and for the programs that scripts call, where npm has not', () => {
    start(older, '--version')
    expect(linked()).toBe(`../${name}/bin/node`)
    expect(start(older, '--version').status).toBe(0)
  })

  test('repairs a link that leads nowhere', () => {
    symlinkSync('../gone/bin/node', join(modules, '.bin/node'))
    start(older, '--version')
    expect(linked()).toBe(`../${name}/bin/node`)
  })

  test('puts it first in the path of what it starts', () => {
    const { stdout } = start(older, '-p', 'process.env.PATH')
    expect(stdout.split(delimiter)[0]).toBe(join(modules, name, 'bin'))
  })

  test('says what to do where none was installed', () => {
    rmSync(join(modules, name), { recursive: true })
    const { status, stderr } = start(older, '--version')
    expect(status).toBe(1)
    expect(stderr).toContain(`node_modules has no Node for ${process.platform}-${process.arch}. Run "npm ci"`)
  })
})

test('a Node that is new enough runs the program itself, and links nothing', () => {
  expect(start([], '-p', 'process.version').stdout.trim()).toBe(process.version)
  expect(linked).toThrow('ENOENT')
})

test('a signal ends the program, and then what started it', async () => {
  const child = spawn(process.execPath, [join(project, 'tools/node.mjs'), '-e', 'process.stdin.resume(); console.log("up")'])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGTERM')
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(143)
})

test('every script that calls Node calls it through tools/node.mjs', () => {
  const calls = Object.values(manifest.scripts).flatMap((script) => script.match(/\bnode \S+/g) ?? [])
  expect(calls.length).toBeGreaterThan(8)
  expect(calls.filter((call) => call !== 'node tools/node.mjs')).toEqual([])
})
