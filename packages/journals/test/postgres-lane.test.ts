import { setTimeout as pause } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '@loom-agent/harness/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDriver } from '../src/postgres/driver.ts'
import { createLane } from '../src/postgres/lane.ts'
import { configOf } from '../src/postgres/options.ts'
import { testServer } from './postgres-samples.ts'

const { server } = testServer({ fsync: false })
let proxy: TcpProxy
beforeAll(async () => {
  proxy = await startTcpProxy(server().port)
})
afterAll(() => proxy.close())

test('who asks again in the moment in which a connection breaks has the answer to its own question, soon', async () => {
  const config = configOf(`postgres://loom@127.0.0.1:${proxy.port}/postgres`, { pool: { answerTimeout: 3000 } })
  const lane = createLane(await loadDriver(config), config, { size: 1 })
  const ask = async (text: string): Promise<unknown> => (await lane.run('select $1::text as text', [text]))[0]?.['text']
  const sleep = (seconds: number) => lane.run('select pg_sleep($1::text::float8)', [String(seconds)])
  expect(await ask('first')).toBe('first')
  const since = performance.now()
  for (let round = 0; round < 5; round += 1) {
    await sleep(0)
    const slow = sleep(5)
    setTimeout(() => proxy.cut(), 20)
    const own = (text: string): Promise<unknown> =>
      ask(text).then(
        (answer) => answer === text,
        () => 'lost',
      )
    // The next come at once when the first has failed, before the driver has noticed that the connection is closed.
    const again = await slow.catch(() => ({ answers: [own('a'), own('b')] }))
    await pause(50)
    expect(await Promise.all([own('x'), own('y'), own('z')])).toEqual([true, true, true])
    for (const answer of 'answers' in again ? await Promise.all(again.answers) : []) expect([true, 'lost']).toContain(answer)
  }
  expect(performance.now() - since).toBeLessThan(2500)
  await lane.end()
})
