/** The tool `bash`: what a command gets, what it returns, and what it is refused. */
import { mkdirSync } from 'node:fs'
import { agent, approve } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { shellTools } from '@loom-agent/tools'
import { afterEach, expect, test } from 'vitest'
import { environmentOf } from '../src/shell/environment.ts'
import { makeShellWorld, type ShellWorld } from './shell-world.ts'

let world: ShellWorld | undefined
const make = (...args: Parameters<typeof makeShellWorld>): ShellWorld => {
  world = makeShellWorld(...args)
  return world
}
afterEach(() => world?.remove())

const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)

test('a command returns what it printed, its code, its folder and its time', async () => {
  const { bash, cwd } = make()
  expect(await bash('echo one; echo two >&2; exit 3')).toEqual({
    exitCode: 3,
    output: expect.stringMatching(/one\n|two\n/),
    cwd,
    milliseconds: expect.any(Number),
  })
  expect(await bash('pwd')).toMatchObject({ exitCode: 0, output: `${cwd}\n` })
  expect(await bash('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
})

test('a command that looks like an option is a command', async () => {
  expect(await make().bash('-c true')).toMatchObject({ exitCode: 127, output: expect.stringContaining('command not found') })
})

test('a command runs in the folder that it names', async () => {
  const { call, inFolder } = make()
  mkdirSync(inFolder('sub'))
  expect(await call('bash', { command: 'pwd', cwd: 'sub' })).toMatchObject({ output: `${inFolder('sub')}\n`, cwd: inFolder('sub') })
  expect(message(await call('bash', { command: 'pwd', cwd: 'none' }))).toBe('There is no folder "none". Give one that exists, or leave out cwd.')
})

test('secrets of the process are not passed on, and what the program names is', async () => {
  process.env['LOOM_TEST_API_KEY'] = 'canary-of-the-process'
  process.env['BASH_ENV'] = '/nowhere/at-all'
  try {
    const { output } = await make({ env: { GIVEN: 'yes' }, path: '/usr/bin:/bin' }).bash('env')
    expect(output).not.toContain('canary-of-the-process')
    expect(output).not.toContain('BASH_ENV')
    expect(output).toContain('GIVEN=yes\n')
    expect(output).toContain('PATH=/usr/bin:/bin\n')
  } finally {
    delete process.env['LOOM_TEST_API_KEY']
    delete process.env['BASH_ENV']
  }
})

test('programs in the folder of the commands are not found by their name', () => {
  const before = process.env['PATH']
  try {
    process.env['PATH'] = '.::bin:/srv/place/bin:/srv/place:/srv/place-beside/bin:/usr/bin'
    expect(environmentOf({ cwd: '/srv/place' })['PATH']).toBe('/srv/place-beside/bin:/usr/bin')
    process.env['PATH'] = '.'
    expect(environmentOf({ cwd: '/srv/place' })['PATH']).toBe('/usr/local/bin:/usr/bin:/bin')
    expect(environmentOf({ cwd: '/srv/place', path: '/opt/bin' })['PATH']).toBe('/opt/bin')
  } finally {
    process.env['PATH'] = before
  }
})

test('a command that waits for input gets none', async () => {
  expect(await make().bash('cat; read x || echo none')).toMatchObject({ exitCode: 0, output: 'none\n' })
})

test('long output is shown in part, with whole characters, and says how much is left out', async () => {
  const { bash } = make({ maxOutputBytes: 1_000 })
  const { output } = await bash("for i in $(seq 1 2000); do printf 'ä%s€' $i; done")
  expect(Buffer.byteLength(output)).toBeLessThan(1_100)
  expect(output).toMatch(/^ä1€ä2€.*\n\[\d+ bytes left out\]\n.*ä2000€$/s)
  expect(output).not.toContain('\uFFFD')
})

test('output is shown as progress while the command runs', async () => {
  const shown: unknown[] = []
  await make().bash('echo one', { progress: (data) => shown.push(data) })
  expect(shown).toEqual([{ output: 'one\n' }])
})

test('a command that uses up its time is ended, and its output is kept', async () => {
  const { call } = make()
  const ran = await call('bash', { command: 'echo begun; sleep 600', timeout: 200 })
  expect(ran).toMatchObject({ exitCode: null, signal: 'SIGTERM', output: 'begun\n', note: expect.stringContaining('ended after 200 milliseconds') })
})

test.each([
  [{ command: '  \n' }, 'The command is blank. Give a command.'],
  [{ command: 'a\0b' }, 'The command has a NUL, or half of a character. Give it in whole characters, without NUL.'],
  [{ command: 'a\ud800' }, 'The command has a NUL, or half of a character. Give it in whole characters, without NUL.'],
  [{ command: 'ä'.repeat(60_000) }, 'The command has more than 100000 bytes. Write it to a file, and run the file.'],
  [{ command: 'ls', timeout: 700_000 }, 'The timeout is 700000 milliseconds; at most 600000 are allowed. Give a shorter one.'],
])('bad input is refused with what to do: %#', async (input, words) => {
  expect(message(await make().call('bash', input))).toBe(words)
})

test('a shell that is not there is a refusal', async () => {
  expect(message(await make({ shell: 'no-such-shell' }).bash('ls'))).toContain('no-such-shell could not be started')
})

test('options that do not fit are refused', () => {
  expect(() => shellTools({ cwd: '.', timeout: 0 })).toThrow('shellTools: timeout is 0')
  expect(() => shellTools({ cwd: '.', jobs: { folder: '' } })).toThrow('jobs.folder')
})

test('a model is asked for before its command runs, and reads what came of it', async () => {
  const { tools } = make()
  const model = scriptedModel([{ calls: [{ tool: 'bash', input: { command: 'echo hello' } }] }, 'It says hello.'])
  const asked: string[] = []
  const result = await agent({ model, tools }).run('Say hello.', {
    onQuestion: ({ prompt }) => {
      asked.push(prompt)
      return approve()
    },
  })
  expect(result.status).toBe('done')
  expect(asked).toHaveLength(1)
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain('"output":"hello\\n"')
})

test('a shell that persists keeps its folder and variables, one for each thread', async () => {
  const { bash, inFolder, cwd } = make({ persistent: true })
  mkdirSync(inFolder('sub'))
  expect(await bash('cd sub; x=1; echo "$x"')).toMatchObject({
    exitCode: 0,
    output: '1\n',
    cwd: inFolder('sub'),
    note: expect.stringContaining('new shell'),
  })
  const next = await bash('pwd; echo "x is $x"; false')
  expect(next).toMatchObject({ exitCode: 1, output: `${inFolder('sub')}\nx is 1\n`, cwd: inFolder('sub') })
  expect(next.note).toBe(undefined)
  expect(await bash('echo "x is $x"', { thread: 'other' })).toMatchObject({ output: 'x is \n', cwd })
})

test('a shell that has ended is replaced, and the model is told', async () => {
  const { bash } = make({ persistent: true })
  await bash('x=1')
  expect(await bash('exit 4')).toMatchObject({ exitCode: 4, note: expect.stringContaining('The shell has ended') })
  expect(await bash('echo "x is $x"')).toMatchObject({ output: 'x is \n', note: expect.stringContaining('new shell') })
  expect(await bash("echo 'half")).toMatchObject({ exitCode: expect.any(Number), output: expect.stringContaining('unexpected EOF') })
})

test('a command of a shell that persists reads no other command, and gets its output whole', async () => {
  const { bash } = make({ persistent: true, maxOutputBytes: 1_000_000 })
  expect(await bash('cat; read x || echo none')).toMatchObject({ output: 'none\n' })
  for (let round = 0; round < 20; round += 1)
    expect((await bash(`head -c 200000 /dev/zero | tr '\\0' x; echo ${round}`)).output).toBe(`${'x'.repeat(200_000)}${round}\n`)
})

test('a command of a shell that persists can neither read the next command nor forge how it ended', async () => {
  const { bash } = make({ persistent: true })
  expect(await bash("printf '0\\0/forged\\0' >&4; cat <&3; false")).toMatchObject({
    exitCode: 1,
    output: expect.stringMatching(/Bad file.*Bad file/s),
  })
  expect(await bash("bash -c 'cat <&3'")).toMatchObject({ exitCode: 1, output: expect.stringContaining('Bad file') })
})

test('a command of a shell that persists uses up its time: the shell is gone', async () => {
  const { call, bash } = make({ persistent: true })
  await bash('x=1')
  expect(await call('bash', { command: 'sleep 600', timeout: 200 })).toMatchObject({
    note: expect.stringMatching(/after 200 milliseconds.*are gone/),
  })
  expect(await bash('echo "x is $x"')).toMatchObject({ output: 'x is \n' })
})
