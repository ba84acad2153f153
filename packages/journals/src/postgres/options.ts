/** The options of a journal, and their defaults. */
import { type JsonObject, LoomError } from '@loom-agent/kernel'
import { type HeartbeatOptions, heartbeatTable } from '../storage/heartbeat.ts'
import { anObject, checkOptions, numberFrom, oneOf, requiredText } from '../storage/options.ts'

/** How much of what was acknowledged a crash of the server may lose: nothing, or what asking again brings back. */
export type PostgresMode = 'strict' | 'relaxed'

/** Where the database is, as an object instead of an address in one line. */
export interface PostgresAddress {
  /** The host of the server; default: `PGHOST`, else localhost. */
  readonly host?: string
  /** The port of the server; default: `PGPORT`, else 5432. */
  readonly port?: number
  /** A socket of the file system instead of host and port. */
  readonly path?: string
  /** The name of the database. */
  readonly database?: string
  /** The user who connects. */
  readonly user?: string
  /** The password, or a function that returns it for each connection. */
  readonly password?: string | (() => string | Promise<string>)
  /** As the driver and `tls.connect` take it. */
  readonly ssl?: boolean | 'require' | 'prefer' | 'verify-full' | object
  /** False for a pooler that knows no prepared statements. */
  readonly prepare?: boolean
}

/** How connections are used. Times are in milliseconds. */
export interface PostgresPool {
  /** Connections at most, 4 by default: one appends, the others do the rest. A journal that watches has one more. */
  readonly size?: number
  /** How long a connection may take to be made, 5,000 by default. */
  readonly connectTimeout?: number
  /** How long a reply may take before the connection counts as lost, 10,000 by default, and a second more for each megabyte that is sent. */
  readonly answerTimeout?: number
  /** How long statements are tried again while a server is gone that was there before, 30,000 by default. */
  readonly retryTimeout?: number
}

/** What the journal takes from the platform. */
export interface PostgresPorts {
  /** Loads the driver: the package `postgres`, which is an optional peer. */
  readonly driver: () => Promise<{ readonly default: unknown }>
}

/** How a journal is opened. */
export interface PostgresOptions {
  /**
   * `strict`, the default, has every batch flushed before it is acknowledged. `relaxed` leaves that to the server for a moment, except for what a
   * human has seen or said and for calls that may not be run again: a crash of the server may lose the rest.
   */
  readonly mode?: PostgresMode
  /** The schema that the tables are in, `loom` by default: several journals may share a database. */
  readonly schema?: string
  /** How many connections there are, and how long they are waited for. */
  readonly pool?: PostgresPool
  /**
   * When heartbeats are sent. A lease lasts 30 seconds without one, so `every` is at most 10,000. While the event loop stands still, a worker sends
   * them over a connection of its own; not when the address has functions or there are `ports`, which it could not use.
   */
  readonly heartbeat?: HeartbeatOptions
  /** Replaces what the journal takes from the platform, for tests. */
  readonly ports?: Partial<PostgresPorts>
}

/** Options with their defaults filled in. */
export interface Config extends PostgresPorts, Required<PostgresPool> {
  readonly address: string | PostgresAddress
  /** The address without its secrets, for messages. */
  readonly name: string
  readonly mode: PostgresMode
  readonly schema: string
  readonly heartbeat: HeartbeatOptions
  /** Whether the driver is the package `postgres`, which a worker can load too. */
  readonly isOwnDriver: boolean
}

const defaults = { size: 4, connectTimeout: 5000, answerTimeout: 10_000, retryTimeout: 30_000 } as const

const fromOne = numberFrom(1)
const text = { ...requiredText('a text'), required: false }

/** Fills in the defaults, and refuses invalid options. */
export function configOf(address: string | PostgresAddress, options: PostgresOptions = {}): Config {
  checkOptions('postgres', options, {
    mode: oneOf('strict', 'relaxed'),
    schema: text,
    pool: anObject,
    heartbeat: anObject,
    ports: anObject,
  })
  checkOptions('postgres.pool', options.pool ?? {}, { size: fromOne, connectTimeout: fromOne, answerTimeout: fromOne, retryTimeout: fromOne })
  checkOptions('postgres.heartbeat', options.heartbeat ?? {}, heartbeatTable)
  const { mode = 'strict', schema = 'loom', pool = {}, heartbeat = {}, ports = {} } = options
  // The schema is part of a channel name, which PostgreSQL cuts at 63 bytes. Without quotes in it, it is always quoted correctly.
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,47}$/.test(schema)) {
    throw invalid(`The schema of a journal has up to 48 letters, digits and _, and begins with no digit: ${JSON.stringify(schema)} does not.`)
  }
  const isOwnDriver = ports.driver === undefined
  return { driver: () => import('postgres'), ...ports, ...defaults, ...pool, address, name: nameOf(address), mode, schema, heartbeat, isOwnDriver }
}

function nameOf(address: string | PostgresAddress): string {
  if (typeof address === 'object' && address !== null) {
    const { host = 'localhost', port = 5432, path, database = '' } = address
    return path === undefined ? `postgres://${host}:${port}/${database}` : `${path} ${database}`
  }
  const [, scheme, place] = /^(postgres(?:ql)?:\/\/)(?:[^/?]*@)?([^?]+)/.exec(String(address)) ?? []
  if (scheme !== undefined && place !== undefined) return `${scheme}${place}`
  throw invalid('A journal needs the address of a database: postgres("postgres://user@host/database").')
}

function invalid(message: string, context: JsonObject = {}): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', message, { context })
}

/** Refuses a text that PostgreSQL cannot hold: with a NUL or half a surrogate pair. */
export function checkText(what: string, text: string): void {
  if (isStorable(text)) return
  throw invalid(`PostgreSQL cannot hold the ${what} ${JSON.stringify(text)}: it has a NUL or half a surrogate pair in it.`)
}

/** Refuses the id of a thread that cannot be stored. */
export function checkThread(thread: string): void {
  if (isStorable(thread)) return
  throw new LoomError('LOOM_THREAD_INVALID', `The id of a thread has a NUL or half a surrogate pair in it: ${JSON.stringify(thread)}.`, {
    context: { thread: thread.toWellFormed() },
  })
}

/** Whether PostgreSQL can hold a text: one without a NUL and without half a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
