/** What confined commands may do in repositories, and what becomes of code that they plant (HIDDEN-3, PLANTED-1, COMMAND-12). */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { codePaths, shellTools } from '@loom-agent/tools'
import { afterEach, expect, test } from 'vitest'
import { findHidden } from '../src/sandbox/hidden-paths.ts'
import { makeShellWorld, type ShellWorld } from './shell-world.ts'

let world: ShellWorld | undefined
const make = (options: Parameters<typeof makeShellWorld>[0] = {}): ShellWorld => {
  world = makeShellWorld({ sandbox: 'os', ...options })
  return world
}
afterEach(() => world?.remove())

const git = 'git -c user.name=a -c user.email=a@b.c'

test('a command works on a repository: it commits, branches, stashes and merges', async () => {
  const { bash, inFolder } = make()
  expect(await bash('git init -q -b main . && echo one > a')).toMatchObject({ exitCode: 0, output: '' })
  expect(readdirSync(inFolder('.git'))).toContain('config')
  writeFileSync(inFolder('package.json'), '{}')
  const steps = [
    `git add . && ${git} commit -qm one`,
    `git checkout -q -b side && echo two > a && ${git} commit -qam two && git checkout -q main`,
    `echo three > b && git add b && ${git} stash -q && git stash list && ${git} stash pop -q`,
    `${git} commit -qm three && ${git} merge -q side -m four && git log --oneline | wc -l && git status --short`,
  ]
  const outputs: string[] = []
  for (const step of steps) outputs.push((await bash(step)).output)
  expect(outputs).toEqual(['', '', expect.stringContaining('stash@{0}'), '4\n'])
  expect(readdirSync(inFolder('.')).sort()).toEqual(['.git', 'a', 'b', 'package.json'])
})

test('what a command makes that runs as code later is renamed, and the model reads that', async () => {
  const { bash, inFolder } = make()
  mkdirSync(inFolder('sub'))
  writeFileSync(inFolder('package.json.held'), 'of a person')
  const made = await bash('echo 1 > package.json; mkdir sub/.vscode; echo 2 > sub/.vscode/tasks.json; echo 3 > code.js')
  expect(made).toMatchObject({
    exitCode: 0,
    note:
      'It made package.json, which was renamed to package.json.held-2. It made sub/.vscode, which was renamed to .vscode.held. ' +
      'What a command makes there might run outside of the sandbox: use a tool that asks, such as write_file.',
  })
  const read = (name: string): string => readFileSync(inFolder(name), 'utf8')
  expect(['package.json.held', 'package.json.held-2', 'sub/.vscode.held/tasks.json', 'code.js'].map(read)).toEqual([
    'of a person',
    '1\n',
    '2\n',
    '3\n',
  ])
  expect((await bash('true')).note).toBeUndefined()
})

test('what a command has made is renamed as well when it was stopped or has used its time', async () => {
  const { call, inFolder } = make()
  await call('bash', { command: 'echo 1 > .bashrc; sleep 300', timeout: 1_500 })
  expect(readdirSync(inFolder('.'))).toEqual(['.bashrc.held'])
})

test('a program says by the same list as for the file tools what commands may change', async () => {
  const code = codePaths.filter((name) => name !== 'package.json' && name !== '.git')
  const { bash, inFolder } = make({ protect: { code } })
  mkdirSync(inFolder('.github'))
  const { output, note } = await bash('echo {} > package.json; git init -q .; git config a.b evil; echo x > .github/ci.yml')
  expect(output).toContain('Read-only')
  expect(note).toBeUndefined()
  expect(readFileSync(inFolder('package.json'), 'utf8')).toBe('{}\n')
  expect(readFileSync(inFolder('.git/config'), 'utf8')).toContain('evil')
})

test('what is protected is protected in every folder that a command may change', async () => {
  const other = makeShellWorld()
  writeFileSync(other.inFolder('package.json'), '{}')
  writeFileSync(other.inFolder('.env'), 'canary')
  const { bash } = make({ confine: { write: [other.cwd] } })
  const { output, note } = await bash(`cd ${other.cwd}; echo evil > package.json; cat .env; echo evil > .bashrc; echo fine > a`)
  expect(output).toMatch(/Read-only/)
  expect(output).not.toContain('canary')
  expect(note).toContain('.bashrc')
  expect(readdirSync(other.cwd).sort()).toEqual(['.bashrc.held', '.env', 'a', 'package.json'])
  await other.remove()
})

test('more packages than a command line can name are protected, and far more are refused', async () => {
  const { bash, cwd, inFolder } = make()
  const name = (number: number): string => join('packages', `${'p'.repeat(200)}${number}`)
  for (let number = 0; number < 150; number += 1) {
    mkdirSync(inFolder(name(number)), { recursive: true })
    writeFileSync(inFolder(name(number), 'package.json'), '{}')
  }
  expect(await bash(`echo evil > ${name(149)}/package.json; ls packages | wc -l`)).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/Read-only file system\n150\n$/),
  })
  for (let number = 0; number <= 1_000; number += 1) {
    mkdirSync(inFolder(`q${number}`))
    writeFileSync(inFolder(`q${number}`, 'package.json'), '{}')
  }
  await expect(findHidden([cwd])).rejects.toThrow(/1151 paths that run as code later; 1000 can be protected.*protect: { code }/)
})

test('what outlasts its call is settled by no sandbox', async () => {
  const settled = async (persistent: boolean, input: object): Promise<boolean> => {
    const { bash } = shellTools({ cwd: '.', sandbox: 'os', persistent, jobs: { folder: '/tmp/loom-no-jobs' } })
    const parts = (await toolDefinitionOf(bash).matcher?.parts({ command: 'npm test', ...input })) ?? []
    return parts.every(({ isSandboxed }) => isSandboxed === true)
  }
  expect([await settled(false, {}), await settled(false, { background: true }), await settled(true, {})]).toEqual([true, false, false])
})

test('git takes no folder for a repository that only looks like one', async () => {
  const { bash, inFolder } = make({ sandbox: 'none' })
  for (const folder of ['docs/objects', 'docs/refs']) mkdirSync(inFolder(folder), { recursive: true })
  writeFileSync(inFolder('docs/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(inFolder('docs/config'), '[core]\n\tbare = true\n')
  expect((await bash('cd docs && env -u GIT_CONFIG_COUNT git rev-parse --git-dir')).output).toBe('.\n')
  expect((await bash('cd docs && git rev-parse --git-dir')).output).toContain('cannot use bare repository')
})
