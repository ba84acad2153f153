/**
 * The strategy of an agent that is given none.
 *
 * STANDARD-1. It is `compress()` where the window of the model is known, and `everything` otherwise. Until it cuts, it decides what `everything` decides, and
 *     has its name: a thread that was recorded before replays in the same way, by an agent with the same fingerprint.
 * STANDARD-2. What fits every known model is not counted: before a thread has so many characters, nothing is loaded and no model is described. An entry
 *     is looked at once.
 */
import { at, type Frame } from '@loom-agent/kernel'
import { compress } from './compress.ts'
import { type ContextStrategy, everything, extend } from './strategy.ts'

/** Compresses where the window of the model is known. */
export const standard: ContextStrategy = {
  name: everything.name,
  // Asked in this way only where another strategy is put around it, as after an overflow.
  assemble: async (request) => (request.model.window === undefined ? extend : compress().assemble(request)),
}

/** The characters that are looked at before a window is asked for: every known model has room for several times as many. */
const fewest = 8000

/** How much of a thread was looked at, and how much it has. */
export interface Measured {
  entries: number
  characters: number
}

/** Whether a thread is so short that every known model has room for it. */
export function isShort(measured: Measured, { history }: Frame): boolean {
  for (; measured.entries < history.length && measured.characters <= fewest; measured.entries += 1)
    measured.characters += JSON.stringify(at(history, measured.entries)?.message).length
  return measured.characters <= fewest
}
