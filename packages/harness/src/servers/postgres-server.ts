/**
 * A real PostgreSQL server of a test's own: its own data, its own port, and it can be stopped, killed and started again.
 *
 * The server ends with the test's process, however that ends: a shell ends the server when its own input ends.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** How a server is made. */
export interface PostgresServerOptions {
  /** Whether it flushes what it commits; true by default. Without it tests are faster and prove nothing about power cuts. */
  readonly fsync?: boolean
  /** Settings as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** A server whose read-only copy this one is. */
  readonly replicaOf?: PostgresServer
}

/** A PostgreSQL server of a test's own; any client may connect as `loom` without a password. */
export interface PostgresServer {
  /** The address of its database `postgres`. */
  readonly url: string
  readonly port: number
  /** Its data; what belongs to the server's user. */
  readonly data: string
  /** The version that its data is of, such as 17. */
  readonly version: string
  /** Starts it again on the same data. */
  start(): Promise<void>
  /** `fast` ends what is under way and stops cleanly; `immediate` just stops, and the next start recovers. */
  stop(how: 'fast' | 'immediate'): Promise<void>
  /** kill -9, the server and all its processes. */
  kill(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

const run = promisify(execFile)

/** Makes a server and starts it. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const programs = programsOf()
  const user = userOf()
  const folder = mkdtempSync(join(tmpdir(), 'loom-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const guard = guardOver(folder)
  const port = await freePort()
  const [program, args] = firstData(data, options.replicaOf)
  await run(join(programs, program), args, { ...user, cwd: folder })
  const { fsync = true, settings = {} } = options
  const local = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, fsync: fsync ? 'on' : 'off', shared_buffers: '16MB' }
  const flags = Object.entries({ ...local, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined
  const ended = async (signal?: NodeJS.Signals): Promise<void> => {
    const child = server
    server = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const exit = once(child, 'exit')
    if (signal) child.kill(signal)
    await exit
  }
  const start = async (): Promise<void> => {
    server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    await isReady(server)
  }
  const kill = async (): Promise<void> => {
    const parent = server?.pid
    if (parent === undefined) return
    // Stopped first, so that it makes no new processes while the old ones are looked for.
    process.kill(parent, 'SIGSTOP')
    const children = childrenOf(parent)
    for (const pid of [...children, parent]) process.kill(pid, 'SIGKILL')
    await ended()
    while (children.some((pid) => (statOf(pid)?.state ?? 'Z') !== 'Z')) await pause(2)
  }
  await start()
  return {
    url: `postgres://loom@127.0.0.1:${port}/postgres`,
    port,
    data,
    version: readFileSync(join(data, 'PG_VERSION'), 'utf8').trim(),
    start,
    stop: (how) => ended(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    kill,
    async close() {
      await ended('SIGQUIT')
      guard.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function programsOf(): string {
  const folders = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const found = [...folders, ...`${process.env['PATH']}`.split(':')].find((folder) => existsSync(join(folder, 'initdb')))
  if (found === undefined) throw new Error('PostgreSQL is not installed. Run: npm run setup')
  return found
}

/** PostgreSQL refuses to run as root. */
function userOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').matchAll(/^(postgres|nobody):[^:]*:(\d+):(\d+)/gm)
  const [, , uid, gid] = [...users].sort(([, a], [, b]) => `${b}`.localeCompare(`${a}`))[0] as RegExpExecArray
  return { uid: Number(uid), gid: Number(gid) }
}

/** What makes the data of a new server: nothing to begin with, or another server's. */
function firstData(data: string, replicaOf: PostgresServer | undefined): [program: string, args: string[]] {
  if (!replicaOf) return ['initdb', ['-D', data, '--locale=C.UTF-8', '-A', 'trust', '-U', 'loom', '--no-sync']]
  return ['pg_basebackup', ['-D', data, '-h', '127.0.0.1', '-p', String(replicaOf.port), '-U', 'loom', '-R', '--no-sync', '-c', 'fast']]
}

/** Ends the server and removes its data when this process has ended, whatever ended it. */
function guardOver(folder: string): ChildProcess {
  // The number in the file may be that of another process by now.
  const end = `pid="$(head -n 1 '${folder}/data/postmaster.pid')"; grep -aqF '${folder}' "/proc/$pid/cmdline" && kill -QUIT "$pid"`
  const script = `cat > /dev/null; ${end}; sleep 1; rm -rf '${folder}'`
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  guard.unref()
  ;(guard.stdin as Socket).unref()
  return guard
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Resolves when the server takes connections; its later output is dropped. */
async function isReady(server: ChildProcess): Promise<void> {
  let output = ''
  const stream = server.stderr as Socket
  await new Promise<void>((resolve, reject) => {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
      if (/database system is ready to accept (read-only )?connections/.test(output)) resolve()
    })
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${output}`)))
  })
  server.unref()
  stream.unref()
}

function childrenOf(parent: number): readonly number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((pid) => statOf(pid)?.parent === parent)
}

/** A process that exists; one that has ended without being waited for is in state Z. */
function statOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const [, state = '', parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}
