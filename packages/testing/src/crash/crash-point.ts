/** Crash points: the moments at which a process can die so that the next one may notice. */

/** What a process does to the journal or to the world. */
export type Operation = 'append' | 'acquire' | 'release' | 'model' | 'tool' | 'step' | 'check' | 'hook' | 'world'

/** One side of an operation: nothing of it has happened, or all of it has and the process has not received the result. */
export interface CrashPoint {
  /** Counted from 1 within one process. */
  readonly number: number
  /** Which side of the operation it is. */
  readonly when: 'before' | 'after'
  /** What the process was doing. */
  readonly operation: Operation
  /** The subject: a thread and its seq, a tool and its call, a hook point. */
  readonly subject: string
}

/** A crash point as a message shows it. */
export function crashPointText({ number, when, operation, subject }: CrashPoint): string {
  return `${number} (${when} ${operation} ${subject})`
}

const changing: ReadonlySet<Operation> = new Set<Operation>(['append', 'acquire', 'release', 'tool', 'step', 'world'])

/**
 * Whether the next process can distinguish a crash here from one at the point before: something outside the process has changed since.
 *
 * A dead process leaves only the journal and its effects. Before an operation both are as they were after the previous one.
 */
export function isDistinct({ number, when, operation }: CrashPoint): boolean {
  return number === 1 || (when === 'after' && changing.has(operation))
}
