/** What is found wrong with a journal. */

/** Something that is not as it was stored. */
export interface JournalFinding {
  /** The thread, when the damage is in one. */
  readonly thread?: string
  /** The first event that cannot be trusted. */
  readonly seq?: number
  /** What is wrong, in words. */
  readonly problem: string
  /** It has been put right: what was cut off had never been acknowledged. */
  readonly repaired?: true
}

/** A journal that can say more of itself than its threads show. */
export interface Inspected {
  /** Damage that is in no thread, or in the structure that holds them all. */
  inspect(): Promise<readonly JournalFinding[]>
}
