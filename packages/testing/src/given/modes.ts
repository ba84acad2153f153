/** Modes that make hidden mistakes visible: nothing may depend on what is only in memory. */
import { isDeepStrictEqual } from 'node:util'
import { diffFrames, type Ports } from '@loom-agent/agent'
import { storedFrame } from '@loom-agent/agent/kit'
import type { Frame, Journal } from '@loom-agent/kernel'

/**
 * Always-replay: after every commit the live frame is dropped and rebuilt from the journal's bytes. Differences throw.
 *
 * @example
 * agent({ model, journal, ports: alwaysReplay(journal) })
 */
export function alwaysReplay(journal: Journal): Pick<Ports, 'refold'> {
  return {
    async refold(live) {
      const replayed = await storedFrame(journal, live.thread, live.seq)
      assertSameFrame(live, replayed)
      return replayed
    },
  }
}

/** Always-re-enter: every step of a durable body ends the entry, and the body is entered again from its first line. */
export function alwaysReenter(): Pick<Ports, 'reenter'> {
  return { reenter: true }
}

/** Throws, naming the places, when two frames are not the same data. */
export function assertSameFrame(live: Frame, replayed: Frame): void {
  const plain = (frame: Frame): unknown => JSON.parse(JSON.stringify(frame))
  if (isDeepStrictEqual(plain(live), plain(replayed))) return
  const places = diffFrames(plain(live), plain(replayed)).slice(0, 5)
  const text = places.map(({ path, before, after }) => `${path}: ${JSON.stringify(before)} live, ${JSON.stringify(after)} replayed`).join('\n')
  throw new Error(`The frame of ${live.thread}@${live.seq} is not what its journal says:\n${text}`)
}

/** Freezes a frame and everything in it: any change throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const field of Object.values(value)) deepFreeze(field)
  return value
}
