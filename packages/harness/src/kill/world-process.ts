/** The program behind `startWorld`: it performs effects and records which process requested them. It prints its port and runs until it is killed. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onLines } from '../lines.ts'
import { effectName } from '../plan/plan.ts'
import type { PerformedEffect, WorldReply, WorldRequest } from './world-server.ts'

const trials = new Map<string, PerformedEffect[]>()
const connected = new Map<string, Promise<void>>()

function handle(request: WorldRequest, socket: Socket): WorldReply | Promise<WorldReply> {
  switch (request.kind) {
    case 'hello':
      connected.set(request.name, new Promise((resolve) => void socket.once('close', () => resolve())))
      return {}
    case 'perform':
      trials.set(request.trial, [...(trials.get(request.trial) ?? []), request.effect])
      return {}
    case 'has':
      return { has: (trials.get(request.trial) ?? []).some((effect) => effectName(effect) === request.effect) }
    case 'gone':
      return (connected.get(request.name) ?? Promise.resolve()).then(() => {
        connected.delete(request.name)
        return {}
      })
    case 'take': {
      const effects = trials.get(request.trial) ?? []
      trials.delete(request.trial)
      return { effects }
    }
  }
}

async function reply(socket: Socket, { n, ...request }: WorldRequest & { n: number }): Promise<void> {
  const result = await handle(request, socket)
  if (socket.writable) socket.write(`${JSON.stringify({ n, ...result })}\n`)
}

const server = createServer((socket) => {
  socket.setNoDelay(true)
  onLines(socket, (line) => void reply(socket, JSON.parse(line) as WorldRequest & { n: number }))
})

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
