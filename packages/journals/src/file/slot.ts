/** The threads that are in use, each with its queue of operations; those that nobody uses are forgotten again. */
import type { Operation } from './plan.ts'
import type { Tail } from './tail.ts'
import { type Folder, openThread, type Thread, tailOf } from './thread.ts'

/** Something that waits for its turn. A removal is done alone; a mending is what every group begins with. */
export type Waiting = Readonly<{ operation: Operation | Removal | Mending; fail: (error: unknown) => void }>
type Removal = Readonly<{ kind: 'remove'; answer: () => void }>
type Mending = Readonly<{ kind: 'mend' }>

/** A place for a thread in memory. */
export interface Slot {
  readonly name: string
  opening: Promise<Thread> | undefined
  opened: Thread | undefined
  /** A look at the file of a thread that is not open; who opens it waits for that. */
  looking: Promise<unknown> | undefined
  readonly queue: Waiting[]
  /** The work on the queue, and the flush behind it. */
  working: Promise<void> | undefined
  flushing: Promise<void> | undefined
  users: number
}

/** The slots of a journal. */
export interface Slots {
  /** Uses a slot: while it is used it is not forgotten. */
  use<T>(name: string, work: (slot: Slot) => Promise<T>): Promise<T>
  open(slot: Slot): Promise<Thread>
  /** Where a thread stands: as it is known, or else by a look at its file, during which nobody opens it. */
  look(name: string, look: () => Promise<Tail | undefined>): Promise<Tail | undefined>
  all(): readonly Slot[]
}

/** How many threads are kept in memory, with an open file each, beyond those in use. */
const kept = 128

/** The slots of a journal's folder. */
export function createSlots(folder: Folder): Slots {
  const slots = new Map<string, Slot>()
  const forget = async (slot: Slot): Promise<void> => {
    slots.delete(slot.name)
    await slot.opened?.handle.drop()
  }
  const trim = (): void => {
    if (slots.size <= kept) return
    for (const slot of slots.values()) {
      if (slots.size <= kept) return
      // A suspect thread is the only one that knows what its file should hold.
      if (slot.users === 0 && !slot.opened?.isSuspect) void forget(slot)
    }
  }
  const use: Slots['use'] = async (name, work) => {
    const slot = slots.get(name) ?? freshSlot(name)
    // Who was used last is forgotten last.
    slots.delete(name)
    slots.set(name, slot)
    slot.users += 1
    try {
      return await work(slot)
    } finally {
      slot.users -= 1
      trim()
    }
  }
  const open = (slot: Slot): Promise<Thread> => {
    slot.opening ??= openSlot(folder, slot)
    return slot.opening
  }
  const look: Slots['look'] = (name, see) =>
    use(name, async (slot) => {
      if (slot.opening) return tailOf(await slot.opening)
      const looking = see()
      slot.looking = looking
      const tail = await looking.finally(() => (slot.looking = undefined))
      return tail ?? tailOf(await open(slot))
    })
  return { use, open, look, all: () => [...slots.values()] }
}

const freshSlot = (name: string): Slot => ({
  name,
  opening: undefined,
  opened: undefined,
  looking: undefined,
  queue: [],
  working: undefined,
  flushing: undefined,
  users: 0,
})

async function openSlot(folder: Folder, slot: Slot): Promise<Thread> {
  try {
    await slot.looking?.catch(() => {})
    slot.opened = await openThread(folder, slot.name)
    return slot.opened
  } catch (error) {
    slot.opening = undefined
    throw error
  }
}
