/**
 * A disk in memory that loses, fails and tears as real ones do, and the same way again for the same seed.
 *
 * FAULTYDISK-1. What is written is visible at once. It survives a power failure for certain only if its file was synced after it.
 * FAULTYDISK-2. A name that was made, changed or removed survives for certain only if its folder was synced after it.
 * FAULTYDISK-3. After a sync that failed, what was not durable stays visible and never becomes durable, unless it is written again.
 */
import type { Disk, DiskFile } from '@loom-agent/journals/file'
import { randomOf } from '@loom-agent/testing/crash'
import {
  afterPowerFailure,
  type Change,
  changed,
  changeNames,
  createFolder,
  type Folder,
  type PowerFailure,
  type StoredFile,
  syncFile,
  syncFolder,
} from './power-failure.ts'

/** What is done to the disk. */
export type DiskAction = 'open' | 'size' | 'read' | 'write' | 'truncate' | 'sync' | 'list' | 'makeFolder' | 'rename' | 'remove' | 'syncFolder'
/** One operation, numbered from 1. */
export type DiskOperation = Readonly<{ number: number; action: DiskAction; path: string }>
/** What becomes of an operation: an error, perhaps after part of the work; fewer bytes than were given; or the end of the process in the middle. */
export type DiskFault = 'EIO' | 'ENOSPC' | 'short' | 'stop'

/** A disk for tests. */
export interface FaultyDisk {
  /** The disk as a new process sees it. */
  boot(): Disk
  /** The process ends: what it has started never returns. The disk loses nothing. */
  kill(): void
  /** The power fails, and every process ends. */
  crash(how: PowerFailure): void
  /** Resolves when a fault has stopped the process that was started last. */
  stopped(): Promise<void>
  /** How many operations there were, of one kind or in all. */
  count(action?: DiskAction): number
  /** How many bytes may still be added; not limited at first. */
  room: number
  /** The bytes of a file as they are now, to be read and corrupted. */
  bytes(path: string): Uint8Array
  replace(path: string, bytes: Uint8Array): void
}

/** How a faulty disk behaves. */
export interface FaultyDiskOptions {
  readonly seed?: number
  /** Asked before every operation. */
  readonly fault?: (operation: DiskOperation) => DiskFault | undefined
  /** Operations that report success and do nothing. */
  readonly lies?: readonly ('sync' | 'syncFolder')[]
}

/** A file: what is visible besides what is durable. */
interface Inode extends StoredFile {
  content: Buffer
}

/** The state of a disk: what every process sees, and what is durable. */
interface State {
  readonly folders: Map<string, Folder<Inode>>
  readonly locks: Set<string>
  readonly options: FaultyDiskOptions
  readonly random: () => number
  readonly counts: Map<DiskAction, number>
  process: { readonly ended: PromiseWithResolvers<void>; isOver: boolean }
  room: number
}

/** A disk that fails as its options say. */
export function faultyDisk(options: FaultyDiskOptions = {}): FaultyDisk {
  const state: State = {
    folders: new Map([['', createFolder()]]),
    locks: new Set(),
    options,
    random: randomOf(options.seed ?? 1),
    counts: new Map(),
    process: { ended: Promise.withResolvers(), isOver: false },
    room: Number.POSITIVE_INFINITY,
  }
  const kill = (): void => {
    state.process.isOver = true
    state.process.ended.resolve()
    state.process = { ended: Promise.withResolvers(), isOver: false }
    state.locks.clear()
  }
  return {
    boot: () => diskOf(state),
    kill,
    crash(how) {
      kill()
      for (const folder of state.folders.values()) failPower(folder, how, state.random)
    },
    stopped: () => state.process.ended.promise,
    count: (action) => (action ? (state.counts.get(action) ?? 0) : countOf(state)),
    get room() {
      return state.room
    },
    set room(bytes) {
      state.room = bytes
    },
    bytes: (path) => Buffer.from(find(state, path).content),
    replace(path, bytes) {
      const inode = find(state, path)
      inode.content = Buffer.from(bytes)
      inode.durable = Buffer.from(bytes)
      inode.changes = []
    },
  }
}

function diskOf(state: State): Disk {
  const { process } = state
  const act = actIn(state, process)
  return {
    open: (path, how) => act('open', path, () => fileOf(state, { path, inode: opened(state, path, how), act })),
    list: (path) => act('list', path, () => [...folderOf(state, path).names].map(([name, { content }]) => ({ name, size: content.length }))),
    makeFolder: (path) =>
      act('makeFolder', path, () => {
        // Folders are durable at once: what is simulated is what happens in them.
        if (!state.folders.has(path)) state.folders.set(path, createFolder())
      }),
    rename: (from, to) =>
      act('rename', from, () => {
        const inode = find(state, from)
        changeNames(folderOf(state, parentOf(from)), [
          { name: nameOf(from), file: undefined },
          { name: nameOf(to), file: inode },
        ])
      }),
    remove: (path) =>
      act('remove', path, () => {
        state.room += find(state, path).content.length
        changeNames(folderOf(state, parentOf(path)), [{ name: nameOf(path), file: undefined }])
      }),
    syncFolder: (path) =>
      act('syncFolder', path, () => {
        const folder = folderOf(state, path)
        if (!state.options.lies?.includes('syncFolder')) syncFolder(folder)
      }),
    async lock(path) {
      if (process.isOver) return never
      if (state.locks.has(path)) throw Object.assign(new Error(`${path} is locked`), { code: 'EBUSY' })
      state.locks.add(path)
      return async () => void (process.isOver || state.locks.delete(path))
    },
  }
}

const never = new Promise<never>(() => {})

/** Runs operations of a process, each in its time and unless a fault is planted. */
function actIn(state: State, process: State['process']): Act {
  return async (action, path, work) => {
    // A sync takes longer, so that other operations come meanwhile.
    const longest = action === 'sync' ? 100 : 3
    for (let ticks = Math.floor(state.random() * longest); ticks > 0; ticks -= 1) await Promise.resolve()
    if (process.isOver) return never
    state.counts.set(action, (state.counts.get(action) ?? 0) + 1)
    const fault = state.options.fault?.({ number: countOf(state), action, path })
    if (fault === 'stop') {
      // The end comes before the work, after it, or, of a write, in the middle.
      if (state.random() < 0.5)
        await Promise.resolve('stop' as const)
          .then(work)
          .catch(() => {})
      process.isOver = true
      process.ended.resolve()
      return never
    }
    const result = fault && fault !== 'short' && action !== 'write' && action !== 'sync' ? failed(fault, action, path) : work(fault)
    await Promise.resolve()
    return process.isOver ? never : result
  }
}

const countOf = ({ counts }: State): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

type Act = <T>(action: DiskAction, path: string, work: (fault: DiskFault | undefined) => T) => Promise<T>

function fileOf(state: State, { path, inode, act }: { path: string; inode: Inode; act: Act }): DiskFile {
  return {
    size: () => act('size', path, () => inode.content.length),
    read: (offset, length) => act('read', path, () => Uint8Array.from(inode.content.subarray(offset, offset + length))),
    write: (offset, bytes) =>
      act('write', path, (fault) => {
        const fits = Math.min(bytes.length, Math.max(0, state.room + inode.content.length - offset))
        // Fewer bytes than were given: of a short write at least one, of one that fails perhaps none.
        const fewer = Math.floor(state.random() * Math.min(fits + 1, bytes.length))
        const taken = fault === 'short' ? Math.min(fits, Math.max(1, fewer)) : fault ? fewer : fits
        change(state, inode, { at: offset, bytes: Uint8Array.from(bytes.subarray(0, taken)) })
        if (fault === 'EIO' || fault === 'ENOSPC') failed(fault, 'write', path)
        if (fits === 0 && bytes.length > 0) failed('ENOSPC', 'write', path)
        return taken
      }),
    truncate: (size) => act('truncate', path, () => change(state, inode, { size })),
    sync: () =>
      act('sync', path, (fault) => {
        if (fault === 'EIO' || fault === 'ENOSPC') {
          inode.changes = []
          failed(fault, 'sync', path)
        }
        if (!state.options.lies?.includes('sync')) syncFile(inode)
      }),
    close: async () => {},
  }
}

function change(state: State, inode: Inode, next: Change): void {
  const before = inode.content.length
  inode.content = changed(inode.content, [next])
  inode.changes.push(next)
  state.room -= inode.content.length - before
}

/** The power fails: what is left of a folder and its files. */
function failPower(folder: Folder<Inode>, how: PowerFailure, random: () => number): void {
  const { names, contents } = afterPowerFailure(folder, how, random)
  for (const [inode, content] of contents) Object.assign(inode, { content, durable: content, changes: [] })
  folder.names = new Map(names)
  folder.durable = new Map(names)
  folder.changes = []
}

function opened(state: State, path: string, how: 'read' | 'change' | 'create'): Inode {
  const folder = folderOf(state, parentOf(path))
  const found = folder.names.get(nameOf(path))
  if (found) return found
  if (how !== 'create') failed('ENOENT', 'open', path)
  const inode: Inode = { content: Buffer.alloc(0), durable: Buffer.alloc(0), changes: [] }
  changeNames(folder, [{ name: nameOf(path), file: inode }])
  return inode
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const folderOf = (state: State, path: string): Folder<Inode> => state.folders.get(path) ?? failed('ENOENT', 'list', path)
const find = (state: State, path: string): Inode => folderOf(state, parentOf(path)).names.get(nameOf(path)) ?? failed('ENOENT', 'open', path)

function failed(code: string, action: DiskAction, path: string): never {
  throw Object.assign(new Error(`${code}: ${action} '${path}'`), { code })
}
