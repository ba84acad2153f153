/** Finds files by a pattern of their path. */
import { type FindBounds, type FindInput, findFiles, type Notes, noteLines } from './find-files.ts'
import { compileGlob } from './glob-pattern.ts'

/** The input of `glob`. */
export interface GlobInput extends FindInput {
  readonly pattern: string
  readonly limit?: number
}

/** The paths that match, one a line, in order. */
export async function globFiles(input: GlobInput, bounds: FindBounds & { readonly maxEntries: number }): Promise<string> {
  const matches = compileGlob(input.pattern)
  const most = Math.min(input.limit ?? bounds.maxEntries, bounds.maxEntries)
  const notes: Notes = { secrets: [], others: new Set() }
  const lines: string[] = []
  for await (const { segments, below } of findFiles(input, bounds, notes)) {
    if (!matches(below)) continue
    if (lines.length >= most) {
      notes.others.add(`the first ${most} files; there are more: search a folder below, or raise limit`)
      break
    }
    lines.push(segments.join('/'))
  }
  return [...(lines.length === 0 ? [`No file matches ${input.pattern}.`] : lines), ...noteLines(notes)].join('\n')
}
