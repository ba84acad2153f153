/**
 * A disk in memory that forgets, fails and tears as real ones do, and the same way again for the same seed.
 *
 * DISK-1. What is written is visible at once. It survives a power failure for certain only if its file was synced after it.
 * DISK-2. A name that was made, changed or removed survives for certain only if its folder was synced after it.
 * DISK-3. After a sync that failed, what was not durable stays visible and never becomes durable, unless it is written again.
 */
import type { Disk, DiskFile } from '@loom-agent/journals/file'
import {
  applyNames,
  type Change,
  changed,
  failPower,
  type Inode,
  type NameChange,
  type NameTable,
  type PowerFailure,
  randomOf,
} from './power-failure.ts'

/** What is done to the disk. */
export type DiskAction = 'open' | 'size' | 'read' | 'write' | 'truncate' | 'sync' | 'list' | 'makeFolder' | 'rename' | 'remove' | 'syncFolder'
/** One operation, numbered from 1. */
export type DiskOperation = Readonly<{ number: number; action: DiskAction; path: string }>
/** What becomes of an operation: an error, perhaps after part of the work; fewer bytes than were given; or the end of the process in the middle. */
export type DiskFault = 'EIO' | 'ENOSPC' | 'short' | 'stop'

/** A disk for tests. */
export interface FaultyDisk {
  /** The disk as a process sees it that starts now. */
  boot(): Disk
  /** The process ends: what it has begun never answers. The disk forgets nothing. */
  kill(): void
  /** The power fails, and every process ends. */
  crash(how: PowerFailure): void
  /** Resolves when a fault has stopped the process that was started last. */
  stopped(): Promise<void>
  /** How many operations there were, of one kind or in all. */
  count(action?: DiskAction): number
  /** How many bytes may still be added; not limited at first. */
  room: number
  /** The bytes of a file as they are now, to be looked at and spoilt. */
  bytes(path: string): Uint8Array
  replace(path: string, bytes: Uint8Array): void
}

/** How a faulty disk behaves. */
export interface FaultyDiskOptions {
  readonly seed?: number
  /** Asked before every operation. */
  readonly fault?: (operation: DiskOperation) => DiskFault | undefined
  /** A disk that lies says that it has done this, and has not. */
  readonly lies?: readonly ('sync' | 'syncFolder')[]
}

/** The world of a disk: what every process sees, and what the plate holds. */
interface World {
  readonly folders: Map<string, NameTable>
  readonly locks: Set<string>
  readonly options: FaultyDiskOptions
  readonly random: () => number
  readonly counts: Map<DiskAction, number>
  life: { readonly ended: PromiseWithResolvers<void>; isOver: boolean }
  room: number
}

/** A disk that fails as it is told. */
export function faultyDisk(options: FaultyDiskOptions = {}): FaultyDisk {
  const world: World = {
    folders: new Map([['', freshFolder()]]),
    locks: new Set(),
    options,
    random: randomOf(options.seed ?? 1),
    counts: new Map(),
    life: { ended: Promise.withResolvers(), isOver: false },
    room: Number.POSITIVE_INFINITY,
  }
  const kill = (): void => {
    world.life.isOver = true
    world.life.ended.resolve()
    world.life = { ended: Promise.withResolvers(), isOver: false }
    world.locks.clear()
  }
  return {
    boot: () => simulate(world),
    kill,
    crash(how) {
      kill()
      for (const folder of world.folders.values()) failPower(folder, how, world.random)
    },
    stopped: () => world.life.ended.promise,
    count: (action) => (action ? (world.counts.get(action) ?? 0) : countOf(world)),
    get room() {
      return world.room
    },
    set room(bytes) {
      world.room = bytes
    },
    bytes: (path) => Buffer.from(find(world, path).content),
    replace(path, bytes) {
      const inode = find(world, path)
      inode.content = Buffer.from(bytes)
      inode.durable = Buffer.from(bytes)
      inode.changes = []
    },
  }
}

function simulate(world: World): Disk {
  const { life } = world
  const act = actIn(world, life)
  return {
    open: (path, how) => act('open', path, () => fileOf(world, { path, inode: opened(world, path, how), act })),
    list: (path) => act('list', path, () => [...folderOf(world, path).names].map(([name, { content }]) => ({ name, size: content.length }))),
    makeFolder: (path) =>
      act('makeFolder', path, () => {
        // Folders are durable at once: what is simulated is what happens in them.
        if (!world.folders.has(path)) world.folders.set(path, freshFolder())
      }),
    rename: (from, to) =>
      act('rename', from, () => {
        const inode = find(world, from)
        rename(folderOf(world, parentOf(from)), [
          { name: nameOf(from), node: undefined },
          { name: nameOf(to), node: inode },
        ])
      }),
    remove: (path) =>
      act('remove', path, () => {
        world.room += find(world, path).content.length
        rename(folderOf(world, parentOf(path)), [{ name: nameOf(path), node: undefined }])
      }),
    syncFolder: (path) =>
      act('syncFolder', path, () => {
        const folder = folderOf(world, path)
        if (world.options.lies?.includes('syncFolder')) return
        for (const change of folder.changes.splice(0)) applyNames(folder.durable, change)
      }),
    async lock(path) {
      if (life.isOver) return never
      if (world.locks.has(path)) throw Object.assign(new Error(`${path} is locked`), { code: 'EBUSY' })
      world.locks.add(path)
      return async () => void (life.isOver || world.locks.delete(path))
    },
  }
}

const never = new Promise<never>(() => {})

/** Lets operations of a life happen, each in its time and if it may. */
function actIn(world: World, life: World['life']): Act {
  return async (action, path, work) => {
    // A sync takes its time, so that others come meanwhile.
    const longest = action === 'sync' ? 100 : 3
    for (let ticks = Math.floor(world.random() * longest); ticks > 0; ticks -= 1) await Promise.resolve()
    if (life.isOver) return never
    world.counts.set(action, (world.counts.get(action) ?? 0) + 1)
    const fault = world.options.fault?.({ number: countOf(world), action, path })
    if (fault === 'stop') {
      // The end comes before the work, after it, or, of a write, in the middle.
      if (world.random() < 0.5)
        await Promise.resolve('stop' as const)
          .then(work)
          .catch(() => {})
      life.isOver = true
      life.ended.resolve()
      return never
    }
    const result = fault && fault !== 'short' && action !== 'write' && action !== 'sync' ? failed(fault, action, path) : work(fault)
    await Promise.resolve()
    return life.isOver ? never : result
  }
}

const countOf = ({ counts }: World): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

type Act = <T>(action: DiskAction, path: string, work: (fault: DiskFault | undefined) => T) => Promise<T>

function fileOf(world: World, { path, inode, act }: { path: string; inode: Inode; act: Act }): DiskFile {
  return {
    size: () => act('size', path, () => inode.content.length),
    read: (offset, length) => act('read', path, () => Uint8Array.from(inode.content.subarray(offset, offset + length))),
    write: (offset, bytes) =>
      act('write', path, (fault) => {
        const fits = Math.min(bytes.length, Math.max(0, world.room + inode.content.length - offset))
        // Fewer bytes than were given: of a short write at least one, of one that fails perhaps none.
        const fewer = Math.floor(world.random() * Math.min(fits + 1, bytes.length))
        const taken = fault === 'short' ? Math.min(fits, Math.max(1, fewer)) : fault ? fewer : fits
        change(world, inode, { at: offset, bytes: Uint8Array.from(bytes.subarray(0, taken)) })
        if (fault === 'EIO' || fault === 'ENOSPC') failed(fault, 'write', path)
        if (fits === 0 && bytes.length > 0) failed('ENOSPC', 'write', path)
        return taken
      }),
    truncate: (size) => act('truncate', path, () => change(world, inode, { size })),
    sync: () =>
      act('sync', path, (fault) => {
        if (fault === 'EIO' || fault === 'ENOSPC') {
          inode.changes = []
          failed(fault, 'sync', path)
        }
        if (!world.options.lies?.includes('sync')) for (const done of inode.changes.splice(0)) inode.durable = changed(inode.durable, done)
      }),
    close: async () => {},
  }
}

function change(world: World, inode: Inode, next: Change): void {
  const before = inode.content.length
  inode.content = changed(inode.content, next)
  inode.changes.push(next)
  world.room -= inode.content.length - before
}

function rename(folder: NameTable, changes: readonly NameChange[]): void {
  applyNames(folder.names, changes)
  folder.changes.push(changes)
}

function opened(world: World, path: string, how: 'read' | 'change' | 'create'): Inode {
  const folder = folderOf(world, parentOf(path))
  const found = folder.names.get(nameOf(path))
  if (found) return found
  if (how !== 'create') failed('ENOENT', 'open', path)
  const inode: Inode = { content: Buffer.alloc(0), durable: Buffer.alloc(0), changes: [] }
  rename(folder, [{ name: nameOf(path), node: inode }])
  return inode
}

const freshFolder = (): NameTable => ({ names: new Map(), durable: new Map(), changes: [] })
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const folderOf = (world: World, path: string): NameTable => world.folders.get(path) ?? failed('ENOENT', 'list', path)
const find = (world: World, path: string): Inode => folderOf(world, parentOf(path)).names.get(nameOf(path)) ?? failed('ENOENT', 'open', path)

function failed(code: string, action: DiskAction, path: string): never {
  throw Object.assign(new Error(`${code}: ${action} '${path}'`), { code })
}
