/**
 * What a process says of itself, on a pipe that outlives it.
 *
 * Every line is written in one go and synchronously: when the next thing happens the line is in the pipe, and a kill cannot take it back.
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

/** A line of a process. */
export type Line =
  | { readonly kind: 'phase'; readonly mask: number }
  /** An event that Loom has told a client of this process. */
  | { readonly kind: 'told'; readonly event: LoomEvent }
  /** The end of a file that was found torn. */
  | { readonly kind: 'torn' }
  | { readonly kind: 'ended'; readonly endings: readonly Ending[] }
  | { readonly kind: 'failed'; readonly message: string }

/** Says what happens. */
export interface Announcer {
  enter(bit: Bit): void
  leave(bit: Bit): void
  /** An effect has happened whose result is not durable, and then it is. */
  done(label: string): void
  recorded(label: string): void
  say(line: Line): void
}

/** An announcer on an open file descriptor. */
export function createAnnouncer(fd: number): Announcer {
  const counts: { [B in Bit]?: number } = {}
  const unrecorded = new Set<string>()
  let announced = 0
  const say = (line: Line): void => {
    const bytes = Buffer.from(`${line.kind === 'phase' ? line.mask : JSON.stringify(line)}\n`)
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(fd, bytes, sent)
  }
  const announce = (): void => {
    let mask = unrecorded.size > 0 ? bits.done : 0
    for (const [bit, count] of Object.entries(counts)) if (count > 0) mask |= bits[bit as Bit]
    if (mask === announced) return
    announced = mask
    say({ kind: 'phase', mask })
  }
  const change = (bit: Bit, by: number): void => {
    counts[bit] = (counts[bit] ?? 0) + by
    announce()
  }
  return {
    say,
    enter: (bit) => change(bit, 1),
    leave: (bit) => change(bit, -1),
    done(label) {
      unrecorded.add(label)
      announce()
    },
    recorded(label) {
      if (unrecorded.delete(label)) announce()
    },
  }
}

/** A line as it was said. */
export function parseLine(line: string): Line {
  return line.startsWith('{') ? (JSON.parse(line) as Line) : { kind: 'phase', mask: Number(line) }
}
