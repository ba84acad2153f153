/** A hole in a guard: a passage of Loom's sources, what stands there instead, and the attacks that must notice it. */
export interface Hole {
  /** What is open then, in one phrase. */
  readonly what: string
  /** The file, below `packages`. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly passage: string
  readonly instead: string
  /** The file of attacks, below the repository. */
  readonly foundBy: string
}
