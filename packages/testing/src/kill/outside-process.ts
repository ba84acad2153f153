/** The program behind `startOutside`: it does what it is asked to do and remembers who asked. It says its port and lives until it is killed. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onLines } from './lines.ts'
import type { Deed, OutsideReply, OutsideRequest } from './outside.ts'

const lives = new Map<string, Deed[]>()
const connected = new Map<string, Promise<void>>()

/** A key makes a repetition harmless; without one each request is an effect of its own. */
function countOf(life: string, label: string): number {
  const deeds = (lives.get(life) ?? []).filter((deed) => deed.label === label)
  const keys = new Set(deeds.flatMap(({ key }) => key ?? []))
  return keys.size + deeds.filter(({ key }) => key === undefined).length
}

function answer(request: OutsideRequest, socket: Socket): OutsideReply | Promise<OutsideReply> {
  switch (request.kind) {
    case 'hello':
      connected.set(request.name, new Promise((resolve) => void socket.once('close', () => resolve())))
      return {}
    case 'act': {
      const { life, process: number, label, key } = request
      const deeds = lives.get(life) ?? []
      lives.set(life, deeds)
      deeds.push({ life, process: number, label, ...(key !== undefined && { key }) })
      return {}
    }
    case 'count':
      return { count: countOf(request.life, request.label) }
    case 'gone':
      return (connected.get(request.name) ?? Promise.resolve()).then(() => {
        connected.delete(request.name)
        return {}
      })
    case 'deeds': {
      const deeds = lives.get(request.life) ?? []
      lives.delete(request.life)
      return { deeds }
    }
  }
}

async function reply(socket: Socket, { n, ...request }: OutsideRequest & { n: number }): Promise<void> {
  const told = await answer(request, socket)
  if (socket.writable) socket.write(`${JSON.stringify({ n, ...told })}\n`)
}

const server = createServer((socket) => {
  socket.setNoDelay(true)
  onLines(socket, (line) => void reply(socket, JSON.parse(line) as OutsideRequest & { n: number }))
})

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
