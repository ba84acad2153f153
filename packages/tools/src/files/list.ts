/** Lists a folder. */
import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { type Folder, inFolder, type Walk } from './confinement.ts'
import { segmentsOf } from './path.ts'
import { hasCode } from './refusal.ts'
import { isLeftover } from './replace-file.ts'

/** The input of `list`. */
export interface ListInput {
  readonly path?: string
  readonly recursive?: boolean
  readonly limit?: number
}

/** The limits of a listing. */
export interface ListBounds {
  readonly root: string
  /** Throws where the walk reaches another place than was judged. */
  readonly check: Walk['check'] | undefined
  readonly maxEntries: number
  readonly signal: AbortSignal
}

/** Folders that a recursive listing shows and does not enter. */
const notEntered = new Set(['.git', 'node_modules'])
const mostRead = 10_000
const deepest = 32

interface Listing {
  readonly lines: string[]
  readonly limit: number
  readonly recursive: boolean
  readonly walk: Walk
  readonly signal: AbortSignal
  /** Notes about what is missing. */
  readonly notes: Set<string>
}

/** The entries of a folder, one a line, in order; folders end with /. */
export async function listFolder({ path = '.', recursive = false, limit }: ListInput, bounds: ListBounds): Promise<string> {
  const walk: Walk = { root: bounds.root, path, ...(bounds.check && { check: bounds.check }) }
  const most = Math.min(limit ?? bounds.maxEntries, bounds.maxEntries)
  const listing: Listing = { lines: [], limit: most, recursive, walk, signal: bounds.signal, notes: new Set() }
  await inFolder(walk, segmentsOf(path), (folder) => listInto(listing, folder, []))
  if (listing.lines.length === 0) return 'The folder is empty.'
  return [...listing.lines, ...[...listing.notes].map((note) => `[${note}]`)].join('\n')
}

async function listInto(listing: Listing, folder: Folder, below: readonly string[]): Promise<void> {
  for (const entry of await entriesOf(listing, folder)) {
    listing.signal.throwIfAborted()
    if (listing.lines.length >= listing.limit) {
      listing.notes.add(`the first ${listing.limit} entries; there are more: list a folder below, or raise limit`)
      return
    }
    const place = [...below, entry.name]
    const isClosed = listing.recursive && entry.isDirectory() && (notEntered.has(entry.name) || place.length >= deepest)
    listing.lines.push(`${place.join('/')}${markOf(entry)}${isClosed ? ' (not entered)' : ''}`)
    if (listing.recursive && entry.isDirectory() && !isClosed) await enter(listing, [...folder.segments, entry.name], place)
  }
}

/** A folder that is gone by now, or may not be opened, does not end the listing. */
async function enter(listing: Listing, segments: readonly string[], place: readonly string[]): Promise<void> {
  try {
    await inFolder(listing.walk, segments, (folder) => listInto(listing, folder, place))
  } catch (error) {
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'ENOENT')) throw error
    listing.notes.add(`${place.join('/')}/ could not be opened`)
  }
}

async function entriesOf(listing: Listing, folder: Folder): Promise<readonly Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(folder.at('.'))) {
    if (entries.length >= mostRead) {
      listing.notes.add(`a folder has more than ${mostRead} entries; not all of them were read`)
      break
    }
    if (!isLeftover(entry.name)) entries.push(entry)
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function markOf(entry: Dirent): string {
  if (entry.isDirectory()) return '/'
  if (entry.isSymbolicLink()) return ' (link)'
  return entry.isFile() ? '' : ' (not a file)'
}
