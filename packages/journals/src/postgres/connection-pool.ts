/**
 * A few connections to the server, and a bound on how long a reply may take.
 *
 * The driver waits forever for a reply, waits up to 20 seconds before it connects again, tries again without pause when a server hangs up during the
 * greeting, and keeps the process alive for connections that are not in use. So the sockets are made here, and a pool that has waited too long is dropped
 * as a whole: its open statements fail, and later ones get new connections.
 *
 * Between a connection's error and its end the driver still takes statements for it, never sends them, and lets later ones wait behind them. So after an
 * established connection has failed, its driver object gets no more statements.
 *
 * PG-4. A statement has a reply or an error after `answerTimeout`, and a second more for each megabyte that is sent.
 * PG-5. Idle connections keep no process alive; after `end` there is no socket and no timer.
 */
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Driver, Result, Sql, Value } from './driver.ts'
import type { Config } from './options.ts'

/** Connections that are used together. */
export interface ConnectionPool {
  /** Has the server perform a statement. */
  run(statement: string, values?: readonly Value[]): Promise<Result>
  /** Closes all connections; the statements on them fail. */
  drop(): void
  end(): Promise<void>
  /** Statements that were sent. */
  sent(): number
}

/** What a pool is for. */
export interface ConnectionPoolOptions {
  readonly size: number
  /** Called with what arrives on the channels that were listened to. */
  readonly onnotify?: (channel: string, text: string) => void
  /** Called when a connection is no longer there. */
  readonly onclose?: () => void
}

/** The driver's options, as far as a socket needs them. */
interface Target {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

/** The sockets of a pool, until it is dropped. */
interface Generation {
  readonly sql: Sql
  readonly sockets: Set<Socket>
  /** The statements that wait for a reply: the driver forgets some of them. */
  readonly waiting: Set<(error: Error) => void>
  /** Whether there was ever a reply: until then the driver itself tries one server after the other. */
  isUsed: boolean
  /** Connections made since the last reply. */
  attempts: number
  isOver: boolean
}

/**
 * The settings of a connection. Every row is found by a key: the planner must not keep a plan from a time when the tables were empty and a full scan
 * was cheap. No journal holds a lock for longer than a second; a person at a console may. Every statement of a function
 * sees what was committed before it (PG-2), whatever the server's default is.
 */
const settings = {
  enable_seqscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  lock_timeout: '1s',
  // The backslash keeps the space from ending the value.
  default_transaction_isolation: 'read\\ committed',
}
const options = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** The slowest rate at which big values are expected to arrive. */
const bytesPerMs = 1000

/** How long closing the connections may take, in seconds. */
const closeTimeout = 1

/** Connections to the database of the options. */
export function createConnectionPool(driver: Driver, config: Config, options: ConnectionPoolOptions): ConnectionPool {
  let current: Generation | undefined
  let waiting = 0
  let sent = 0
  let isEnded = false
  const drop = (): void => {
    if (current) void close(current, 0)
    current = undefined
  }
  const generation = (): Generation => {
    if (isEnded) throw failed('the journal was closed', 'CONNECTION_ENDED')
    current ??= createGeneration(driver, config, {
      ...options,
      onbreak(broken) {
        if (current === broken && broken.isUsed) drop()
      },
    })
    return current
  }
  const run = (statement: string, values: readonly Value[] = []): Promise<Result> =>
    new Promise((resolve, reject) => {
      const used = generation()
      if (waiting === 0) for (const socket of used.sockets) socket.ref()
      waiting += 1
      sent += 1
      // Only the first outcome counts.
      const isFirst = (): boolean => {
        if (!used.waiting.delete(fail)) return false
        clearTimeout(timer)
        waiting -= 1
        if (waiting === 0) for (const socket of current?.sockets ?? []) socket.unref()
        return true
      }
      const fail = (error: Error): void => {
        if (isFirst()) reject(error)
      }
      const late = (): void => {
        if (current === used) drop()
        fail(failed('there was no reply in time', 'ANSWER_TIMEOUT'))
      }
      const timer = setTimeout(late, config.answerTimeout + sizeOf(values) / bytesPerMs)
      used.waiting.add(fail)
      used.sql.unsafe(statement, values, { prepare: values.length > 0 }).then((result) => {
        if (!isFirst()) return
        used.attempts = 0
        used.isUsed = true
        resolve(result)
      }, fail)
    })
  return {
    run,
    drop,
    sent: () => sent,
    async end() {
      isEnded = true
      const last = current
      current = undefined
      // The driver waits for a reply on connections that broke under a statement, which no caller is waiting for any more.
      if (last) await close(last, waiting > 0 ? closeTimeout : 0)
    },
  }
}

function failed(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}

function sizeOf(values: readonly Value[]): number {
  let size = 0
  for (const value of values) if (typeof value === 'string') size += value.length
  return size
}

async function close(generation: Generation, timeout: number): Promise<void> {
  generation.isOver = timeout === 0
  await generation.sql.end({ timeout })
  generation.isOver = true
  for (const reject of generation.waiting) reject(failed('the connection was closed', 'CONNECTION_DESTROYED'))
  const open = [...generation.sockets].filter(({ closed }) => !closed)
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.destroy().once('close', resolve))))
}

/** `onbreak` is called after an error of a connection, before any statement fails. */
type GenerationOptions = ConnectionPoolOptions & { readonly onbreak: (generation: Generation) => void }

function createGeneration(driver: Driver, config: Config, { size, onnotify, onclose, onbreak }: GenerationOptions): Generation {
  const sockets = new Set<Socket>()
  let made = 0
  const socket = async (target: Target): Promise<Socket> => {
    generation.attempts += 1
    // After failed attempts there is a pause.
    if (generation.attempts > size) await pause(Math.min(250, 10 * (generation.attempts - size)))
    if (generation.isOver) return closedSocket()
    const connection = connect(target, made)
    made += 1
    sockets.add(connection)
    connection.once('close', () => sockets.delete(connection)).once('error', () => onbreak(generation))
    return connection
  }
  const sql = driver(typeof config.address === 'string' ? config.address : undefined, {
    ...(typeof config.address === 'object' && config.address),
    ...several(config.address),
    max: size,
    socket,
    onnotify,
    onclose,
    onnotice: () => {},
    backoff: () => 0,
    fetch_types: false,
    idle_timeout: null,
    max_lifetime: null,
    connect_timeout: config.connectTimeout / 1000,
    connection: { application_name: 'loom', options },
  })
  const generation: Generation = { sql, sockets, waiting: new Set(), isUsed: false, attempts: 0, isOver: false }
  return generation
}

/** Of several servers, the driver chooses the one that can be written. */
function several(address: Config['address']): object {
  const host = typeof address === 'string' ? /:\/\/(?:[^/?]*@)?([^/?]*)/.exec(address)?.[1] : address.host
  return host?.includes(',') ? { target_session_attrs: 'primary' } : {}
}

/** The servers take turns. */
function connect({ host, port, path }: Target, turn: number): Socket {
  const index = turn % host.length
  const socket = new Socket().setNoDelay()
  // When a server hangs up before the greeting, the driver would try again at once, forever.
  socket.once('end', () => {
    if (!socket.writableEnded) socket.destroy(Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' }))
  })
  if (path) return socket.connect(path)
  return Object.assign(socket.connect(port[index] ?? 0, host[index] ?? ''), { host: host[index] })
}

/** A socket for a driver that was ended while it waited for one. */
function closedSocket(): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy())
  return socket
}
