/** Attacks by commands: each works without a sandbox, and none does in the sandbox of the operating system. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { shellTools } from '@loom-agent/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSecretFilter } from '../../packages/tools/src/sandbox/secrets.ts'
import { until } from '../support/event-loop.ts'
import { noteFigure } from './figure.ts'
import { type CommandAttack, commandAttacks } from './sandbox/command-attacks.ts'
import { collect, kill, start } from './sandbox/unconfined.ts'

const canaries = { file: 'canary-of-a-file-4471', environment: 'canary-of-the-environment-9921' }
/** How long the processes of attacks sleep: nobody else's do so long. */
const marks = { attack: `3010.${process.pid}`, victim: `3020.${process.pid}` }

interface World {
  readonly workspace: string
  readonly outside: string
  readonly env: Readonly<Record<string, string>>
  readonly servers: readonly Server[]
  readonly victim: ChildProcess
  connections: number
}
let world: World

const listening = (server: Server, place: string | number): Promise<void> =>
  new Promise((done) => (typeof place === 'string' ? server.listen(place, done) : server.listen(place, '127.0.0.1', done)))

beforeEach(async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-attack-')))
  const [workspace, outside] = [join(base, 'workspace'), join(base, 'outside')]
  for (const folder of [outside, join(workspace, 'keys', '.ssh')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(workspace, '.env'), canaries.file)
  writeFileSync(join(workspace, 'keys', 'id_rsa'), canaries.file)
  execFileSync('git', ['init', '-q', workspace])
  arrange(workspace)
  const servers = [createServer(), createServer()] as const
  for (const server of servers) {
    server.on('connection', (socket) => {
      world.connections += 1
      socket.on('error', () => {})
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  }
  await listening(servers[0], 0)
  await listening(servers[1], join(outside, 'socket'))
  const address = servers[0].address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const victim = spawn('sleep', [marks.victim], { env: { CANARY: canaries.environment }, stdio: 'ignore' })
  await new Promise((spawned) => victim.once('spawn', spawned))
  const env = {
    OUT: outside,
    PORT: port,
    SOCKET: join(outside, 'socket'),
    VICTIM: String(victim.pid),
    MARK: marks.attack,
    LONG: marks.victim,
    HOME: base,
  }
  world = { workspace, outside, env, servers, victim, connections: 0 }
})

afterEach(async () => {
  const { victim, servers, workspace } = world
  victim.kill('SIGKILL')
  for (const pid of running(marks.attack)) process.kill(Number(pid), 'SIGKILL')
  for (const server of servers) await new Promise((closed) => server.close(closed))
  rmSync(join(workspace, '..'), { recursive: true, force: true })
})

/** The processes that sleep for so long. */
const running = (mark: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(`sleep\0${mark}\0`)
    } catch {
      return false
    }
  })

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What people have in their repositories: a package, a workflow, a worktree, a submodule, another repository. */
function arrange(workspace: string): void {
  const files = {
    'package.json': '{"scripts":{"test":"true"}}',
    'app/package.json': '{}',
    '.github/workflows/ci.yml': 'on: push',
    'tree/.git': `gitdir: ${workspace}/.git/worktrees/tree`,
  }
  const ofGit = {
    'worktrees/tree/commondir': '../..',
    'worktrees/tree/HEAD': 'ref: refs/heads/x',
    'modules/sub/HEAD': 'ref: refs/heads/x',
    'modules/sub/config': '',
  }
  const all = [...Object.entries(files), ...Object.entries(ofGit).map(([name, content]) => [`.git/${name}`, content] as const)]
  for (const [name, content] of all) {
    mkdirSync(join(workspace, name, '..'), { recursive: true })
    writeFileSync(join(workspace, name), content)
  }
  for (const folder of ['.git/modules/sub/objects', '.git/modules/sub/refs']) mkdirSync(join(workspace, folder))
  execFileSync('git', ['init', '-q', '--bare', join(workspace, 'bare.git')])
  rmSync(join(workspace, 'bare.git/hooks'), { recursive: true })
}

/** Whether an attack has worked, by what it printed and by what is in the world. */
async function hasWorked({ shownBy, plants }: CommandAttack, output: string): Promise<boolean> {
  const { workspace, outside, victim } = world
  if (shownBy === 'file canary') return output.includes(canaries.file)
  if (shownBy === 'environment canary') return output.includes(canaries.environment)
  if (shownBy === 'made outside') return existsSync(join(outside, 'made'))
  if (shownBy === 'hook')
    return existsSync(join(workspace, '.git/hooks/post-checkout')) || readFileSync(join(workspace, '.git/config'), 'utf8').includes('evil')
  if (shownBy === 'planted') return contentOf(join(workspace, plants ?? '')).includes('evil')
  if (shownBy === 'server') return world.connections > 0
  if (shownBy === 'printed yes') return /^yes$/m.test(output)
  if (shownBy === 'allocated') return output.includes('allocated 600')
  if (shownBy === 'left running') return running(marks.attack).length > 0
  if (shownBy === 'crowd') return running(marks.attack).length >= 60
  await new Promise((resolve) => setImmediate(resolve))
  return shownBy === 'victim' && victim.signalCode !== null
}

async function withoutSandbox(attack: CommandAttack): Promise<boolean> {
  const { workspace, env } = world
  const child = start('bash', ['-c', `cd "$0" && ${attack.command}`, workspace], { ...env, CANARY: canaries.environment })
  try {
    if (attack.shownBy === 'crowd' || attack.shownBy === 'left running') {
      await until(() => hasWorked(attack, ''))
      return true
    }
    if (attack.shownBy === 'never ends') {
      const used = (): number =>
        Number(
          readFileSync(`/proc/${child.pid}/stat`, 'latin1')
            .replace(/^.*\) /s, '')
            .split(' ')[11],
        )
      await until(() => used() > 50)
      return child.exitCode === null
    }
    const { output } = await collect(child)
    if (attack.shownBy === 'victim') await until(() => world.victim.signalCode !== null)
    return await hasWorked(attack, output)
  } finally {
    kill(child)
  }
}

/** Runs a command as a model does, in the sandbox. */
async function confined(
  command: string,
  given: object = {},
  more: object = {},
): Promise<{ readonly output: string; readonly note?: string; readonly exitCode: number | null }> {
  const { workspace, env } = world
  const confine = { processes: 50, memory: 256 * 1024 * 1024 }
  const tools = shellTools({ cwd: workspace, env, grace: 100, sandbox: 'os', confine, ...given })
  const context = { thread: 't', call: '1.0', key: 'k', signal: new AbortController().signal, deps: undefined, progress() {} }
  const returned = await toolDefinitionOf(tools.bash).run(
    { command, ...('secrets' in given && { secrets: ['TOKEN'] }), timeout: 30_000, ...more },
    context as never,
  )
  if (returned instanceof Error) throw returned
  return returned as never
}

test('a command that does no harm runs in the sandbox', async () => {
  expect(
    await confined('echo made > made; cat made; git status --short | wc -l; python3 -c "print(6 * 7)"; node -e "console.log(1 + 1)"', {
      confine: {},
    }),
  ).toMatchObject({
    exitCode: 0,
    output: 'made\n8\n42\n2\n',
  })
})

test.each(commandAttacks)('a command that $what does so without the sandbox', async (attack) => {
  expect(await withoutSandbox(attack)).toBe(true)
})

test.each(commandAttacks)('a command that $what does not get there in the sandbox', async (attack) => {
  process.env['CANARY'] = canaries.environment
  const ran = await confined(attack.command, {}, attack.shownBy === 'never ends' ? { timeout: 2_000 } : {})
  delete process.env['CANARY']
  expect(ran.output).not.toContain('command was not run')
  expect(await hasWorked(attack, ran.output)).toBe(false)
  if (attack.shownBy === 'crowd') expect(`${ran.note} ${ran.output}`).toMatch(/more than 50 processes|Resource temporarily unavailable/)
  if (attack.shownBy === 'never ends')
    expect(ran).toMatchObject({ output: 'begun\n', note: expect.stringContaining('ended after 2000 milliseconds') })
  expect(running(marks.attack)).toEqual([])
  noteFigure({ what: 'ways in which commands leave the sandbox of the operating system', tried: 1, wrong: 0 })
})

test('what a command leaves in its folder leads nowhere when the next one runs', async () => {
  await confined('ln -s "$OUT" link; ln -s .env innocent; mkdir sub; cd sub && git init -q 2>/dev/null')
  expect((await confined('touch link/made; cat innocent; ls "$OUT"')).output).not.toContain(canaries.file)
  expect(existsSync(join(world.outside, 'made'))).toBe(false)
})

test('a secret that a command was given is not shown in any form that is known', async () => {
  const value = 'tök/en+of "the" test'
  const said = await confined(
    'echo "$TOKEN"; printf "%s" "$TOKEN" | base64 -w0; echo; printf "x$TOKEN" | base64 -w0; echo; printf "%s" "$TOKEN" | xxd -p -c 99 || printf "%s" "$TOKEN" | od -An -v -tx1 | tr -d " \\n"; python3 -c "import os, json, urllib.parse as u; print(json.dumps(os.environ[\'TOKEN\'], ensure_ascii=False), u.quote(os.environ[\'TOKEN\'], safe=\'\'))"',
    { secrets: { TOKEN: () => value } },
  )
  const forms = [
    value,
    'the" test',
    Buffer.from(value).toString('base64').slice(2, 12),
    Buffer.from(value).toString('hex').slice(8, 24),
    encodeURIComponent(value).slice(3, 14),
  ]
  expect(forms.filter((form) => said.output.includes(form))).toEqual([])
  expect(said.output.match(/\[secret TOKEN\]/g)?.length).toBeGreaterThanOrEqual(6)
})

test('a secret is found wherever its output is cut', () => {
  const value = 'token-of-the-test'
  for (let cut = 1; cut < value.length; cut += 1) {
    const filter = createSecretFilter([{ name: 'T', value }])
    const shown = [filter.push(Buffer.from(`a${value.slice(0, cut)}`)), filter.push(Buffer.from(`${value.slice(cut)}b`)), filter.end()]
    expect(Buffer.concat(shown).toString()).toBe('a[secret T]b')
  }
})

test('a long output that is full of a secret is filtered in time that grows with its length', () => {
  const value = 'secret'.repeat(4)
  const filter = createSecretFilter([{ name: 'T', value }])
  let shown = 0
  for (let piece = 0; piece < 64; piece += 1) shown += filter.push(Buffer.from(value.repeat(10_000))).length
  shown += filter.end().length
  expect(shown).toBe(64 * 10_000 * '[secret T]'.length)
})

test('a job reads and changes nothing of what is recorded about jobs', async () => {
  const folder = join(world.workspace, 'jobs')
  const tools = shellTools({ cwd: world.workspace, grace: 100, sandbox: 'os', jobs: { folder } })
  const context = { thread: 't', call: '1.0', key: 'k', signal: new AbortController().signal, deps: undefined, progress() {} }
  const call = (name: 'bash' | 'job', input: object) =>
    toolDefinitionOf(tools[name]).run(input, context as never) as Promise<{ job: string; status: string; output: string }>
  const { job } = await call('bash', {
    command: 'for one in jobs/*; do cat $one/job.json; printf "0\\n" > $one/exit; done; ls jobs; exit 7',
    background: true,
  })
  await until(async () => (await call('job', { action: 'read', id: job })).status === 'ended')
  expect(await call('job', { action: 'read', id: job })).toMatchObject({ exitCode: 7, output: expect.not.stringContaining('"mark"') })
})

test('a command never runs outside of a sandbox that was asked for', async () => {
  const missing = { name: 'missing', problem: async () => 'It is not there.', wrap: () => Promise.reject(new Error('not used')) }
  await expect(confined('touch "$OUT/made"', { sandbox: missing })).rejects.toMatchObject({ code: 'LOOM_SANDBOX_UNAVAILABLE' })
  const broken = { name: 'broken', problem: async () => undefined, wrap: () => Promise.reject(new Error('It broke.')) }
  await expect(confined('touch "$OUT/made"', { sandbox: broken })).rejects.toThrow('could not be run')
  expect(existsSync(join(world.outside, 'made'))).toBe(false)
})

test('a command that is given a secret is never settled by its sandbox', async () => {
  const { bash } = shellTools({ cwd: world.workspace, sandbox: 'os', secrets: { TOKEN: () => 'token-of-the-test' } })
  const parts = await toolDefinitionOf(bash).matcher?.parts({ command: 'true', secrets: ['TOKEN'] })
  expect(parts?.map(({ text, isSandboxed = false }) => [text, isSandboxed])).toEqual([
    ['true', true],
    ['secret TOKEN', false],
  ])
})
