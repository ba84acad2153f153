/** A worker, as seen by the process that kills it. */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { LoomEvent } from '@loom-agent/kernel'
import { onLines } from '../process/lines.ts'
import { programOf } from '../process/program.ts'
import type { WorkerJob } from './job.ts'
import { type Ending, parseLine } from './reporter.ts'

/** What is known of a worker when it is gone. */
export interface WorkerEnd {
  /** The signal that ended it; null when it ended by itself. */
  readonly signal: NodeJS.Signals | null
  /** The bits that it reported last. */
  readonly mask: number
  /** The events that clients were notified of, in order. */
  readonly notified: readonly LoomEvent[]
  /** The questions that it has picked and answered. */
  readonly answered: readonly string[]
  /** How many torn files it found. */
  readonly torn: number
  /** How its threads ended; undefined if it did not live to report it. */
  readonly endings: readonly Ending[] | undefined
  /** What went wrong, as it or its platform reports it. */
  readonly failure: string | undefined
}

/** A worker. */
export interface Worker {
  readonly pid: number
  signal(signal: NodeJS.Signals): void
  /** Resolves when it is gone and its whole report was read. */
  readonly gone: Promise<WorkerEnd>
}

/** Starts a worker; calls `onPhase` whenever its bits change. */
export function startWorker(job: WorkerJob, onPhase: (mask: number) => void = () => {}): Worker {
  const { args, env } = programOf(import.meta.url, 'worker-process')
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env })
  const [notified, answered]: [LoomEvent[], string[]] = [[], []]
  const end = { mask: 0, torn: 0, endings: undefined as WorkerEnd['endings'], failure: undefined as string | undefined }
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
        end.mask = line.mask
        return onPhase(line.mask)
      case 'notified':
        return void notified.push(line.event)
      case 'answered':
        return void answered.push(line.question)
      case 'torn':
        end.torn += 1
        return
      case 'ended':
        end.endings = line.endings
        return
      case 'failed':
        end.failure = line.message
    }
  })
  const gone = new Promise<WorkerEnd>((resolve) => {
    child.once('close', (code, signal) => {
      const isOwn = signal === null && code !== 0
      resolve({ ...end, notified, answered, signal, failure: end.failure ?? (isOwn ? `It ended with ${code}. ${errors}` : undefined) })
    })
  })
  return { pid: child.pid ?? 0, signal: (signal) => void child.kill(signal), gone }
}
