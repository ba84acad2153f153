/** The crash matrix: every boundary of every scenario, in one process. */

/** What the matrix came to. */
export interface MatrixReport {
  readonly scenarios: number
  readonly points: number
  readonly violations: readonly string[]
}
