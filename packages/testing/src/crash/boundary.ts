/** Boundaries: the moments at which a process may die and somebody could tell the difference. */

/** What a process does to the journal or to the world. */
export type Deed = 'append' | 'acquire' | 'release' | 'model' | 'tool' | 'step' | 'check' | 'hook' | 'outside'

/** One side of a deed: nothing of it has happened, or all of it has and nobody in the process has heard of it. */
export interface Boundary {
  /** Counted from 1 in the life of the process. */
  readonly number: number
  readonly when: 'before' | 'after'
  readonly deed: Deed
  /** What was done: a thread and its seq, a tool and its call, a point. */
  readonly what: string
}

/** A boundary as people read it. */
export function boundaryText({ number, when, deed, what }: Boundary): string {
  return `${number} (${when} ${deed} ${what})`
}

const changing: ReadonlySet<Deed> = new Set<Deed>(['append', 'acquire', 'release', 'tool', 'step', 'outside'])

/**
 * Whether whoever comes after could tell a death here from one at the boundary before: something outside has changed since.
 *
 * Nothing of a dead process is left but the journal and what it did outside. Before a deed both are as after the one before it.
 */
export function isDistinct({ number, when, deed }: Boundary): boolean {
  return number === 1 || (when === 'after' && changing.has(deed))
}
