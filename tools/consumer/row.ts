/** What the consumer check reports: one row for each thing that was tried. */

/** A thing that was tried. */
export interface Row {
  readonly area: string
  readonly what: string
  readonly passed: boolean
  /** A figure, a remark, or what went wrong. */
  readonly note: string
}

/** Tries something; a text that it returns is the note, what it throws is the failure. */
export async function attempt(area: string, what: string, work: () => unknown): Promise<Row> {
  try {
    const note = await work()
    return { area, what, passed: true, note: typeof note === 'string' ? note : '' }
  } catch (error) {
    return { area, what, passed: false, note: error instanceof Error ? error.message : String(error) }
  }
}

/** The rows as a table for a terminal; what failed is shown in full below it. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ area, what, passed, note }) => [area, what, passed ? 'ok' : 'FAILED', passed ? note : ''])
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const failures = rows.filter(({ passed }) => !passed).map(({ area, what, note }) => `\n${area}: ${what}\n${note}`)
  return [...lines, ...failures].join('\n')
}
