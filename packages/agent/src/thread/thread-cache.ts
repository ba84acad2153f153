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

/** A resident that stays in memory, however many others come, until it is let go of. */
export interface Held {
  readonly resident: Resident
  readonly letGo: () => void
}

/** The threads of an agent that are in memory. */
export interface Residents {
  /** The thread with its frame up to date. */
  load(thread: string): Promise<Resident>
  /** The same, and holds it: whoever asks meanwhile gets the same one. */
  hold(thread: string): Promise<Held>
  /** A thread that is known to be new, held. */
  holdFresh(thread: string): Held
}

/** A resident in use. */
interface Use {
  readonly resident: Resident
  users: number
  /** Its first fold, which everybody waits for. */
  folded: Promise<unknown> | undefined
  isBroken: boolean
}

/** Residents of a journal, none yet. */
export function createResidents(journal: Journal): Residents {
  const idle = new Map<string, Resident>()
  const used = new Map<string, Use>()
  const keep = (thread: string, resident: Resident): void => {
    idle.set(thread, resident)
    if (idle.size > residents) idle.delete(idle.keys().next().value as string)
  }
  const use = (thread: string, begin: () => Use): Use => {
    const known = used.get(thread) ?? begin()
    idle.delete(thread)
    used.set(thread, known)
    known.users += 1
    return known
  }
  const letGo = (thread: string, use: Use): void => {
    use.users -= 1
    if (use.users > 0) return
    used.delete(thread)
    if (!use.isBroken) keep(thread, use.resident)
  }
  const hold = async (thread: string): Promise<Held> => {
    const known = idle.get(thread)
    const held = use(thread, () => (known ? useOf(known) : firstUse(journal, thread)))
    const { resident, folded, users } = held
    try {
      await folded
      // Who began the fold just now is up to date.
      if (folded === undefined || users > 1) await catchUp(journal, resident)
    } catch (error) {
      letGo(thread, held)
      throw error
    }
    return { resident, letGo: () => letGo(thread, held) }
  }
  return {
    hold,
    async load(thread) {
      const held = await hold(thread)
      held.letGo()
      return held.resident
    },
    holdFresh(thread) {
      const held = use(thread, () => useOf(create(thread)))
      return { resident: held.resident, letGo: () => letGo(thread, held) }
    },
  }
}

const useOf = (resident: Resident): Use => ({ resident, users: 0, folded: undefined, isBroken: false })

/** Folds a thread that is not in memory. One that cannot be read is not kept. */
function firstUse(journal: Journal, thread: string): Use {
  const use = useOf(create(thread))
  const { resident } = use
  use.folded = catchUp(journal, resident).then(
    ({ seq }) => {
      // What came before anybody here looked is not told.
      resident.observed = seq
    },
    (error: unknown) => {
      use.isBroken = true
      throw error
    },
  )
  return use
}

const create = (thread: string): Resident => ({ frame: emptyFrame(thread), prompt: createPrompt(), observed: 0 })

/** Begins again with nothing: the thread was removed, and what is there now is another one under its name. */
export function forget(resident: Resident): void {
  Object.assign(resident, create(resident.frame.thread))
}

/** Folds what has been appended since. */
export async function catchUp(journal: Journal, resident: Resident): Promise<Frame> {
  for await (const event of readEvents(journal, resident.frame.thread, resident.frame.seq + 1)) {
    if (event.seq === resident.frame.seq + 1) resident.frame = evolve(resident.frame, event)
  }
  return resident.frame
}
