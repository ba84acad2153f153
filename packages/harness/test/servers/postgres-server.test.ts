import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startPostgresServer } from '../../src/servers/postgres-server.ts'

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.end()
  })

test('a server is stopped, killed and started again on the same data, and leaves nothing behind', async () => {
  const server = await startPostgresServer({ fsync: false })
  expect(await accepts(server.port)).toBe(true)
  await server.stop('fast')
  await server.stop('immediate')
  await server.kill()
  expect(await accepts(server.port)).toBe(false)
  await server.start()
  await server.kill()
  expect(await accepts(server.port)).toBe(false)
  await server.start()
  expect(await accepts(server.port)).toBe(true)
  await server.close()
  expect([await accepts(server.port), existsSync(dirname(server.data))]).toEqual([false, false])
})

test('a server that cannot start says why', async () => {
  await expect(startPostgresServer({ settings: { max_connections: 'nonsense' } })).rejects.toThrow(/PostgreSQL ended with 1: .*max_connections/s)
})

test('a server ends with the process that started it, also when that is killed', async () => {
  const program = `import { startPostgresServer } from ${JSON.stringify(new URL('../../src/servers/postgres-server.ts', import.meta.url).href)}
    const { data, port } = await startPostgresServer({ fsync: false })
    process.stdout.write(JSON.stringify({ data, port }), () => process.kill(process.pid, 'SIGKILL'))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const text of child.stdout.setEncoding('utf8')) printed += text as string
  const { data, port } = JSON.parse(printed) as { data: string; port: number }
  await vi.waitFor(async () => expect([await accepts(port), existsSync(dirname(data))]).toEqual([false, false]), 50_000)
})
