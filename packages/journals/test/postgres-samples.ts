/** What the tests of the PostgreSQL journal append, and where. */

import { type PostgresServer, type PostgresServerOptions, startPostgresServer } from '@loom-agent/harness/servers'
import { type PostgresJournal, type PostgresOptions, postgres } from '@loom-agent/journals/postgres'
import driver from 'postgres'
import { afterAll, beforeAll } from 'vitest'

/** A server for the tests of a file, and connections that bypass the journal. */
export interface TestServer {
  readonly server: () => PostgresServer
  readonly url: () => string
  /** A separate connection; it ends with the tests. */
  readonly sql: () => driver.Sql
  /** The name of a schema that is not in use. */
  readonly fresh: () => string
  /** A journal on the server; its test closes it. */
  readonly open: (schema: string, options?: Omit<PostgresOptions, 'schema'>) => PostgresJournal
}

/** How a server is used: `own` is started before the tests of a file and ends after them; others are shared and end with the process. */
export type TestServerOptions = PostgresServerOptions & { readonly own?: boolean }

/** Starting a server takes long on a busy machine. */
const startTimeout = 60_000

const shared = new Map<string, Promise<PostgresServer>>()
let schemas = 0

/** A server for the tests of a file. */
export function testServer({ own = false, ...options }: TestServerOptions = {}): TestServer {
  const holder: { server?: PostgresServer; sql?: driver.Sql } = {}
  const server = (): PostgresServer => holder.server ?? missing()
  beforeAll(async () => {
    const key = JSON.stringify(options)
    const starting = shared.get(key) ?? startPostgresServer(options)
    if (!own) shared.set(key, starting)
    holder.server = await starting
    holder.sql = connect(holder.server.url)
  }, startTimeout)
  afterAll(async () => {
    await holder.sql?.end({ timeout: 1 })
    if (own) await holder.server?.close()
  })
  return {
    server,
    url: () => server().url,
    sql: () => holder.sql ?? missing(),
    fresh: () => `s${schemas++}`,
    open: (schema, more = {}) => postgres(server().url, { ...more, schema }),
  }
}

/** A bare connection. */
export function connect(url: string): driver.Sql {
  return driver(url, { max: 1, fetch_types: false, onnotice: () => {} })
}

function missing(): never {
  throw new Error('there is no server before the tests')
}
