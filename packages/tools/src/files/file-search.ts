/** Finds files by their name: by a part of it, or by its characters in order. */
import { type FindBounds, type FindInput, findFiles, type Notes, noteLines } from './find-files.ts'
import { refusal } from './refusal.ts'

/** The input of `file_search`. */
export interface FileSearchInput extends FindInput {
  readonly query: string
  readonly max_results?: number
}

/** Paths of the result at most, by default. */
const defaultResults = 100
/** Candidates that are kept while the best are looked for. */
const mostCandidates = 20_000

interface Candidate {
  readonly path: string
  /** Smaller is better. */
  readonly rank: number
}

/** The paths whose names are most like the query, the best first. */
export async function searchFiles(input: FileSearchInput, bounds: FindBounds): Promise<string> {
  const query = input.query.trim().toLowerCase()
  if (query === '') throw refusal('LOOM_TOOL_INPUT_INVALID', input.path ?? '.', 'The query is blank. Give a part of the name of a file.')
  const notes: Notes = { secrets: [], others: new Set() }
  const candidates: Candidate[] = []
  for await (const files of findFiles(input, bounds, notes)) {
    for (const { segments } of files) {
      const path = segments.join('/')
      const rank = rankOf(path.toLowerCase(), query)
      if (rank !== undefined) candidates.push({ path, rank })
    }
    if (candidates.length < mostCandidates) continue
    notes.others.add(`the search ended after ${candidates.length} matches; give more of the name`)
    break
  }
  const most = input.max_results ?? defaultResults
  const best = candidates.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1)).slice(0, most)
  if (candidates.length > most) notes.others.add(`the best ${most} of ${candidates.length}`)
  return [...(best.length === 0 ? [`No file name is like ${input.query}.`] : best.map(({ path }) => path)), ...noteLines(notes)].join('\n')
}

/** How well a path fits, both in lower case: the name itself, its start, a part of it, a part of the path, its characters in order. */
function rankOf(path: string, query: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === query) return 0
  if (name.startsWith(query)) return 1
  if (name.includes(query)) return 2
  if (path.includes(query)) return 3
  const gaps = gapsOf(name, query) ?? gapsOf(path, query)
  return gaps === undefined ? undefined : 4 + gaps
}

/** Characters between the first and the last of the query that are not in it; undefined when the query is not there in order. */
function gapsOf(text: string, query: string): number | undefined {
  let at = -1
  let first = 0
  for (const [index, character] of Array.from(query).entries()) {
    at = text.indexOf(character, at + 1)
    if (at < 0) return undefined
    if (index === 0) first = at
  }
  return at - first + 1 - query.length
}
