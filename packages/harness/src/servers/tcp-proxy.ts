/**
 * A TCP proxy in front of a real server, for what networks do: lost replies, late bytes, one-way partitions, connections that are cut.
 *
 * Bytes that are held are not lost: they arrive when the direction is released, as after a partition that heals.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/** Which way bytes go. */
export type ProxyDirection = 'to-server' | 'to-client'

/** A proxy on a port of its own. */
export interface TcpProxy {
  readonly port: number
  /** Connections that are open now. */
  connections(): number
  /** Connections that were ever made. */
  accepted(): number
  /** Round trips of all connections together: what a client sends before the server has replied counts as one request. */
  roundTrips(): number
  /** Cuts all connections. */
  cut(): void
  /** Cuts the connection over which the next matching request comes, after the server has replied and before the client gets the reply. */
  loseReply(matches: (request: Buffer) => boolean): Promise<void>
  /** Cuts the connection over which the next matching request comes, before the server gets it. */
  loseRequest(matches: (request: Buffer) => boolean): Promise<void>
  /** Lets nothing through in a direction, also on new connections: both directions are a black hole. */
  hold(direction: ProxyDirection): void
  /** Lets everything through again, and what was held. */
  release(): void
  /** Delays everything from now on, in milliseconds. */
  delay(ms: number): void
  /** Whether new connections are closed at once, without a reply. */
  hangUp(on: boolean): void
  close(): Promise<void>
}

interface Trap {
  readonly matches: (request: Buffer) => boolean
  readonly loses: 'request' | 'reply'
  sprung(): void
}

interface Pipe {
  readonly client: Socket
  readonly server: Socket
  /** The client sent last. */
  isAsking: boolean
  /** The reply that comes next is not to reach the client. */
  trap: Trap | undefined
}

interface Network {
  readonly pipes: Set<Pipe>
  readonly held: Map<ProxyDirection, (() => void)[]>
  readonly traps: Trap[]
  delay: number
  roundTrips: number
}

/** Starts a proxy to a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const network: Network = { pipes: new Set(), held: new Map(), traps: [], delay: 0, roundTrips: 0 }
  const { pipes, held, traps } = network
  let hangsUp = false
  let accepted = 0
  const listener = createServer({ noDelay: true }, (client) => {
    accepted += 1
    if (hangsUp)
      client
        .on('error', () => {})
        .resume()
        .end()
    else join(network, client, dial({ port: target, host: '127.0.0.1', noDelay: true }))
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const cut = (): void => {
    for (const { client, server } of pipes) for (const socket of [client, server]) socket.destroy()
  }
  const trap = (loses: Trap['loses'], matches: Trap['matches']): Promise<void> => new Promise((sprung) => traps.push({ matches, loses, sprung }))
  return {
    port,
    connections: () => pipes.size,
    accepted: () => accepted,
    roundTrips: () => network.roundTrips,
    cut,
    loseReply: (matches) => trap('reply', matches),
    loseRequest: (matches) => trap('request', matches),
    hold: (direction) => void (held.has(direction) || held.set(direction, [])),
    release() {
      const waiting = [...held.values()].flat()
      held.clear()
      for (const send of waiting) send()
    },
    delay(ms) {
      network.delay = ms
    },
    hangUp(on) {
      hangsUp = on
    },
    async close() {
      listener.close()
      cut()
      await once(listener, 'close')
    },
  }
}

function join(network: Network, client: Socket, server: Socket): void {
  const pipe: Pipe = { client, server, isAsking: false, trap: undefined }
  network.pipes.add(pipe)
  const over = (): void => {
    network.pipes.delete(pipe)
    client.destroy()
    server.destroy()
  }
  for (const socket of [client, server]) socket.on('error', over).on('close', over)
  client.on('data', (bytes: Buffer) => {
    if (!pipe.isAsking) network.roundTrips += 1
    pipe.isAsking = true
    const found = network.traps.findIndex(({ matches }) => matches(bytes))
    const [trap] = found < 0 ? [] : network.traps.splice(found, 1)
    if (trap?.loses === 'request') {
      trap.sprung()
      return over()
    }
    pipe.trap ??= trap
    pass(network, 'to-server', () => server.write(bytes))
  })
  server.on('data', (bytes: Buffer) => {
    pipe.isAsking = false
    if (!pipe.trap) return pass(network, 'to-client', () => client.write(bytes))
    pipe.trap.sprung()
    over()
  })
  // An end is a message too: it comes after what was sent before it.
  client.on('end', () => pass(network, 'to-server', () => server.end()))
  server.on('end', () => pass(network, 'to-client', () => client.end()))
}

function pass({ held, delay }: Network, direction: ProxyDirection, send: () => void): void {
  const waiting = held.get(direction)
  if (waiting) waiting.push(send)
  else if (delay > 0) setTimeout(send, delay)
  else send()
}
