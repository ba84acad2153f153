/** A database that is a journal: its lanes, and asking it with patience. */
import { setTimeout as pause } from 'node:timers/promises'
import type { LoomError } from '@loom-agent/kernel'
import { type Instance, thisInstance } from '../liveness.ts'
import { type Answer, type Driver, loadDriver, type Row, type Value } from './driver.ts'
import { createLane, type Lane, type LaneOptions } from './lane.ts'
import { openJournal } from './opening.ts'
import type { Config } from './options.ts'
import { delayOf, patienceOf } from './patience.ts'
import { closedError, isPassing, postgresFailure, troubleOf } from './postgres-failure.ts'

/** What every part of the journal works with. */
export interface Database {
  readonly config: Config
  /** The schema, quoted. */
  readonly s: string
  readonly here: Instance
  /** Threads found damaged, and the error that says so. */
  readonly damaged: Map<string, LoomError>
  /** Whether the journal was open once: from then on a server that is gone is waited for. */
  wasReady(): boolean
  /** The statement's rows; waits while the server is gone. The statement may be performed twice. */
  ask(statement: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** The statement's rows; waits for nothing. */
  run(statement: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** The same, on the connection of those who append. */
  write(statement: string, values: readonly Value[]): Promise<Answer>
  /** Gives up all connections: the server that they lead to is not the right one any more. */
  renew(): void
  /** One more lane, which ends with the database. */
  extraLane(options: LaneOptions): Promise<Lane>
  /** Statements sent so far. */
  sent(): number
  end(): Promise<void>
}

interface Open {
  readonly driver: Driver
  /** For appends, and for everything else. A pool of one has one for both. */
  readonly writer: Lane
  readonly worker: Lane
}

/** Opens the journal when somebody needs it, and again after a connection has broken. */
interface Opener {
  open(): Promise<Open>
  /** The lanes, while the server that they lead to is the one that was looked at. */
  ready(): Open | undefined
  wasReady(): boolean
}

function createOpener(config: Config, lane: (driver: Driver, options: LaneOptions) => Lane): Opener {
  let opening: Promise<Open> | undefined
  let made: Open | undefined
  let ready: Open | undefined
  let wasReady = false
  let closes = 0
  // What comes after a broken connection may be another server, or the same one in another role: it is looked at again.
  const onclose = (): void => {
    closes += 1
    opening = undefined
    ready = undefined
  }
  const begin = async (): Promise<Open> => {
    const driver = await loadDriver(config)
    const before = closes
    const writer = made?.writer ?? lane(driver, { size: 1, onclose })
    const worker = made?.worker ?? (config.size === 1 ? writer : lane(driver, { size: config.size - 1, onclose }))
    made = { driver, writer, worker }
    await openJournal(writer, config)
    wasReady = true
    if (closes === before) ready = made
    return made
  }
  return {
    open() {
      opening ??= begin().catch((error: unknown) => {
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
  const lanes: Lane[] = []
  let isEnded = false
  const lane = (driver: Driver, options: LaneOptions): Lane => {
    const made = createLane(driver, config, options)
    lanes.push(made)
    // Somebody was just about to use it.
    if (isEnded) void made.end()
    return made
  }
  const { open, ready, wasReady } = createOpener(config, lane)
  const openLanes = async (): Promise<Open> => {
    // Whoever is still asking is not to go on looking for a server.
    if (isEnded) throw closedError(config.name)
    return open()
  }
  const run: Database['run'] = async (statement, values) => (await openLanes()).worker.run(statement, values)
  const writeOnceOpen: Database['write'] = async (statement, values) => (await openLanes()).writer.run(statement, values)
  const renew = (): void => {
    for (const each of lanes) each.drop()
  }
  return {
    config,
    s: `"${config.schema}"`,
    here: thisInstance(),
    damaged: new Map(),
    wasReady,
    ask: (statement, values) => patiently(() => run(statement, values), { config, renew, wasReady }),
    run,
    write(statement, values) {
      // Almost every append comes by here: it does not wait for what is there already.
      const lanesNow = isEnded ? undefined : ready()
      return lanesNow ? lanesNow.writer.run(statement, values) : writeOnceOpen(statement, values)
    },
    renew,
    extraLane: async (options) => lane((await openLanes()).driver, options),
    sent: () => lanes.reduce((sum, { sent }) => sum + sent(), 0),
    async end() {
      isEnded = true
      await Promise.all(lanes.map((each) => each.end()))
    },
  }
}

interface Waiting {
  readonly config: Config
  renew(): void
  wasReady(): boolean
}

/** Does its work; waits while the server is gone. */
async function patiently<T>(work: () => Promise<T>, { config, renew, wasReady }: Waiting): Promise<T> {
  const patience = patienceOf(config.patience)
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (patience.isOver() || !isWorthATry(error, wasReady())) throw postgresFailure(error, config.name)
      if (troubleOf(error) === 'replica') renew()
    }
    await pause(delayOf(tries))
  }
}

/** Whether an error passes by itself. A server that was never there is not waited for, unless it says itself that it will be. */
export function isWorthATry(error: unknown, wasReady: boolean): boolean {
  const trouble = troubleOf(error)
  return wasReady ? isPassing(trouble) : trouble === 'starting' || trouble === 'busy'
}
