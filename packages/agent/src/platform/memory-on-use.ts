/** What the journal in memory loads on use: runs neither list threads nor remove them, and check no queries. */
let checks: typeof import('./check-queries.ts') | undefined
let queries: typeof import('./memory-queries.ts') | undefined

/** Loads how queries are checked. */
export async function loadChecks(): Promise<typeof import('./check-queries.ts')> {
  checks ??= await import('./check-queries.ts')
  return checks
}

/** Loads how threads are listed and removed. */
export async function loadQueries(): Promise<typeof import('./memory-queries.ts')> {
  queries ??= await import('./memory-queries.ts')
  return queries
}
