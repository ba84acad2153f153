import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { idle, until } from '../../../../test/support/event-loop.ts'
import { startTcpProxy, type TcpProxy } from '../../src/servers/tcp-proxy.ts'

let echo: Server
let proxy: TcpProxy
/** What the server has received. */
let received = ''
beforeEach(async () => {
  received = ''
  echo = createServer((socket) => {
    socket.on('data', (bytes) => {
      received += bytes.toString()
      // Letter by letter: what was sent apart may arrive together.
      socket.write(Array.from(bytes.toString(), (letter) => `<${letter}>`).join(''))
    })
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  proxy = await startTcpProxy((echo.address() as AddressInfo).port)
})
afterEach(async () => {
  await proxy.close()
  echo.close()
})

interface Client {
  readonly socket: Socket
  replies(): string
  isClosed(): boolean
}
const client = async (): Promise<Client> => {
  let replies = ''
  let closed = false
  const socket = dial(proxy.port, '127.0.0.1')
  socket.on('data', (bytes) => (replies += bytes.toString())).on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  await once(socket, 'connect')
  return { socket, replies: () => replies, isClosed: () => closed }
}

test('a round trip is a request and its reply, however many pieces the request comes in', async () => {
  const { socket, replies } = await client()
  expect(proxy.roundTrips()).toBe(0)
  proxy.hold('to-server')
  for (const letter of ['a', 'b']) {
    socket.write(letter)
    await idle()
  }
  proxy.release()
  await vi.waitFor(() => expect(replies()).toBe('<a><b>'))
  expect(proxy.roundTrips()).toBe(1)
  socket.write('c')
  await vi.waitFor(() => expect(replies()).toBe('<a><b><c>'))
  expect(proxy.roundTrips()).toBe(2)
})

test('bytes go to the server and back, later with a delay, and ends are passed on', async () => {
  const { socket, replies, isClosed } = await client()
  socket.write('a')
  await vi.waitFor(() => expect(replies()).toBe('<a>'))
  proxy.delay(30)
  socket.write('b')
  await vi.waitFor(() => expect(replies()).toBe('<a><b>'))
  expect([proxy.connections(), proxy.accepted()]).toEqual([1, 1])
  socket.end()
  await vi.waitFor(() => expect(isClosed()).toBe(true))
  await vi.waitFor(() => expect(proxy.connections()).toBe(0))
})

test.each([
  ['to-server', '', ''],
  ['to-client', 'ab', ''],
] as const)('what is held %s arrives when it is released, in order', async (direction, before, answered) => {
  const { socket, replies } = await client()
  proxy.hold(direction)
  proxy.hold(direction)
  socket.write('a')
  await idle()
  socket.write('b')
  await until(() => received === before)
  await idle()
  expect([received, replies()]).toEqual([before, answered])
  proxy.release()
  await vi.waitFor(() => expect([received, replies()]).toEqual(['ab', '<a><b>']))
})

test('a reply is lost after the server has done its work, once', async () => {
  const { socket, replies, isClosed } = await client()
  const lost = proxy.loseReply((bytes) => bytes.includes('x'))
  socket.write('a')
  await vi.waitFor(() => expect(replies()).toBe('<a>'))
  socket.write('x')
  await lost
  await vi.waitFor(() => expect(isClosed()).toBe(true))
  expect([received, replies()]).toEqual(['ax', '<a>'])
  const again = await client()
  again.socket.write('x')
  await vi.waitFor(() => expect(again.replies()).toBe('<x>'))
})

test('a request is lost before the server gets it', async () => {
  const { socket, isClosed } = await client()
  const lost = proxy.loseRequest((bytes) => bytes.includes('x'))
  socket.write('x')
  await lost
  await vi.waitFor(() => expect(isClosed()).toBe(true))
  expect(received).toBe('')
})

test('connections are cut, and hung up on', async () => {
  const first = await client()
  proxy.cut()
  await vi.waitFor(() => expect(first.isClosed()).toBe(true))
  proxy.hangUp(true)
  const second = await client()
  await vi.waitFor(() => expect(second.isClosed()).toBe(true))
  proxy.hangUp(false)
  const third = await client()
  third.socket.write('a')
  await vi.waitFor(() => expect(third.replies()).toBe('<a>'))
  expect(proxy.accepted()).toBe(3)
})
