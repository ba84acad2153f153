import { startTcpProxy, type TcpProxy } from '@loom-agent/harness/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { createConnectionPool } from '../src/postgres/connection-pool.ts'
import { loadDriver } from '../src/postgres/driver.ts'
import { configOf } from '../src/postgres/options.ts'
import { testServer } from './postgres-samples.ts'

const { server, sql } = testServer({ fsync: false })
let proxy: TcpProxy
beforeAll(async () => {
  proxy = await startTcpProxy(server().port)
})
afterAll(() => proxy.close())

test('a statement that is sent while a connection breaks gets its own result', async () => {
  const config = configOf(`postgres://loom@127.0.0.1:${proxy.port}/postgres`, { pool: { answerTimeout: 3000 } })
  const pool = createConnectionPool(await loadDriver(config), config, { size: 1 })
  const ask = async (text: string): Promise<unknown> => (await pool.run('select $1::text as text', [text]))[0]?.['text']
  const sleep = (seconds: number) => pool.run('select pg_sleep($1::text::float8)', [String(seconds)])
  expect(await ask('first')).toBe('first')
  for (let round = 0; round < 5; round += 1) {
    await sleep(0)
    const slow = sleep(5)
    void until(
      async () => (await sql().unsafe("select from pg_stat_activity where query like 'select pg_sleep(%' and state = 'active'")).length > 0,
    ).then(() => proxy.cut())
    const own = (text: string): Promise<unknown> =>
      ask(text).then(
        (answer) => answer === text,
        () => 'lost',
      )
    // The next statements come as soon as the first has failed, before the driver has noticed that the connection is closed.
    const again = await slow.catch(() => ({ answers: [own('a'), own('b')] }))
    for (const answer of 'answers' in again ? await Promise.all(again.answers) : []) expect([true, 'lost']).toContain(answer)
    expect(await Promise.all([own('x'), own('y'), own('z')])).toEqual([true, true, true])
  }
  await pool.end()
})
