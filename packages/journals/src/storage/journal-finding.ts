/** Damage that was found in a journal. */

/** Something that is not what was stored. */
export interface JournalFinding {
  /** The thread, when the damage is in one. */
  readonly thread?: string
  /** The first event that cannot be trusted. */
  readonly seq?: number
  /** What is wrong, in words. */
  readonly problem: string
  /** The journal has repaired it: what was cut off had never been acknowledged. */
  readonly repaired?: true
}

/** A journal that can check more than its threads show. */
export interface Inspected {
  /** Returns damage that is in no thread, or in the structure that holds them all. */
  inspect(): Promise<readonly JournalFinding[]>
}
