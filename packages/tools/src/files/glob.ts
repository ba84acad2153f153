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
  for await (const files of findFiles(input, bounds, notes)) {
    lines.push(...files.filter(({ below }) => matches(below)).map(({ segments }) => segments.join('/')))
    if (lines.length > most) break
  }
  if (lines.length > most) notes.others.add(`the first ${most} files; there are more: search a folder below, or raise limit`)
  const shown = lines.length === 0 ? [`No file matches ${input.pattern}.`] : lines.slice(0, most)
  return [...shown, ...noteLines(notes)].join('\n')
}
