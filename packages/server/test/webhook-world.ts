/** Receivers of webhooks: real servers on this machine, which check what they get as a receiver does. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Delivery, verifyDelivery } from '@loom-agent/server'

/** What a receiver has got. */
export interface Receipt {
  readonly delivery: Delivery
  readonly id: string
  readonly status: number
}

/** A receiver that replies as the test says, and notes everything that has a valid signature. */
export interface Receiver {
  readonly url: string
  readonly host: string
  readonly receipts: Receipt[]
  /** The status of the reply to a delivery; 0: no reply. */
  reply: (delivery: Delivery) => number
  close(): Promise<void>
}

/** Starts a receiver. What is not signed with one of the secrets gets the status 401, and is no receipt. */
export async function receive(secrets: readonly string[]): Promise<Receiver> {
  const receipts: Receipt[] = []
  const server: Server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const piece of request) body += String(piece)
      const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]))
      const id = await verifyDelivery({ headers, body }, { secrets }).catch(() => undefined)
      const delivery = JSON.parse(body) as Delivery
      const status = id === undefined ? 401 : receiver.reply(delivery)
      if (id !== undefined) receipts.push({ delivery, id, status })
      if (status === 0) return
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {})
      response.end('ok')
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const receiver: Receiver = {
    url: `http://${host}/hook`,
    host,
    receipts,
    reply: () => 204,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

/** What was received, each delivery once, in the order in which each came first. */
export function receivedOnce({ receipts }: Receiver): readonly Delivery[] {
  const seen = new Map<string, Delivery>()
  for (const { id, delivery, status } of receipts) if (status === 204 && !seen.has(id)) seen.set(id, delivery)
  return [...seen.values()]
}
