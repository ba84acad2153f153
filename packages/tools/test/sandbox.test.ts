/** Commands in the sandbox of the operating system: how they run, when they ask, and the secrets that they are given. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, approve, memoryJournal } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { osSandbox, pythonTool, type Sandbox, shellTools } from '@loom-agent/tools'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf } from '../../../test/support/threads.ts'
import { findHidden } from '../src/sandbox/hidden-paths.ts'
import { createSecretFilter } from '../src/sandbox/secrets.ts'
import { makeShellWorld, processesWith, type ShellWorld } from './shell-world.ts'

let world: ShellWorld | undefined
const make = (options: Parameters<typeof makeShellWorld>[0] = {}): ShellWorld => {
  world = makeShellWorld({ sandbox: 'os', ...options })
  return world
}
afterEach(() => world?.remove())
const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)

test('a command in the sandbox gets its arguments to the letter, and returns its code, output and folder', async () => {
  const { bash, cwd } = make()
  const odd = `printf '%s|' "a  b" '$x' '"' '\\'; echo; echo '!*?~\`'; exit 3`
  expect(await bash(odd)).toMatchObject({ exitCode: 3, output: `a  b|$x|"|\\|\n!*?~\`\n`, cwd })
  expect(await bash('pwd; kill -9 $$')).toMatchObject({ exitCode: 137, output: `${cwd}\n` })
})

test('a command in the sandbox changes its folder and a temporary one, which ends with it', async () => {
  const { bash, inFolder } = make()
  const { output } = await bash('echo made > made; echo x > "$TMPDIR/x"; echo "$TMPDIR"; env | grep -c LOOM_ARG')
  const [temporary = '', leaked] = output.split('\n')
  expect(readFileSync(inFolder('made'), 'utf8')).toBe('made\n')
  expect([existsSync(temporary), leaked]).toEqual([false, '0'])
})

test('a shell that stays, and jobs, run in the sandbox too', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-confined-')))
  const { bash, inFolder } = make({ persistent: true })
  mkdirSync(inFolder('sub'))
  expect(await bash('cd sub; x=1; echo no > /etc/loom-test')).toMatchObject({
    exitCode: 1,
    cwd: inFolder('sub'),
    output: expect.stringContaining('Read-only'),
  })
  expect(await bash('echo "$x" "$PWD"')).toMatchObject({ output: `1 ${inFolder('sub')}\n` })
  await world?.remove()

  const jobs = { folder: join(base, 'jobs') }
  world = makeShellWorld({ sandbox: 'os', jobs })
  const started = (await world.call('bash', { command: `cat ${jobs.folder}/*/job.json; echo no > /etc/loom-test; echo over`, background: true })) as {
    job: string
  }
  const read = async () => (await world?.call('job', { action: 'read', id: started.job })) as { status: string; output: string }
  await until(async () => (await read()).status === 'ended')
  expect((await read()).output).toMatch(/No such file.*Read-only.*over\n$/s)
  rmSync(base, { recursive: true, force: true })
})

test('a command that uses up its time in the sandbox is ended with everything that it started', async () => {
  const { call } = make()
  const mark = `300.${process.pid}`
  expect(await call('bash', { command: `setsid sleep ${mark} & (sleep ${mark} &); sleep ${mark}`, timeout: 500 })).toMatchObject({
    note: expect.stringContaining('ended after 500 milliseconds'),
  })
  expect(processesWith(mark)).toEqual([])
})

test('a stop ends a command in the sandbox', async () => {
  const stop = new AbortController()
  const { call, inFolder } = make()
  const running = call('bash', { command: 'touch begun; sleep 300' }, { signal: stop.signal })
  await until(() => existsSync(inFolder('begun')))
  stop.abort(new Error('stopped'))
  expect(message(await running)).toBe('stopped')
})

const asks = async (options: object, mode?: 'auto'): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-asks-'))
  const model = scriptedModel([
    { calls: [{ tool: 'bash', input: { command: 'echo hello > made', ...('secrets' in options && { secrets: ['TOKEN'] }) } }] },
    'Done.',
  ])
  let asked = 0
  const permissions = mode && ({ rules: [], default: 'ask', mode } as const)
  await agent({ model, tools: shellTools({ cwd: folder, ...options }), ...(permissions && { permissions }) }).run('Go.', {
    onQuestion: () => {
      asked += 1
      return approve()
    },
  })
  expect(readFileSync(join(folder, 'made'), 'utf8')).toBe('hello\n')
  rmSync(folder, { recursive: true, force: true })
  return asked
}

/** A sandbox that cannot be used, like that of a system without bubblewrap. */
const missing: Sandbox = { name: 'missing', problem: async () => 'It is not installed.', wrap: () => Promise.reject(new Error('not used')) }
/** A sandbox that confines nothing, like a port that a program brings. */
const own: Sandbox = { name: 'own', problem: async () => undefined, wrap: async (program) => ({ ...program, end() {} }) }

test('the mode auto settles commands that run in the sandbox, and no others', async () => {
  expect(await asks({})).toBe(1)
  expect(await asks({}, 'auto')).toBe(0)
  expect(await asks({ sandbox: own }, 'auto')).toBe(0)
  expect(await asks({ sandbox: 'none' }, 'auto')).toBe(1)
  expect(await asks({ secrets: { TOKEN: () => 'token-of-the-test' } }, 'auto')).toBe(1)
})

test('a sandbox that was asked for and is not there refuses the command, and says what to do', async () => {
  const { bash, inFolder } = make({ sandbox: missing })
  const refusal = await bash('touch made')
  expect([message(refusal), (refusal as unknown as { code: string }).code]).toEqual(['It is not installed.', 'LOOM_SANDBOX_UNAVAILABLE'])
  expect(existsSync(inFolder('made'))).toBe(false)
})

test('rules that allow a command allow no secret with it', async () => {
  const options = { secrets: { TOKEN: () => 'token-of-the-test' }, rules: { allow: ['echo *'], path: () => 'allow' } } as const
  expect(await asks(options)).toBe(1)
  expect(await asks({ rules: options.rules })).toBe(0)
})

test('a secret is in the environment of the call that names it, and in nothing that is shown or stored', async () => {
  const journal = memoryJournal()
  const folder = mkdtempSync(join(tmpdir(), 'loom-secret-'))
  const value = 'ghp_canary/of+a"secret'
  const shown: unknown[] = []
  const command = [
    'printf "%s" "$TOKEN" | wc -c',
    'echo "plain $TOKEN"; printf "%s" "$TOKEN" | base64; printf "a$TOKEN" | base64; printf "%s" "$TOKEN" | od -An -v -tx1 | tr -d " \\n"',
    'for part in 1 2 3; do printf "%s" "$TOKEN" | head -c 9; printf "%s" "$TOKEN" | tail -c +10; echo; done',
  ].join('; ')
  const model = scriptedModel([
    { calls: [{ tool: 'bash', input: { command, secrets: ['TOKEN'] } }] },
    { calls: [{ tool: 'bash', input: { command: 'echo "without: $TOKEN"' } }] },
    'Done.',
  ])
  const tools = shellTools({ cwd: folder, secrets: { TOKEN: async () => value } })
  const run = agent({ model, journal, tools }).start('Go.', { thread: 't', onQuestion: () => approve() })
  for await (const event of run.events()) shown.push(event)
  const stored = JSON.stringify([...(await factsOf(journal, 't', 'tool.finished')), ...(await factsOf(journal, 't', 'model.replied'))])
  const prompt = JSON.stringify(model.requests.at(-1)?.prompt)
  expect(prompt).toContain(`"output":"${value.length}\\nplain [secret TOKEN]\\n[secret TOKEN]`)
  expect(prompt).toContain('without: \\n')
  const parts = ['canary', Buffer.from('canary/of').toString('hex'), Buffer.from('canary').toString('base64').slice(1, 6)]
  for (const text of [stored, prompt, JSON.stringify(shown)]) expect(parts.filter((part) => text.includes(part))).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

test('a secret that is cut at any place of the output is found, in every form', () => {
  const value = 'se+cret/"töken"'
  const bytes = Buffer.from(value)
  const forms = [
    bytes,
    Buffer.from(bytes.toString('base64')),
    Buffer.from(bytes.toString('hex')),
    Buffer.from(encodeURIComponent(value)),
    Buffer.from(JSON.stringify(value).slice(1, -1)),
  ]
  for (const form of forms) {
    const text = Buffer.concat([Buffer.from('before '), form, Buffer.from(' between '), form, Buffer.from(' after')])
    for (let cut = 0; cut <= text.length; cut += 1) {
      const filter = createSecretFilter([{ name: 'T', value }])
      const shown = Buffer.concat([filter.push(text.subarray(0, cut)), filter.push(text.subarray(cut)), filter.end()]).toString('utf8')
      expect(shown.replace(/==?/g, '')).toBe('before [secret T] between [secret T] after')
    }
  }
})

test('a secret that is not there, is too short, or is for a job or a shell that stays is refused', async () => {
  const secrets = { SHORT: () => 'abc', TOKEN: () => 'token-of-the-test' }
  const folder = mkdtempSync(join(tmpdir(), 'loom-jobs-'))
  const { call } = make({ secrets, jobs: { folder } })
  expect(message(await call('bash', { command: 'true', secrets: ['OTHER'] }))).toBe('There is no secret OTHER. There are: SHORT, TOKEN.')
  expect(message(await call('bash', { command: 'true', secrets: ['SHORT'] }))).toContain('no value of at least 6 characters')
  expect(message(await call('bash', { command: 'true', secrets: ['TOKEN'], background: true }))).toContain('A job is given no secrets')
  expect(() => shellTools({ cwd: '.', persistent: true, secrets })).toThrow('it is given no secrets')
  rmSync(folder, { recursive: true, force: true })
})

test('secrets of a folder are hidden, and code that runs later is kept, however they came there', async () => {
  const { bash, inFolder } = make()
  writeFileSync(inFolder('.env'), 'KEY=canary')
  mkdirSync(inFolder('deep', '.ssh'), { recursive: true })
  writeFileSync(inFolder('deep', '.ssh', 'config'), 'canary')
  expect((await bash('git init -q . && cat .env deep/.ssh/config; ls deep/.ssh')).output).not.toContain('canary')
  expect((await bash('echo evil > .git/hooks/pre-commit; echo evil >> .git/config; ls .git/hooks/pre-commit')).output).toMatch(
    /Read-only.*Read-only.*No such file/s,
  )
  expect((await bash('git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m one && git log --oneline | wc -l')).output).toBe('1\n')
  expect(readdirSync(inFolder('.git'))).not.toContain('hooks-moved')
})

test('a folder that is too large to look for secrets in is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-large-'))
  for (let file = 0; file < 5; file += 1) writeFileSync(join(folder, `file-${file}`), '')
  await expect(findHidden([folder], {}, 4)).rejects.toThrow('has more than 4 entries')
  expect(await findHidden([folder], {}, 5)).toMatchObject({ code: [] })
  rmSync(folder, { recursive: true, force: true })
})

test('a command reaches the hosts that are allowed, by a proxy, and no others', async () => {
  const server = createServer((_, response) => response.end('reached'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const ask = (host: string): string => `curl -sS -m 20 --noproxy "" http://${host}:${port}/ 2>&1`
  const { bash } = make({ confine: { hosts: ['localhost'] } })
  expect((await bash(ask('localhost'))).output).toContain('reached')
  expect((await bash(ask('127.0.0.1'))).output).not.toContain('reached')
  expect((await bash(`curl -sS -m 5 --noproxy "*" http://127.0.0.1:${port}/ 2>&1`)).output).not.toContain('reached')
  await world?.remove()
  expect((await make().bash(ask('localhost'))).output).not.toContain('reached')
  await new Promise((closed) => server.close(closed))
})

test('options that do not fit are refused', async () => {
  expect(() => shellTools({ cwd: '.', sandbox: 'yes' as never })).toThrow('Give auto, os, none, or a sandbox')
  expect(() => shellTools({ cwd: '.', confine: { processes: 0 } })).toThrow('confine.processes is 0')
  expect(() => shellTools({ cwd: '.', secrets: { 'not a name': () => '' } })).toThrow('functions that return secrets')
  expect(() => osSandbox({ folder: '' })).toThrow('the path of a folder')
  expect(message(await make({ confine: { hosts: ['http://example.com/'] } }).bash('true'))).toContain('The hosts cannot be allowed')
})

const python = async (code: string, options: Parameters<typeof pythonTool>[0] = {}): Promise<unknown> => {
  const context = { thread: 't', call: '1.0', key: 'k', signal: new AbortController().signal, deps: undefined, progress() {} }
  return toolDefinitionOf(pythonTool(options)).run({ code }, context as never)
}

test('Python runs in the sandbox, in a folder of its own, without network and within its memory', async () => {
  expect(await python('import sys, os; open("made", "w").write("x"); print(sum(range(5)), os.listdir("."), "a\'b")')).toMatchObject({
    exitCode: 0,
    output: "10 ['made'] a'b\n",
  })
  expect(await python('open("/etc/loom-test", "w")')).toMatchObject({ exitCode: 1, output: expect.stringContaining('Read-only file system') })
  expect(await python('import socket; socket.create_connection(("127.0.0.1", 1))')).toMatchObject({ output: expect.stringMatching(/Error/) })
  expect(await python('bytearray(300 << 20)', { memory: 2 ** 27 })).toMatchObject({ output: expect.stringContaining('MemoryError') })
  expect(await python('while True: pass', { timeout: 500 })).toMatchObject({ note: expect.stringContaining('ended after 500 milliseconds') })
})

test('Python does not see the folder of this process, and what it finds elsewhere may be what others wrote', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-hidden-')))
  writeFileSync(join(folder, 'salaries.csv'), 'ann,7')
  const code = `import os\nprint(os.path.exists(${JSON.stringify(join(folder, 'salaries.csv'))}))`
  expect(await python(code, { hide: [] })).toMatchObject({ output: 'True\n' })
  expect(await python(code, { hide: [folder] })).toMatchObject({ output: 'False\n' })
  expect(await python(`import os\nprint(os.path.exists(${JSON.stringify(import.meta.filename)}))`)).toMatchObject({ output: 'False\n' })
  rmSync(folder, { recursive: true })
  expect(toolDefinitionOf(pythonTool()).taint).toEqual({ brings: 'untrusted', sends: false })
})

/** The administrator's processes are bounded by namespaces from Linux 6.14 on. */
const [major = 0, minor = 0] = release().split('.').map(Number)
const isHeld = process.getuid?.() !== 0 || major > 6 || (major === 6 && minor >= 14)

const crowd = `
import os, time
started = 0
try:
  for number in range(700):
    if os.fork() == 0:
      time.sleep(20)
      os._exit(0)
    started += 1
except OSError: pass
print(started)
`

test('the system holds the number of processes of a job, which nobody counts, and the number of this machine stays as it was', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-crowd-')))
  const before = readFileSync('/proc/sys/kernel/pid_max', 'utf8')
  world = makeShellWorld({ sandbox: 'os', jobs: { folder: join(base, 'jobs') }, confine: { processes: 100 } })
  writeFileSync(world.inFolder('crowd.py'), crowd)
  const command = 'cat /proc/sys/kernel/pid_max; echo 4000000 > /proc/sys/kernel/pid_max; env | grep -c LOOM_PIDS; python3 -u crowd.py'
  const { job } = (await world.call('bash', { command, background: true })) as { job: string }
  const read = async () => String(Object((await world?.call('job', { action: 'read', id: job })) ?? {}).output)
  await until(async () => /\n0\n\d+\n$/.test(await read()))
  const started = Number(/(\d+)\n$/.exec(await read())?.[1])
  await world.call('job', { action: 'kill', id: job })
  expect(started <= 400).toBe(isHeld)
  expect(readFileSync('/proc/sys/kernel/pid_max', 'utf8')).toBe(before)
  rmSync(base, { recursive: true, force: true })
})

test('names that a program declares to be secrets are hidden from commands, and no others', async () => {
  const { bash, inFolder } = make({ protect: { secrets: ['vault'] } })
  mkdirSync(inFolder('vault'))
  for (const name of ['vault/key', '.env']) writeFileSync(inFolder(...name.split('/')), 'content')
  expect(await bash('{ cat vault/key; cat .env; } 2>&1')).toMatchObject({ output: expect.stringMatching(/vault\/key: .*\ncontent$/) })
})

test('Python asks, which the mode auto settles, and runs nowhere else', async () => {
  const { matcher, permission } = toolDefinitionOf(pythonTool())
  expect([permission, await matcher?.parts({ code: 'print(1)' })]).toEqual(['ask', [{ text: 'print(1)', isSandboxed: true }]])
  expect(message(await python('print(1)', { sandbox: missing }))).toBe('It is not installed.')
  expect(() => pythonTool({ sandbox: 'none' as never })).toThrow('Give os, or a sandbox')
})
