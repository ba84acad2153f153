/** A database that is a journal: its connections, and statements that are sent again when a connection breaks. */
import { setTimeout as pause } from 'node:timers/promises'
import type { LoomError } from '@loom-agent/kernel'
import { type Instance, thisInstance } from '../storage/liveness.ts'
import { type ConnectionPool, type ConnectionPoolOptions, createConnectionPool } from './connection-pool.ts'
import { type Driver, loadDriver, type Result, type Row, type Value } from './driver.ts'
import { openJournal } from './open-journal.ts'
import type { Config } from './options.ts'
import { closedError, isOfServer, isPassing, postgresFailure, troubleOf } from './postgres-failure.ts'

/** The open database, for every part of the journal. */
export interface Database {
  readonly config: Config
  /** The schema, quoted. */
  readonly s: string
  readonly here: Instance
  /** Threads found damaged: the number of the row, and the error that says so. */
  readonly damaged: Map<string, { readonly number: string; readonly error: LoomError }>
  /** Whether the journal was open once: from then on a server that is gone is waited for. */
  wasReady(): boolean
  /** Whether the server has replied once. */
  wasReached(): boolean
  /** Returns the rows of a statement; waits while the server is gone. The server may perform the statement twice. */
  ask(statement: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** Returns the rows of a statement; does not wait for a server that is gone. */
  run(statement: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** The same, on the connection for appends. */
  write(statement: string, values: readonly Value[]): Promise<Result>
  /** Closes all connections: their server is not the right one any more. */
  renew(): void
  /** Ensures that a connection of its own listens. It stays open, and costs nothing when nothing arrives; `notified` is called with what does. */
  listen(channel: string, notified: (text: string) => void): Promise<void>
  /** Statements sent so far. */
  sent(): number
  end(): Promise<void>
}

/** The connections: for appends, and for everything else. A pool of one has one for both. */
interface Pools {
  readonly writer: ConnectionPool
  readonly worker: ConnectionPool
  /** Makes one more pool, which ends with the others. */
  add(options: ConnectionPoolOptions): ConnectionPool
}

/** Opens the journal when it is first used, and again after a connection has broken. */
interface Opener {
  open(): Promise<Pools>
  /** The pools, while their server is the one that was checked. */
  ready(): Pools | undefined
  wasReady(): boolean
  wasReached(): boolean
  end(): void
}

function createOpener(config: Config, all: ConnectionPool[]): Opener {
  let opening: Promise<Pools> | undefined
  let pools: Pools | undefined
  let isReady = false
  let wasReady = false
  let wasReached = false
  let isEnded = false
  let closes = 0
  // After a broken connection there may be another server, or the same one in another role: it is checked again.
  const onclose = (): void => {
    closes += 1
    opening = undefined
    isReady = false
  }
  const check = (): void => {
    // A statement that is still being retried must not look for a server any more.
    if (isEnded) throw closedError(config.name)
  }
  const createPools = (driver: Driver): Pools => {
    const add: Pools['add'] = (options) => {
      check()
      const pool = createConnectionPool(driver, config, options)
      all.push(pool)
      return pool
    }
    const writer = add({ size: 1, onclose })
    return { writer, worker: config.size === 1 ? writer : add({ size: config.size - 1, onclose }), add }
  }
  const connect = async (): Promise<Pools> => {
    pools ??= createPools(await loadDriver(config))
    const before = closes
    const { writer } = pools
    const run: ConnectionPool['run'] = async (statement, values) => {
      const result = await writer.run(statement, values)
      wasReached = true
      return result
    }
    await openJournal({ ...writer, run }, config)
    wasReady = true
    isReady = closes === before
    return pools
  }
  return {
    async open() {
      check()
      opening ??= connect().catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    ready: () => (isReady && !isEnded ? pools : undefined),
    wasReady: () => wasReady,
    wasReached: () => wasReached,
    end() {
      isEnded = true
    },
  }
}

/** The database of the options; nothing is connected before it is used. */
export function createDatabase(config: Config): Database {
  const all: ConnectionPool[] = []
  const { open, ready, wasReady, wasReached, end } = createOpener(config, all)
  const run: Database['run'] = async (statement, values) => (await open()).worker.run(statement, values)
  const writeOnceOpen: Database['write'] = async (statement, values) => (await open()).writer.run(statement, values)
  const renew = (): void => {
    for (const pool of all) pool.drop()
  }
  return {
    config,
    s: `"${config.schema}"`,
    here: thisInstance(),
    damaged: new Map(),
    wasReady,
    wasReached,
    run,
    async ask(statement, values) {
      const since = performance.now()
      for (let tries = 1; ; tries += 1) {
        try {
          return await run(statement, values)
        } catch (error) {
          const isLate = performance.now() - since >= config.retryTimeout
          if (isLate || !isWorthRetrying(error, { wasReady, wasReached })) throw postgresFailure(error, config.name)
          if (troubleOf(error) === 'replica') renew()
        }
        await pause(retryDelay(tries))
      }
    },
    write(statement, values) {
      // Almost every append takes this path: it waits for no promise of something that is there.
      const pools = ready()
      return pools ? pools.writer.run(statement, values) : writeOnceOpen(statement, values)
    },
    renew,
    listen: createListen(open),
    sent: () => all.reduce((sum, { sent }) => sum + sent(), 0),
    async end() {
      end()
      await Promise.all(all.map((pool) => pool.end()))
    },
  }
}

function createListen(open: Opener['open']): Database['listen'] {
  let pool: ConnectionPool | undefined
  let isListening = false
  const onclose = (): void => {
    isListening = false
  }
  return async (channel, notified) => {
    if (isListening) return
    const { add } = await open()
    pool ??= add({ size: 1, onclose, onnotify: (_channel, text) => notified(text) })
    await pool.run(`listen "${channel}"`)
    isListening = true
  }
}

/**
 * Whether trying again may help. A server that was never reached is not waited for, unless it says that it is starting. While the journal is first
 * opened, a connection that breaks is made again; a server in the wrong role is not waited for.
 */
export function isWorthRetrying(error: unknown, { wasReady, wasReached }: Pick<Database, 'wasReady' | 'wasReached'>): boolean {
  const trouble = troubleOf(error)
  if (wasReady()) return isPassing(trouble)
  const isBroken = trouble === 'lost' || trouble === 'unreached'
  return trouble === 'starting' || trouble === 'busy' || (isBroken && (wasReached() || isOfServer(error)))
}

/** How long to wait before the next try, in milliseconds: longer each time, and not the same for two writers. */
export function retryDelay(tries: number): number {
  return Math.min(1000, 10 * 2 ** tries) * (0.5 + Math.random() / 2)
}
