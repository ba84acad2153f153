/** The external world of processes that are killed: it performs and records their effects in the process that kills them. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { effectName, type PlannedEffect } from '../plan/plan.ts'
import { onLines } from '../process/lines.ts'

/** An effect as the world saw it. */
export interface PerformedEffect extends PlannedEffect {
  /** Which process of the trial performed it, counted from 1. */
  readonly process: number
}

/** What a process requests of the world; replies come in the order of the requests. */
type WorldRequest =
  | { readonly kind: 'hello'; readonly name: string }
  | { readonly kind: 'perform'; readonly trial: string; readonly effect: PerformedEffect }
  | { readonly kind: 'has'; readonly trial: string; readonly effect: string }

/** The world, as a process reaches it. */
export interface WorldConnection {
  /** Performs an effect; resolves when it has happened. */
  perform(trial: string, effect: PerformedEffect): Promise<unknown>
  /** Whether an effect of this name has happened. */
  has(trial: string, effect: string): Promise<boolean>
  close(): void
}

/** The world, as the process that has started it sees it. */
export interface WorldServer {
  readonly port: number
  /** Resolves when the connection of this name is closed and everything that it requested has happened. */
  gone(name: string): Promise<void>
  /** All effects of a trial, in order. The world forgets them. */
  take(trial: string): readonly PerformedEffect[]
  end(): Promise<void>
}

/** Starts a world. */
export async function startWorld(): Promise<WorldServer> {
  const trials = new Map<string, PerformedEffect[]>()
  const connected = new Map<string, Promise<void>>()
  const effectsOf = (trial: string): PerformedEffect[] => {
    const effects = trials.get(trial) ?? []
    trials.set(trial, effects)
    return effects
  }
  const handle = (request: WorldRequest, socket: Socket): boolean => {
    if (request.kind === 'hello') connected.set(request.name, new Promise((resolve) => void socket.once('close', () => resolve())))
    if (request.kind === 'perform') effectsOf(request.trial).push(request.effect)
    return request.kind === 'has' && effectsOf(request.trial).some((effect) => effectName(effect) === request.effect)
  }
  const server = createServer({ noDelay: true }, (socket) => {
    onLines(socket, (line) => {
      const result = handle(JSON.parse(line) as WorldRequest, socket)
      if (socket.writable) socket.write(`${result}\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async gone(name) {
      await connected.get(name)
      connected.delete(name)
    },
    take(trial) {
      const effects = effectsOf(trial)
      trials.delete(trial)
      return effects
    },
    async end() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** Connects to the world under a name. */
export async function connectWorld(port: number, name: string): Promise<WorldConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const waiting: ((result: boolean) => void)[] = []
  onLines(socket, (line) => waiting.shift()?.(line === 'true'))
  const request = (body: WorldRequest): Promise<boolean> => {
    socket.write(`${JSON.stringify(body)}\n`)
    return new Promise((resolve) => waiting.push(resolve))
  }
  await request({ kind: 'hello', name })
  return {
    perform: (trial, effect) => request({ kind: 'perform', trial, effect }),
    has: (trial, effect) => request({ kind: 'has', trial, effect }),
    close: () => socket.destroy(),
  }
}
