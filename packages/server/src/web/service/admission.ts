/**
 * Admission: what a server takes on at once is bounded, and what it cannot take on it refuses at once.
 *
 * ADMISSION-1. A request that is refused has started and stored nothing, and is told when to try again.
 */
import { LoomError } from '@loom-agent/kernel'

/** How much there may be at once. */
export interface AdmissionLimits {
  /** Runs under way that clients of this server have started; default 200. A run that waits does not count. */
  readonly runs?: number | undefined
  /** Those of one identity; default: as many as all. */
  readonly runsEach?: number | undefined
  /** Streams that are open, each WebSocket counting for one; default 2,000. */
  readonly streams?: number | undefined
}

/** What is under way. */
export interface Admission {
  /** Takes on a run of an identity. Throws `LOOM_SERVER_BUSY` when there is no room. Call what it returns when the run rests. */
  enterRun(name: string): () => void
  /** Takes on a stream, which `end` ends when the server closes. Call what it returns when it has ended. */
  enterStream(end: () => void): () => void
  /** Takes on nothing more, and ends the streams. */
  close(): void
  /** How much there is now. */
  counts(): { readonly runs: number; readonly streams: number }
}

function busy(status: 429 | 503, message: string): LoomError {
  return new LoomError('LOOM_SERVER_BUSY', message, { context: { status } })
}

/** Counts what is under way. */
export function createAdmission({ runs = 200, runsEach = runs, streams = 2000 }: AdmissionLimits = {}): Admission {
  const byName = new Map<string, number>()
  const open = new Set<() => void>()
  let running = 0
  let isClosed = false
  const requireOpen = (): void => {
    if (isClosed) throw busy(503, 'This server is about to end and takes on nothing new. Ask another one, or this one when it has started again.')
  }
  return {
    enterRun(name) {
      requireOpen()
      const own = byName.get(name) ?? 0
      if (running >= runs) throw busy(503, `This server has ${running} runs under way, and takes on ${runs} at most. Try again soon.`)
      if (own >= runsEach) throw busy(429, `${name} has ${own} runs under way, and may have ${runsEach}. Wait until one of them has ended.`)
      running += 1
      byName.set(name, own + 1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        running -= 1
        const left = (byName.get(name) ?? 1) - 1
        if (left > 0) byName.set(name, left)
        else byName.delete(name)
      }
    },
    enterStream(end) {
      requireOpen()
      if (open.size >= streams)
        throw busy(503, `This server has ${open.size} streams open, and serves ${streams} at most. Close some, or try again soon.`)
      // A function of its own for each stream: two may be ended in the same way.
      const ending = (): void => end()
      open.add(ending)
      return () => void open.delete(ending)
    },
    close() {
      isClosed = true
      for (const end of [...open]) end()
    },
    counts: () => ({ runs: running, streams: open.size }),
  }
}
