/**
 * What a process reports of itself, on a pipe that outlives it.
 *
 * Every line is written synchronously: when the next thing happens the line is in the pipe, and a kill cannot take it back.
 */
import { writeSync } from 'node:fs'
import type { LoomEvent } from '@loom-agent/kernel'
import { type Bit, bits } from './phase.ts'

/** How a process ended by itself. */
export interface Ending {
  readonly thread: string
  readonly status: string
  readonly text: string
}

/** A line of the report. */
export type ReportLine =
  | { readonly kind: 'phase'; readonly mask: number }
  /** An event that Loom has emitted to a client of this process. */
  | { readonly kind: 'notified'; readonly event: LoomEvent }
  /** The question that was picked is answered. */
  | { readonly kind: 'answered'; readonly question: string }
  /** The journal has found a file with a torn end. */
  | { readonly kind: 'torn' }
  | { readonly kind: 'ended'; readonly endings: readonly Ending[] }
  | { readonly kind: 'failed'; readonly message: string }

/** Reports what happens. */
export interface Reporter {
  enter(bit: Bit): void
  leave(bit: Bit): void
  /** An effect has happened whose result is not durable, and then it is. */
  done(label: string): void
  recorded(label: string): void
  write(line: ReportLine): void
}

/** A reporter on an open file descriptor. */
export function createReporter(fd: number): Reporter {
  const counts: { [B in Bit]?: number } = {}
  const unrecorded = new Set<string>()
  let reported = 0
  const write = (line: ReportLine): void => {
    const bytes = Buffer.from(`${line.kind === 'phase' ? line.mask : JSON.stringify(line)}\n`)
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(fd, bytes, sent)
  }
  const reportPhase = (): void => {
    let mask = unrecorded.size > 0 ? bits.done : 0
    for (const [bit, count] of Object.entries(counts)) if (count > 0) mask |= bits[bit as Bit]
    if (mask === reported) return
    reported = mask
    write({ kind: 'phase', mask })
  }
  const change = (bit: Bit, by: number): void => {
    counts[bit] = (counts[bit] ?? 0) + by
    reportPhase()
  }
  return {
    write,
    enter: (bit) => change(bit, 1),
    leave: (bit) => change(bit, -1),
    done(label) {
      unrecorded.add(label)
      reportPhase()
    },
    recorded(label) {
      if (unrecorded.delete(label)) reportPhase()
    },
  }
}

/** Reads a line of the report. */
export function parseLine(line: string): ReportLine {
  return line.startsWith('{') ? (JSON.parse(line) as ReportLine) : { kind: 'phase', mask: Number(line) }
}
