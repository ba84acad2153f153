/** The external world in a process of its own: it performs and records effects, whichever process is killed meanwhile. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { onLines } from '../lines.ts'
import type { PlannedEffect } from '../plan/plan.ts'
import { programOf } from '../program.ts'

/** An effect as the world saw it. */
export interface PerformedEffect extends PlannedEffect {
  /** Which process of the trial performed it, counted from 1. */
  readonly process: number
}

/** The requests to the world. */
export type WorldRequest =
  | { readonly kind: 'hello'; readonly name: string }
  | { readonly kind: 'perform'; readonly trial: string; readonly effect: PerformedEffect }
  | { readonly kind: 'has'; readonly trial: string; readonly effect: string }
  | { readonly kind: 'gone'; readonly name: string }
  | { readonly kind: 'take'; readonly trial: string }

/** A reply of the world. */
export interface WorldReply {
  readonly has?: boolean
  readonly effects?: readonly PerformedEffect[]
}

/** A connection to the world. */
export interface WorldConnection {
  readonly port: number
  /** Names the connection, so that others can wait for its end. */
  hello(name: string): Promise<void>
  /** Performs an effect; resolves when it has happened. */
  perform(trial: string, effect: PerformedEffect): Promise<void>
  /** Whether an effect of this name has happened. */
  has(trial: string, effect: string): Promise<boolean>
  /** Resolves when the named connection is closed and everything that it requested has happened. */
  gone(name: string): Promise<void>
  /** All effects of a trial, in order. The world forgets them. */
  take(trial: string): Promise<readonly PerformedEffect[]>
  close(): void
}

/** A world that this process has started. */
export interface WorldServer extends WorldConnection {
  /** Ends the process. */
  end(): Promise<void>
}

/** Starts the world in a process of its own. */
export async function startWorld(): Promise<WorldServer> {
  const { args, env } = programOf(import.meta.url, 'world-process')
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const port = await new Promise<string>((resolve) => onLines(child.stdout, resolve))
  const world = await connectWorld(Number(port))
  return {
    ...world,
    async end() {
      world.close()
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Connects to the world. */
export async function connectWorld(port: number): Promise<WorldConnection> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const waiting = new Map<number, (reply: WorldReply) => void>()
  let number = 0
  onLines(socket, (line) => {
    const { n, ...reply } = JSON.parse(line) as WorldReply & { n: number }
    waiting.get(n)?.(reply)
    waiting.delete(n)
  })
  const request = (body: WorldRequest): Promise<WorldReply> =>
    new Promise((resolve) => {
      number += 1
      waiting.set(number, resolve)
      socket.write(`${JSON.stringify({ n: number, ...body })}\n`)
    })
  return {
    port,
    hello: async (name) => void (await request({ kind: 'hello', name })),
    perform: async (trial, effect) => void (await request({ kind: 'perform', trial, effect })),
    has: async (trial, effect) => (await request({ kind: 'has', trial, effect })).has === true,
    gone: async (name) => void (await request({ kind: 'gone', name })),
    take: async (trial) => (await request({ kind: 'take', trial })).effects ?? [],
    close: () => socket.destroy(),
  }
}
