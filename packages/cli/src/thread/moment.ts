/** Moments of threads, as people write them. */

/** Reads `thread` or `thread@seq`. An @ that no number follows belongs to the name. */
export function threadAt(text: string): { readonly thread: string; readonly seq?: number } {
  const [, thread, seq] = /^(.+)@([1-9]\d{0,14})$/s.exec(text) ?? []
  return thread === undefined ? { thread: text } : { thread, seq: Number(seq) }
}
