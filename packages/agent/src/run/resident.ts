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

/** Threads kept in memory that nobody holds, at most; the least recently used goes first. A resident is a cache: losing it costs a fold. */
const residents = 64

/** The threads of an agent that are in memory. */
export interface Residents {
  /** The thread with its frame up to date. */
  load(thread: string): Promise<Resident>
  /** A thread that is known to be new. */
  fresh(thread: string): Resident
  /** Keeps a thread in memory, however many others come, until it is let go of. */
  hold(resident: Resident): () => void
}

/** Residents of a journal, none yet. */
export function createResidents(journal: Journal): Residents {
  const idle = new Map<string, Resident>()
  const held = new Map<string, { readonly resident: Resident; users: number }>()
  const keep = (resident: Resident): Resident => {
    const { thread } = resident.frame
    idle.delete(thread)
    idle.set(thread, resident)
    if (idle.size > residents) idle.delete(idle.keys().next().value as string)
    return resident
  }
  const hold = (resident: Resident): (() => void) => {
    const { thread } = resident.frame
    const holding = held.get(thread) ?? { resident, users: 0 }
    idle.delete(thread)
    held.set(thread, holding)
    holding.users += 1
    return () => {
      holding.users -= 1
      if (holding.users > 0) return
      held.delete(thread)
      keep(holding.resident)
    }
  }
  const create = (thread: string): Resident => ({ frame: emptyFrame(thread), prompt: createPrompt(), observed: 0 })
  return {
    async load(thread) {
      const known = held.get(thread)?.resident ?? idle.get(thread)
      const resident = known ?? create(thread)
      const letGo = hold(resident)
      try {
        await catchUp(journal, resident)
        if (!known) resident.observed = resident.frame.seq
        return resident
      } finally {
        letGo()
      }
    },
    fresh: (thread) => keep(create(thread)),
    hold,
  }
}

/** Folds what has been appended since. */
export async function catchUp(journal: Journal, resident: Resident): Promise<Frame> {
  for await (const event of readEvents(journal, resident.frame.thread, resident.frame.seq + 1)) {
    if (event.seq === resident.frame.seq + 1) resident.frame = evolve(resident.frame, event)
  }
  return resident.frame
}
