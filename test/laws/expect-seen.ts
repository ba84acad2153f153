/** What random lives have to show, so that a law is not kept for want of cases. */
import { expect } from 'vitest'

/** From so many lives on, everything is there; in fewer, something rare may be missing by chance. */
const many = 200

/** Expects that lives have shown what is counted: all of it where they were many, and of few what every life has. */
export function expectSeen(seen: Readonly<Record<string, number>>, runs: number, always: readonly string[]): void {
  const missing = Object.entries(seen).filter(([what, count]) => count === 0 && (runs >= many || always.includes(what)))
  expect(missing).toEqual([])
}
