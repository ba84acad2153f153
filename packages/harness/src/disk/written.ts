/** What the traced program writes: known in advance, so that it can be recognised. */

/** How the journal is built: as it is, with a window, or with its flushes removed. */
export type Build = 'strict' | 'relaxed' | 'without-sync'

/** The text of the event at a place: mostly short, sometimes of several pages, sometimes so long that it is kept beside its line. */
export function textAt(thread: string, seq: number): string {
  const size = seq % 40 === 0 ? 70_000 : seq % 10 === 0 ? 20_000 : 300
  return `${thread}@${seq} `.padEnd(size, `${seq} `)
}
