/** The world of an agent: what its threads, and those of its children, share in this process. */
import { type Epoch, evolve, type Frame, type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import type { RunOptions } from '../agent-type.ts'
import type { Definition } from '../definition/definition.ts'
import type { Ports } from '../platform/ports.ts'
import { createLocks, type Locks } from '../call/scheduler.ts'
import { createHub, type Hub } from '../bus/bus.ts'
import { createResidents, type Residents } from './thread-cache.ts'

/** Told of a thread's frame after each commit. */
export type FrameListener = (frame: Frame, events: readonly LoomEvent[]) => void

/** What threads share. */
export interface World {
  readonly journal: Journal
  readonly ports: Ports
  readonly worker: string
  readonly hub: Hub
  readonly residents: Residents
  readonly locks: Locks
  /** Threads that this process is about to take. */
  readonly claiming: Set<string>
  /** Threads that this process drives, and under which epoch. */
  readonly driving: Map<string, Epoch>
  readonly listeners: Map<string, Set<FrameListener>>
  /** What runs were given in this process: `thread/run`. */
  readonly overrides: Map<string, Pick<RunOptions<never>, 'deps' | 'model' | 'tools'>>
}

/** The world of an agent that nobody has run yet. */
export function createWorld({ journal, ports }: Definition): World {
  return {
    journal,
    ports,
    worker: ports.ids(),
    hub: createHub(),
    residents: createResidents(journal),
    locks: createLocks(),
    claiming: new Set(),
    driving: new Map(),
    listeners: new Map(),
    overrides: new Map(),
  }
}

/** Listens to a thread's commits made in this process. */
export function listen(world: World, thread: string, listener: FrameListener): () => void {
  const others = world.listeners.get(thread) ?? new Set()
  world.listeners.set(thread, others.add(listener))
  return () => {
    if (others.delete(listener) && others.size === 0) world.listeners.delete(thread)
  }
}

/** What a follower does with what it sees. */
export interface Follower {
  /** Called for each event with the frame after it. */
  readonly event: (event: LoomEvent, frame: Frame) => void
  /** Called when there is nothing more to read for now. */
  readonly caughtUp: (frame: Frame) => void
  readonly until: () => boolean
  /** Resolves when `until` may have changed. */
  readonly stopped: Promise<void>
  /** Milliseconds without news after which the follower wants to know whether anybody is still there. */
  readonly patience: number
}

/** Follows a thread that somebody else drives, until there is no reason to, or there has been no news for a while. */
export async function follow({ journal, ports }: World, start: Frame, follower: Follower): Promise<'over' | 'silent'> {
  const { clock } = ports
  let frame = start
  let wake: () => void = () => {}
  const unwatch = journal.watch(start.thread, () => wake())
  try {
    while (!follower.until()) {
      const news = new Promise<void>((resolve) => {
        wake = resolve
      })
      for await (const event of readEvents(journal, frame.thread, frame.seq + 1)) {
        frame = evolve(frame, event)
        follower.event(event, frame)
        if (follower.until()) return 'over'
      }
      follower.caughtUp(frame)
      if (follower.until()) break
      const heard = Promise.race([news, follower.stopped]).then(() => true)
      let cancel: () => void = () => {}
      const silence = new Promise<false>((resolve) => (cancel = clock.at(clock.now() + follower.patience, () => resolve(false))))
      if (!(await Promise.race([heard, silence]))) return 'silent'
      cancel()
    }
    return 'over'
  } finally {
    unwatch()
  }
}
