/** A database that is a journal: its connections, and statements that are sent again when a connection breaks. */
import { setTimeout as pause } from 'node:timers/promises'
import type { LoomError } from '@loom-agent/kernel'
import { type Instance, thisInstance } from '../storage/liveness.ts'
import { type ConnectionPool, type ConnectionPoolOptions, createConnectionPool } from './connection-pool.ts'
import { type Driver, loadDriver, type Result, type Row, type Value } from './driver.ts'
import { openJournal } from './open-journal.ts'
import type { Config } from './options.ts'
import { closedError, isPassing, postgresFailure, troubleOf } from './postgres-failure.ts'
import { deadlineIn, retryDelay } from './retry.ts'

/** The open database, for every part of the journal. */
export interface Database {
  readonly config: Config
  /** The schema, quoted. */
  readonly s: string
  readonly here: Instance
  /** Threads found damaged, and the error that says so. */
  readonly damaged: Map<string, LoomError>
  /** Whether the journal was open once: from then on a server that is gone is waited for. */
  wasReady(): boolean
  /** Returns the rows of a statement; waits while the server is gone. The server may perform the statement twice. */
  ask(statement: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** Returns the rows of a statement; does not wait for a server that is gone. */
  run(statement: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** The same, on the connection for appends. */
  write(statement: string, values: readonly Value[]): Promise<Result>
  /** Closes all connections: their server is not the right one any more. */
  renew(): void
  /** Creates one more pool, which ends with the database. */
  extraPool(options: ConnectionPoolOptions): Promise<ConnectionPool>
  /** Statements sent so far. */
  sent(): number
  end(): Promise<void>
}

interface Open {
  readonly driver: Driver
  /** For appends, and for everything else. A pool of one has one for both. */
  readonly writer: ConnectionPool
  readonly worker: ConnectionPool
}

/** Opens the journal when it is first used, and again after a connection has broken. */
interface Opener {
  open(): Promise<Open>
  /** The pools, while their server is the one that was checked. */
  ready(): Open | undefined
  wasReady(): boolean
}

function createOpener(config: Config, pool: (driver: Driver, options: ConnectionPoolOptions) => ConnectionPool): Opener {
  let opening: Promise<Open> | undefined
  let made: Open | undefined
  let ready: Open | undefined
  let wasReady = false
  let closes = 0
  // After a broken connection there may be another server, or the same one in another role: it is checked again.
  const onclose = (): void => {
    closes += 1
    opening = undefined
    ready = undefined
  }
  const connect = async (): Promise<Open> => {
    const driver = await loadDriver(config)
    const before = closes
    const writer = made?.writer ?? pool(driver, { size: 1, onclose })
    const worker = made?.worker ?? (config.size === 1 ? writer : pool(driver, { size: config.size - 1, onclose }))
    made = { driver, writer, worker }
    await openJournal(writer, config)
    wasReady = true
    if (closes === before) ready = made
    return made
  }
  return {
    open() {
      opening ??= connect().catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    ready: () => ready,
    wasReady: () => wasReady,
  }
}

/** The database of the options; nothing is connected before it is used. */
export function createDatabase(config: Config): Database {
  const pools: ConnectionPool[] = []
  let isEnded = false
  const pool = (driver: Driver, options: ConnectionPoolOptions): ConnectionPool => {
    const made = createConnectionPool(driver, config, options)
    pools.push(made)
    // The database may have ended while the pool was being made.
    if (isEnded) void made.end()
    return made
  }
  const { open, ready, wasReady } = createOpener(config, pool)
  const openPools = async (): Promise<Open> => {
    // A statement that is still being retried must not look for a server any more.
    if (isEnded) throw closedError(config.name)
    return open()
  }
  const run: Database['run'] = async (statement, values) => (await openPools()).worker.run(statement, values)
  const writeOnceOpen: Database['write'] = async (statement, values) => (await openPools()).writer.run(statement, values)
  const renew = (): void => {
    for (const each of pools) each.drop()
  }
  return {
    config,
    s: `"${config.schema}"`,
    here: thisInstance(),
    damaged: new Map(),
    wasReady,
    ask: (statement, values) => retrying(() => run(statement, values), { config, renew, wasReady }),
    run,
    write(statement, values) {
      // Almost every append takes this path: it waits for no promise of something that is there.
      const poolsNow = isEnded ? undefined : ready()
      return poolsNow ? poolsNow.writer.run(statement, values) : writeOnceOpen(statement, values)
    },
    renew,
    extraPool: async (options) => pool((await openPools()).driver, options),
    sent: () => pools.reduce((sum, { sent }) => sum + sent(), 0),
    async end() {
      isEnded = true
      await Promise.all(pools.map((each) => each.end()))
    },
  }
}

interface Retrying {
  readonly config: Config
  renew(): void
  wasReady(): boolean
}

/** Does the work; tries again while the server is gone. */
async function retrying<T>(work: () => Promise<T>, { config, renew, wasReady }: Retrying): Promise<T> {
  const deadline = deadlineIn(config.retryTimeout)
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (deadline.hasPassed() || !isWorthRetrying(error, wasReady())) throw postgresFailure(error, config.name)
      if (troubleOf(error) === 'replica') renew()
    }
    await pause(retryDelay(tries))
  }
}

/** Whether trying again may help. A server that was never reached is not waited for, unless it says that it is starting. */
export function isWorthRetrying(error: unknown, wasReady: boolean): boolean {
  const trouble = troubleOf(error)
  return wasReady ? isPassing(trouble) : trouble === 'starting' || trouble === 'busy'
}
