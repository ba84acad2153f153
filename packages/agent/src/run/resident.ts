/** Residents: the frames and prompts of threads that were driven lately, so that a chat does not fold its past anew for every message. */
import { emptyFrame, evolve, type Frame, type Journal, readEvents } from '@loom-agent/kernel'
import { createPrompt, type Prompt } from '../context/prompt.ts'

/** A thread in memory. */
export interface Resident {
  frame: Frame
  prompt: Prompt
  /** Up to here observers of this process were told, or had no reason to be: it happened before they came. */
  observed: number
}

/** Threads kept in memory at most; the least recently used goes first. A resident is a cache: losing it costs a fold. */
const residents = 64

/** The threads of an agent that are in memory. */
export interface Residents {
  /** The thread with its frame up to date. */
  load(thread: string): Promise<Resident>
  /** A thread that is known to be new. */
  fresh(thread: string): Resident
}

/** Residents of a journal, none yet. */
export function createResidents(journal: Journal): Residents {
  const kept = new Map<string, Resident>()
  const keep = (thread: string, resident: Resident): Resident => {
    kept.delete(thread)
    kept.set(thread, resident)
    if (kept.size > residents) kept.delete(kept.keys().next().value as string)
    return resident
  }
  const create = (thread: string): Resident => ({ frame: emptyFrame(thread), prompt: createPrompt(), observed: 0 })
  return {
    async load(thread) {
      const known = kept.get(thread)
      const resident = keep(thread, known ?? create(thread))
      await catchUp(journal, resident)
      if (!known) resident.observed = resident.frame.seq
      return resident
    },
    fresh: (thread) => keep(thread, create(thread)),
  }
}

/** Folds what has been appended since. */
export async function catchUp(journal: Journal, resident: Resident): Promise<Frame> {
  for await (const event of readEvents(journal, resident.frame.thread, resident.frame.seq + 1)) {
    if (event.seq === resident.frame.seq + 1) resident.frame = evolve(resident.frame, event)
  }
  return resident.frame
}
