/**
 * Blobs: files beside the threads, each named after what it is, what it holds and whose it is.
 *
 * FILE-1. A blob is whole and durable before the line that names it is written.
 * FILE-2. Each thread that needs a blob has a name for it, and it goes with the last of them; the bytes are there once, where the disk can link.
 * FILE-3. What is read has the digest in its name.
 */
import { hash } from 'node:crypto'
import { blobHash } from '../chain.ts'
import { type Damage, damageError } from './damage.ts'
import { type DiskEntry, readWhole, unlessGone, writeWhole } from './disk.ts'
import { fileNameOf } from './file-name.ts'
import type { Folder } from './thread.ts'

/** The blobs of a folder. */
export interface Blobs {
  /** Makes blobs durable for the thread whose file has this name (FILE-1). */
  put(stem: string, blobs: ReadonlyMap<string, Uint8Array>): Promise<void>
  get(key: string): Promise<Uint8Array | undefined>
  /** Removes what only this thread needs. */
  removeOf(stem: string): Promise<void>
}

/** The names of one blob in the folder: the digest of each, by its owner. */
type Names = Map<string, string>
type Index = Map<string, Names>
type Place = Pick<Folder, 'disk' | 'path' | 'onDamage'>

/** The blobs of a folder; `stems` answers the names of the threads' files. */
export function createBlobs(place: Place, stems: () => Promise<readonly string[]>): Blobs {
  let opening: Promise<Index> | undefined
  /** Whether a removal has failed: what it removed may come back unless the next one makes it durable. */
  let hasFailed = false
  const opened = (): Promise<Index> => {
    opening ??= openBlobs(place, stems).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    async put(stem, blobs) {
      if (blobs.size === 0) return
      const index = await opened()
      await place.disk.makeFolder(place.path)
      const owner = ownerOf(stem)
      const added: [string, string][] = []
      for (const [key, bytes] of blobs) {
        const name = fileNameOf(key)
        const digest = blobHash(bytes)
        if (index.get(name)?.get(owner) === digest) continue
        await putOne(place, { name, digest, owner, bytes, known: index.get(name) })
        added.push([name, digest])
      }
      if (added.length === 0) return
      await place.disk.syncFolder(place.path)
      for (const [name, digest] of added) index.set(name, (index.get(name) ?? new Map()).set(owner, digest))
    },
    get: async (key) => getOne(place, fileNameOf(key), (await opened()).get(fileNameOf(key))),
    async removeOf(stem) {
      const index = await opened()
      const owner = ownerOf(stem)
      const owned = [...index].flatMap(([name, names]) => [...names].filter(([whose]) => whose === owner).map((entry) => ({ name, names, entry })))
      try {
        for (const { name, names, entry } of owned) {
          await unlessGone(place.disk.remove(pathOf(place, name, entry)))
          names.delete(owner)
          if (names.size === 0) index.delete(name)
        }
        if (owned.length > 0 || hasFailed) await place.disk.syncFolder(place.path)
      } catch (error) {
        hasFailed = true
        throw error
      }
    },
  }
}

/** Short, because it is in every name; a thread's file has a longer name than a name has room for. */
const ownerOf = (stem: string): string => hash('sha256', stem).slice(0, 32)

/** A blob whose key is its digest says it once. */
const pathOf = ({ path }: Place, name: string, [owner, digest]: readonly [string, string]): string =>
  `${path}/${name === digest ? name : `${name}+${digest}`}.${owner}`

/** Finds the blobs, and removes what nobody needs: drafts, and what is left of threads whose removal was interrupted. */
async function openBlobs(place: Place, stems: () => Promise<readonly string[]>): Promise<Index> {
  const entries = await entriesOf(place)
  // A name that a killed process has left may not be durable yet.
  if (entries.length > 0) await place.disk.syncFolder(place.path)
  const owners = new Set((await stems()).map(ownerOf))
  const isNeeded = ({ name }: DiskEntry): boolean => owners.has(partsOf(name)?.owner ?? '')
  for (const entry of entries) if (!isNeeded(entry)) await unlessGone(place.disk.remove(`${place.path}/${entry.name}`))
  return indexOf(entries.filter(isNeeded))
}

function indexOf(entries: readonly DiskEntry[]): Index {
  const index: Index = new Map()
  for (const entry of entries) {
    const parts = partsOf(entry.name)
    if (parts) index.set(parts.name, (index.get(parts.name) ?? new Map()).set(parts.owner, parts.digest))
  }
  return index
}

function partsOf(entry: string): { name: string; digest: string; owner: string } | undefined {
  const [, name, digest = name, owner] = /^([^.+]+)(?:\+([^.]+))?\.([0-9a-f]+)$/.exec(entry) ?? []
  return name === undefined || digest === undefined || owner === undefined ? undefined : { name, digest, owner }
}

async function entriesOf({ disk, path }: Pick<Place, 'disk' | 'path'>): Promise<readonly DiskEntry[]> {
  return (await unlessGone(disk.list(path))) ?? []
}

/** Looks at the blobs of threads without changing anything; the answer tells of a key what is wrong with it, if anything is. */
export async function inspectBlobs(place: Omit<Place, 'onDamage'>): Promise<(stem: string, key: string) => Promise<Damage | undefined>> {
  const index = indexOf(await entriesOf(place))
  return async (stem, key) => {
    const name = fileNameOf(key)
    const owner = ownerOf(stem)
    const digest = index.get(name)?.get(owner)
    if (digest === undefined) return blobDamage(name, 'the blob is missing')
    let found: Damage | undefined
    await getOne({ ...place, onDamage: (damage) => (found = damage) }, name, new Map([[owner, digest]])).catch(() => undefined)
    return found
  }
}

type Putting = Readonly<{ name: string; digest: string; owner: string; bytes: Uint8Array; known: Names | undefined }>

async function putOne(place: Place, { name, digest, owner, bytes, known }: Putting): Promise<void> {
  const path = pathOf(place, name, [owner, digest])
  const other = [...(known ?? [])].find(([, held]) => held === digest)
  if (other && (await linked(place, pathOf(place, name, other), { path, digest }))) return
  await writeWhole(place.disk, path, bytes)
}

/** Whether a blob that is there already, and whole, could be given another name. */
async function linked({ disk }: Place, from: string, { path, digest }: { path: string; digest: string }): Promise<boolean> {
  try {
    const bytes = await readWhole(disk, from)
    if (!bytes || blobHash(bytes) !== digest) return false
    await disk.link(from, path)
    return true
  } catch {
    // Not every disk can link; what cannot be linked is written.
    return false
  }
}

async function getOne(place: Place, name: string, names: Names | undefined): Promise<Uint8Array | undefined> {
  let damage: Damage | undefined
  for (const entry of names ?? []) {
    const path = pathOf(place, name, entry)
    const bytes = await readWhole(place.disk, path)
    if (bytes !== undefined && blobHash(bytes) === entry[1]) return bytes
    const reason = bytes === undefined ? 'the blob is missing' : 'the bytes of the blob are not those that were written'
    damage = blobDamage(path.slice(place.path.length + 1), reason)
    place.onDamage(damage)
  }
  if (damage) throw damageError(damage)
  return undefined
}

const blobDamage = (name: string, reason: string): Damage => ({ kind: 'blob', file: `blobs/${name}`, offset: 0, line: 1, seq: 0, reason })
