import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgresServer, startTcpProxy } from '@loom-agent/harness/servers'
import { type PostgresJournal, type PostgresOptions, postgres } from '@loom-agent/journals/postgres'
import type { LoomError } from '@loom-agent/kernel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { connect, testServer } from './postgres-samples.ts'
import { startProcess } from './processes.ts'

const { server, url, sql, fresh, open } = testServer({ own: true, fsync: false, settings: { max_connections: 20, unix_socket_directories: '.' } })

const errorOf = async (journal: PostgresJournal): Promise<LoomError> => {
  const error = await journal.append('thread', batchAt(0, facts('a'))).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  await journal.close()
  expect(error).toBeInstanceOf(Error)
  return error as LoomError
}

describe('options', () => {
  test.each([
    ['', {}, 'needs the address of a database'],
    ['http://host/db', {}, 'needs the address of a database'],
    ['postgres://host/db', { mode: 'fast' }, 'mode is "fast". Give one of strict, relaxed'],
    ['postgres://host/db', { schema: 'a"b' }, 'The schema of a journal'],
    ['postgres://host/db', { schema: '1a' }, 'The schema of a journal'],
    ['postgres://host/db', { schema: 'x'.repeat(49) }, 'The schema of a journal'],
    ['postgres://host/db', { pool: { size: 0 } }, 'postgres.pool: size is 0. Give a number of at least 1'],
    ['postgres://host/db', { pool: { max: 3 } }, 'postgres.pool has no option "max". It has: size, connectTimeout'],
  ])('%j, %j is refused: %s', (address, options, message) => {
    expect(() => postgres(address, options as PostgresOptions)).toThrow(message)
  })

  test('nothing is connected before the first use, and a journal that was never used can be closed', async () => {
    const journal = postgres('postgres://nobody:secret@127.0.0.1:1/none')
    expect(journal.traits).toEqual({ name: 'postgres', shared: true, durable: true, bytes: true, mode: 'strict' })
    await journal.close()
    await journal.close()
    await expect(journal.head('thread')).rejects.toThrow('was closed. Open it again.')
  })

  test('an address may be an object', async () => {
    const schema = fresh()
    const journal = postgres({ host: '127.0.0.1', port: server().port, user: 'loom', database: 'postgres' }, { schema, pool: { size: 1 } })
    expect((await journal.append('thread', batchAt(0, facts('a')))).kind).toBe('appended')
    await journal.close()
  })

  test('an address may be a socket of the file system', async () => {
    const path = join(server().data, `.s.PGSQL.${server().port}`)
    const journal = postgres({ path, user: 'loom', database: 'postgres' }, { schema: fresh() })
    expect((await journal.append('thread', batchAt(0, facts('a')))).kind).toBe('appended')
    await journal.close()
    const missing = await errorOf(postgres({ path: `${path}0`, database: 'postgres' }))
    expect(missing.message).toContain(`The journal ${path}0 postgres cannot be reached`)
  })

  test('without prepared statements and settings it works too, as behind a pooler', async () => {
    const journal = postgres(`${url()}?options=&prepare=false`, { schema: fresh() })
    await Promise.all(['a', 'b'].map((thread) => journal.append(thread, batchAt(0, facts(1)))))
    expect((await journal.threads()).map(({ thread }) => thread)).toEqual(['a', 'b'])
    await journal.close()
  })

  test('without the driver the error has the line that installs it', async () => {
    const journal = postgres(url(), { ports: { driver: () => import(String('a-package-that-is-not-there')) } })
    const error = await errorOf(journal)
    expect([error.code, error.message]).toEqual(['LOOM_JOURNAL_UNUSABLE', expect.stringContaining('npm install postgres') as string])
  })
})

describe('a database that cannot be used', () => {
  test.each([
    ['no server listens', () => 'postgres://loom@127.0.0.1:1/postgres', 'cannot be reached. Start the server', 'later'],
    ['there is no such host', () => 'postgres://loom@no.such.host.invalid/postgres', 'cannot be reached', 'later'],
    ['there is no such database', () => url().replace(/postgres$/, 'missing'), 'Create the database with createdb', 'never'],
  ])('%s', async (_, address, message, retry) => {
    const error = await errorOf(postgres(address()))
    expect([error.message, error.retry]).toEqual([expect.stringContaining(message) as string, retry])
  })

  test('the password is wrong', async () => {
    await sql().unsafe("create role guarded login password 'right'")
    const hba = join(server().data, 'pg_hba.conf')
    const lines = ['host replication all 127.0.0.1/32 trust', 'host all guarded 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 trust']
    await sql().unsafe(`copy (select unnest(array['${lines.join("', '")}'])) to '${hba}'; select pg_reload_conf()`)
    const address = (password: string): string => url().replace('loom@', `guarded:${password}@`)
    const error = await errorOf(postgres(address('wrong')))
    expect([error.message, error.retry]).toEqual([expect.stringContaining('Correct the user, the password') as string, 'never'])
    expect(error.message).not.toContain('wrong')
    // A user that may not create a schema; then in a schema that was created for it.
    const denied = await errorOf(postgres(address('right'), { schema: 'denied' }))
    expect([denied.message, denied.retry]).toEqual([expect.stringContaining('Grant it the right to create a schema') as string, 'never'])
    await sql().unsafe('create schema granted authorization guarded')
    const journal = postgres(address('right'), { schema: 'granted' })
    expect((await journal.append('thread', batchAt(0, facts('a')))).kind).toBe('appended')
    await journal.close()
  })

  test('all connections are taken: it waits a while for one', async () => {
    const others = Array.from({ length: 25 }, () => connect(url()))
    await Promise.allSettled(others.map((other) => other`select 1`))
    const error = await errorOf(postgres(url().replace('loom@', 'guarded:right@'), { schema: 'granted', pool: { retryTimeout: 100 } }))
    expect([error.message, error.retry]).toEqual([expect.stringContaining('has no connection left. Raise max_connections') as string, 'later'])
    const proxy = await startTcpProxy(server().port)
    const waiting = postgres(url().replace(/:\d+\//, `:${proxy.port}/`), { schema: fresh() })
    const appending = waiting.append('thread', batchAt(0, facts('a')))
    await until(() => proxy.accepted() > 1)
    await Promise.all(others.map((other) => other.end()))
    expect((await appending).kind).toBe('appended')
    await waiting.close()
    await proxy.close()
  })

  test('its transactions do not see what others commit, and no setting of the connection changes that', async () => {
    await sql().unsafe('create database isolated')
    await sql().unsafe("alter database isolated set default_transaction_isolation = 'repeatable read'")
    const isolated = url().replace(/postgres$/, 'isolated')
    const error = await errorOf(postgres(`${isolated}?options=`))
    expect([error.message, error.retry]).toEqual([expect.stringContaining('runs transactions as repeatable read. Set') as string, 'never'])
    const journal = postgres(isolated)
    expect((await journal.append('thread', batchAt(0, facts('a')))).kind).toBe('appended')
    await journal.close()
  })

  test('its encoding cannot hold every text', async () => {
    await sql().unsafe("create database latin encoding 'LATIN1' locale 'C' template template0")
    const error = await errorOf(postgres(url().replace(/postgres$/, 'latin')))
    expect([error.message, error.retry]).toEqual([expect.stringContaining('has the encoding LATIN1') as string, 'never'])
  })

  test('it has a newer format, or none', async () => {
    const schema = fresh()
    const journal = open(schema)
    await journal.head('thread')
    await journal.close()
    for (const unknown of ['10', '0', '-3', '1.5', 'x']) {
      await sql().unsafe(`update ${schema}.meta set value = '${unknown}' where key = 'format'`)
      expect((await errorOf(open(schema))).message).toContain(`has format ${Number(unknown)} in the schema ${schema}; this version of Loom knows 9`)
    }
  })

  test('its tables are gone, or the whole schema', async () => {
    const schema = fresh()
    const journal = open(schema)
    await journal.append('thread', batchAt(0, facts('a')))
    await sql().unsafe(`drop table ${schema}.batches`)
    await expect(journal.read('thread')).rejects.toThrow('has no tables of a journal that fit')
    await sql().unsafe(`drop schema ${schema} cascade`)
    const error = await errorOf(journal)
    expect([error.code, error.retry]).toEqual(['LOOM_JOURNAL_UNUSABLE', 'never'])
  })
})

describe('several processes that open a journal', () => {
  test('at once on an empty database both succeed, in one process', async () => {
    const schema = fresh()
    const journals = [open(schema), open(schema), open(schema)]
    const results = await Promise.all(journals.map((journal, number) => journal.append(`thread ${number}`, batchAt(0, facts(number)))))
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended', 'appended'])
    await Promise.all(journals.map((journal) => journal.close()))
  })

  test('at once on an empty database all succeed, in several processes', async () => {
    const schema = fresh()
    const outputs = await Promise.all(
      [0, 1, 2].map((number) => startProcess('postgres-process.ts', 'append', url(), schema, `thread ${number}`, 'x', '2').ended),
    )
    expect(outputs).toEqual(['tries 2\n', 'tries 2\n', 'tries 2\n'])
  })

  test('in other schemas have other journals, and the mode is written in each', async () => {
    const [first, second] = [fresh(), fresh()]
    const journals = [open(first), open(second, { mode: 'relaxed' })]
    for (const [number, journal] of journals.entries()) await journal.append('thread', batchAt(0, facts(number)))
    expect(await Promise.all(journals.map((journal) => valuesOf(journal, 'thread')))).toEqual([[0], [1]])
    const modes = [first, second].map((schema) => sql().unsafe(`select value from ${schema}.meta where key = 'mode'`))
    expect((await Promise.all(modes)).map(([row]) => row?.['value'] as string)).toEqual(['strict', 'relaxed'])
    await Promise.all(journals.map((journal) => journal.close()))
  })
})

describe('several servers', () => {
  const holder: { replica?: PostgresServer } = {}
  const replica = (): PostgresServer => holder.replica ?? server()
  beforeAll(async () => {
    holder.replica = await startPostgresServer({ replicaOf: server(), fsync: false, settings: { max_connections: 20 } })
  })
  afterAll(() => holder.replica?.close())

  test('a replica is refused, and of several servers the one that can be written is found', async () => {
    const error = await errorOf(postgres(replica().url))
    expect([error.message, error.retry]).toEqual([expect.stringContaining('it is a copy of another server') as string, 'later'])
    const journal = postgres(`postgres://loom@127.0.0.1:${replica().port},127.0.0.1:${server().port}/postgres`, { schema: fresh() })
    expect((await journal.append('thread', batchAt(0, facts('a')))).kind).toBe('appended')
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
    await journal.close()
  })

  test('a primary that becomes read-only is waited for', async () => {
    const schema = fresh()
    const journal = open(schema, { pool: { retryTimeout: 1000 } })
    await journal.append('thread', batchAt(0, facts('a')))
    await sql().unsafe('alter database postgres set default_transaction_read_only = on')
    await sql().unsafe("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'loom'")
    await until(async () => (await sql().unsafe("select from pg_stat_activity where application_name = 'loom'")).length === 0)
    try {
      // A connection may still be about to find out that it was ended: then the error is another one, and nothing is stored either.
      const refusal = (work: Promise<unknown>): Promise<string> =>
        work.then(
          () => 'stored',
          (error: Error) => error.message,
        )
      const isRefused = async (work: () => Promise<unknown>): Promise<boolean> =>
        (await refusal(work())).includes('can only be read: it is a copy of another server, or was made read-only')
      await until(() => isRefused(() => journal.append('thread', batchAt(1, facts('b')))))
      await until(() => isRefused(() => journal.remove('thread')))
    } finally {
      await sql().unsafe('alter database postgres reset default_transaction_read_only')
    }
    expect((await journal.append('thread', batchAt(1, facts('b')))).kind).toBe('appended')
    await journal.close()
  })

  test('when all of them hang up there are pauses between the attempts, and an end', async () => {
    const proxies = await Promise.all([0, 1].map(() => startTcpProxy(server().port)))
    for (const proxy of proxies) proxy.hangUp(true)
    const [first, second] = proxies.map(({ port }) => `127.0.0.1:${port}`)
    const error = await errorOf(postgres(`postgres://loom@${first},${second}/postgres`, { schema: fresh(), pool: { answerTimeout: 400 } }))
    expect(error.message).toContain('has lost the connection')
    expect(proxies.reduce((sum, proxy) => sum + proxy.accepted(), 0)).toBeLessThan(30)
    await Promise.all(proxies.map((proxy) => proxy.close()))
  })

  test('when one dies and another takes its place, nothing is lost that both had', async () => {
    const schema = fresh()
    const journal = postgres(`postgres://loom@127.0.0.1:${server().port},127.0.0.1:${replica().port}/postgres`, { schema })
    await journal.append('thread', batchAt(0, facts('a')))
    await server().stop('fast')
    const appending = journal.append('thread', batchAt(1, facts('b')))
    const other = connect(replica().url)
    await other`select pg_promote()`
    expect(await appending).toEqual({ kind: 'appended', seq: 2 })
    expect(await valuesOf(journal, 'thread')).toEqual(['a', 'b'])
    await Promise.all([journal.close(), other.end()])
    await server().start()
  })
})

describe('a server with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-tls-'))
  const started: PostgresServer[] = []
  afterAll(async () => {
    await Promise.all(started.map((each) => each.close()))
    rmSync(folder, { recursive: true })
  })

  test('is used with TLS, and an idle connection keeps no process alive', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost']
    execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const { uid, gid } = statSync(server().data)
    for (const path of [folder, key, cert]) chownSync(path, uid, gid)
    const secure = await startPostgresServer({ fsync: false, settings: { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key } })
    started.push(secure)
    await expect(postgres(`${secure.url}?sslmode=verify-full`).head('thread')).rejects.toThrow('does not work')
    const address = `${secure.url}?sslmode=require`
    expect(await startProcess('postgres-process.ts', 'forget', address, 'tls', 'thread').ended).toBe('done\n')
    const journal = postgres(address, { schema: 'tls' })
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
    const own = connect(secure.url)
    const [row] = await own`select bool_and(ssl) as safe from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'loom'`
    expect(row?.['safe']).toBe(true)
    await own.end()
    await journal.close()
    expect(await startProcess('postgres-process.ts', 'leave', address, 'tls', 'another').ended).toBe('nothing is left\n')
  })
})
