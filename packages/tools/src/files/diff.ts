/** The difference of two texts, for people and models to read. */

/** Characters of a diff at most: with the rest of a result it stays below Loom's limit. */
const longestDiff = 6000
/** Changed lines that are looked for at most: what differs more is not shown. */
const mostChanges = 4000

/** A unified diff; cut after a whole line when it is long. */
export async function diffOf(path: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
    maxEditLength: mostChanges,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  })
  if (patch === undefined) return '[too much changed to show it]'
  if (patch.length <= longestDiff) return patch
  const cut = patch.slice(0, longestDiff)
  return `${cut.slice(0, cut.lastIndexOf('\n') + 1)}[... ${patch.length - longestDiff} more characters ...]`
}
