/** The world outside: a process of its own in which effects happen and are counted, whoever dies meanwhile. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onLines } from './lines.ts'
import { programOf } from './program.ts'

/** An effect as the outside saw it: who asked for it, what it was, and the key that makes a repetition harmless. */
export interface Deed {
  readonly life: string
  /** Which process of the life asked, counted from 1. */
  readonly process: number
  readonly label: string
  readonly key?: string
}

/** What can be asked of the outside. */
export type OutsideRequest =
  | { readonly kind: 'hello'; readonly name: string }
  | ({ readonly kind: 'act' } & Deed)
  | { readonly kind: 'count'; readonly life: string; readonly label: string }
  | { readonly kind: 'gone'; readonly name: string }
  | { readonly kind: 'deeds'; readonly life: string }

/** What the outside answers. */
export interface OutsideReply {
  readonly count?: number
  readonly deeds?: readonly Deed[]
}

/** A connection to the outside. */
export interface Outside {
  readonly port: number
  /** Names the connection, so that others can wait for its end. */
  hello(name: string): Promise<void>
  /** Does something; resolves when it is done. Once for each key; without a key each time anew. */
  act(deed: Deed): Promise<void>
  /** How often something was done. */
  count(life: string, label: string): Promise<number>
  /** Resolves when the named connection is closed and everything that it has asked for is done. */
  gone(name: string): Promise<void>
  /** All that was asked for in a life, in order. The outside forgets it. */
  deeds(life: string): Promise<readonly Deed[]>
  close(): void
}

/** An outside that this process has started. */
export interface OutsideServer extends Outside {
  /** Ends the process. */
  end(): Promise<void>
}

/** Starts the outside in a process of its own. */
export async function startOutside(): Promise<OutsideServer> {
  const { args, env } = programOf(import.meta.url, 'outside-process')
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const port = await new Promise<string>((resolve) => onLines(child.stdout, resolve))
  const outside = await reachOutside(Number(port))
  return {
    ...outside,
    async end() {
      outside.close()
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Connects to the outside. */
export async function reachOutside(port: number): Promise<Outside> {
  const socket = await connected(port)
  const waiting = new Map<number, (reply: OutsideReply) => void>()
  let number = 0
  onLines(socket, (line) => {
    const { n, ...reply } = JSON.parse(line) as OutsideReply & { n: number }
    waiting.get(n)?.(reply)
    waiting.delete(n)
  })
  const ask = (request: OutsideRequest): Promise<OutsideReply> =>
    new Promise((resolve) => {
      number += 1
      waiting.set(number, resolve)
      socket.write(`${JSON.stringify({ n: number, ...request })}\n`)
    })
  return {
    port,
    hello: async (name) => void (await ask({ kind: 'hello', name })),
    act: async (deed) => void (await ask({ kind: 'act', ...deed })),
    count: async (life, label) => (await ask({ kind: 'count', life, label })).count ?? 0,
    gone: async (name) => void (await ask({ kind: 'gone', name })),
    deeds: async (life) => (await ask({ kind: 'deeds', life })).deeds ?? [],
    close: () => socket.destroy(),
  }
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.setNoDelay(true)
}
