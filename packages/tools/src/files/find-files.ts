/**
 * Finds files below a folder, for searches.
 *
 * FIND-1. Every folder is opened as CONFINE-1 says, no link is followed, and at most so many entries are looked at.
 * FIND-2. What is left out although it might be wanted is named in the notes: secrets, folders that cannot be opened, what is beyond a bound.
 */
import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { type Folder, openFolder, placeOf, type Walk } from './confinement.ts'
import { type IgnoreRules, noRules, rulesOf } from './gitignore.ts'
import type { Guard } from './guard.ts'
import { segmentsOf } from './path.ts'
import { hasCode } from './refusal.ts'
import { isLeftover } from './replace-file.ts'

/** The limits of a search. */
export interface FindBounds {
  readonly root: string
  readonly guard: Guard
  /** Entries that are looked at, at most. */
  readonly maxVisited: number
  readonly signal: AbortSignal
}

/** Where to search, and what to leave out. */
export interface FindInput {
  readonly path?: string
  readonly hidden?: boolean
  readonly ignored?: boolean
}

/** A file that was found, while its folder is open. */
export interface FoundFile {
  readonly folder: Folder
  readonly name: string
  /** The names from the root to it. */
  readonly segments: readonly string[]
  /** The names from the folder of the search to it. */
  readonly below: readonly string[]
  /** Why it is protected against reading. */
  readonly secret: string | undefined
}

/** Folders that are never entered by a search that begins above them. */
const notEntered = new Set(['.git', 'node_modules'])
const deepest = 32
/** Files of one folder that are yielded together. */
const mostAtOnce = 32

interface Search {
  readonly walk: Walk
  readonly input: FindInput
  readonly bounds: FindBounds
  readonly notes: Notes
  /** Names from the root to the folder of the search. */
  readonly start: number
  /** Whether the search begins at a protected place, which its path names. */
  readonly isSecret: boolean
  visited: number
}

/** What a search has left out. */
export interface Notes {
  readonly secrets: string[]
  readonly others: Set<string>
}

/** The notes of a search, each as a line. */
export function noteLines({ secrets, others }: Notes): readonly string[] {
  const named = secrets.slice(0, 5).join(', ')
  const more = secrets.length > 5 ? ` and ${secrets.length - 5} more` : ''
  return [
    ...(secrets.length > 0 ? [`[left out: ${named}${more}, which may hold secrets; read_file asks for them]`] : []),
    ...[...others].map((note) => `[${note}]`),
  ]
}

/** Yields the files below a folder in the order of their names, a few at a time, or the one file that the path leads to. */
export async function* findFiles(input: FindInput, bounds: FindBounds, notes: Notes): AsyncGenerator<readonly FoundFile[]> {
  const path = input.path ?? '.'
  const given = segmentsOf(path)
  const walk: Walk = { root: bounds.root, path, check: bounds.guard.check('search', given, path) }
  const { segments, isFolder } = await placeOf(walk, given)
  const isSecret = bounds.guard.reason('read', given) !== undefined
  const search: Search = { walk, input, bounds, notes, start: isFolder ? segments.length : segments.length - 1, isSecret, visited: 0 }
  if (isFolder) return yield* filesBelow(search, segments, noRules)
  const folder = await openFolder(walk, segments.slice(0, -1))
  try {
    yield [found(search, folder, segments.at(-1) ?? '')]
  } finally {
    await folder.handle.close()
  }
}

function found({ start, bounds, isSecret }: Search, folder: Folder, name: string): FoundFile {
  const segments = [...folder.segments, name]
  const secret = isSecret ? undefined : bounds.guard.reason('read', segments)
  return { folder, name, segments, below: segments.slice(start), secret }
}

async function* filesBelow(search: Search, segments: readonly string[], above: IgnoreRules): AsyncGenerator<readonly FoundFile[]> {
  const folder = await openFolder(search.walk, segments)
  try {
    const rules = search.input.ignored ? noRules : await rulesOf(folder, above)
    let files: FoundFile[] = []
    for (const entry of await entriesOf(search, folder, rules)) {
      search.bounds.signal.throwIfAborted()
      if (entry.isFile()) files.push(found(search, folder, entry.name))
      if (files.length > 0 && (files.length === mostAtOnce || entry.isDirectory())) {
        yield files
        files = []
      }
      const place = [...folder.segments, entry.name]
      if (entry.isDirectory() && mayEnter(search, place)) yield* entered(search, place, rules)
    }
    if (files.length > 0) yield files
  } finally {
    await folder.handle.close()
  }
}

/** A folder that is gone by now, or may not be opened, does not end the search. */
async function* entered(search: Search, place: readonly string[], rules: IgnoreRules): AsyncGenerator<readonly FoundFile[]> {
  const files = filesBelow(search, place, rules)
  try {
    yield* files
  } catch (error) {
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'ENOENT')) throw error
    search.notes.others.add(`${place.join('/')}/ could not be opened`)
  }
}

function mayEnter({ bounds, start, notes, isSecret }: Search, place: readonly string[]): boolean {
  if (notEntered.has(place.at(-1) ?? '')) return false
  if (!isSecret && bounds.guard.reason('read', place) !== undefined) {
    notes.secrets.push(`${place.join('/')}/`)
    return false
  }
  if (place.length - start < deepest) return true
  notes.others.add(`folders deeper than ${deepest} were not searched`)
  return false
}

async function entriesOf(search: Search, folder: Folder, rules: IgnoreRules): Promise<readonly Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(folder.at('.'))) {
    if (search.visited >= search.bounds.maxVisited) {
      search.notes.others.add(`only ${search.bounds.maxVisited} entries were looked at; search a folder below`)
      break
    }
    search.visited += 1
    const isHidden = entry.name.startsWith('.') && !search.input.hidden
    if (isHidden || isLeftover(entry.name) || rules.ignores([...folder.segments, entry.name], entry.isDirectory())) continue
    entries.push(entry)
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
