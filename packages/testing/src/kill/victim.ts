/** A process that will be killed, as the one who kills it sees it. */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { LoomEvent } from '@loom-agent/kernel'
import { type Ending, parseLine } from './announcer.ts'
import type { Job } from './job.ts'
import { onLines } from './lines.ts'
import { programOf } from './program.ts'

/** What is left of a process when it is gone. */
export interface Remains {
  /** How it went: by a signal, or by itself with a code. */
  readonly signal: NodeJS.Signals | null
  readonly code: number | null
  /** The bits that it announced last. */
  readonly mask: number
  /** The events that clients were told of, in order. */
  readonly told: readonly LoomEvent[]
  /** How often it found a file torn. */
  readonly torn: number
  /** How its threads ended; undefined if it did not live to say so. */
  readonly endings: readonly Ending[] | undefined
  /** What went wrong, in its own words or in those of its platform. */
  readonly failure: string | undefined
}

/** A process. */
export interface Victim {
  readonly pid: number
  signal(signal: NodeJS.Signals): void
  /** Resolves when it is gone and everything it has said was heard. */
  readonly gone: Promise<Remains>
}

/** Starts a process on a job; `onPhase` is told of its bits whenever they change. */
export function startVictim(job: Job, onPhase: (mask: number) => void = () => {}): Victim {
  const { args, env } = programOf(import.meta.url, 'victim-process')
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env })
  const remains = { mask: 0, told: [] as LoomEvent[], torn: 0, endings: undefined as Remains['endings'], failure: undefined as string | undefined }
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  // A process that is killed before it has read its job breaks the pipe.
  child.stdin?.on('error', () => {}).end(JSON.stringify(job))
  onLines(child.stdio[3] as Readable, (text) => {
    const line = parseLine(text)
    switch (line.kind) {
      case 'phase':
        remains.mask = line.mask
        return onPhase(line.mask)
      case 'told':
        return void remains.told.push(line.event)
      case 'torn':
        remains.torn += 1
        return
      case 'ended':
        remains.endings = line.endings
        return
      case 'failed':
        remains.failure = line.message
    }
  })
  const gone = new Promise<Remains>((resolve) => {
    child.once('close', (code, signal) => {
      const isOwn = signal === null && code !== 0
      resolve({ ...remains, signal, code, failure: remains.failure ?? (isOwn ? `It ended with ${code}. ${errors}` : undefined) })
    })
  })
  return { pid: child.pid ?? 0, signal: (signal) => void child.kill(signal), gone }
}
