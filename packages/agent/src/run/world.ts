/** The world of an agent: what its threads, and those of its children, share in this process. */
import { type Clock, evolve, type Frame, isOver, type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import type { RunOptions } from '../agent-type.ts'
import type { Definition } from '../definition.ts'
import type { Ports } from '../platform/ports.ts'
import { createLocks, type Locks } from '../tool/scheduler.ts'
import { createHub, type Hub } from './hub.ts'
import { createResidents, type Residents } from './resident.ts'

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

/** Follows a thread that is driven elsewhere: folds what is appended and passes every frame on. Ends when told to. */
export async function follow(
  world: World,
  start: Frame,
  on: { frame: FrameListener; until: () => boolean; stopped: Promise<void> },
): Promise<void> {
  let frame = start
  let wake: () => void = () => {}
  const unwatch = world.journal.watch(start.thread, () => wake())
  try {
    while (!on.until()) {
      const news = new Promise<void>((resolve) => {
        wake = resolve
      })
      for await (const event of readEvents(world.journal, frame.thread, frame.seq + 1)) {
        frame = evolve(frame, event)
        on.frame(frame, [event])
        if (on.until()) return
      }
      await Promise.race([news, on.stopped])
    }
  } finally {
    unwatch()
  }
}

/** Whether a run has come to a point where it stays until somebody moves it. */
export function isAtRest(frame: Frame, run: string): boolean {
  return frame.run?.id === run && (isOver(frame.run) || frame.run.status === 'suspended')
}

export type { Clock }
