/**
 * The disk as a port: the file journal uses files only through it, so that tests can plant faults and power failures.
 *
 * DISK-1. A write is visible at once and durable only after `sync` of its file.
 * DISK-2. A new, renamed or removed name is visible at once and durable only after `syncFolder` of its folder.
 * DISK-3. A write may take fewer bytes than it was given, and what fails may have been done in part.
 * DISK-4. After a failed `sync`, what was not durable before is unknown: it is written again or given up.
 */

/** A file that is open. */
export interface DiskFile {
  /** The size in bytes. */
  size(): Promise<number>
  /** The bytes from `offset` on; fewer than `length` at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>
  /** Returns how many of the bytes were taken. */
  write(offset: number, bytes: Uint8Array): Promise<number>
  /** Cuts the file off at a size. */
  truncate(size: number): Promise<void>
  /** Makes what was written durable. */
  sync(): Promise<void>
  /** Closes the file. */
  close(): Promise<void>
}

/** A name in a folder. */
export type DiskEntry = Readonly<{ name: string; size: number }>

/** Files and folders. What fails is an error with the `code` of the system: ENOENT, ENOSPC, EIO, ... */
export interface Disk {
  /** `create` makes the file if it is not there, and never empties it. */
  open(path: string, how: 'read' | 'change' | 'create'): Promise<DiskFile>
  /** The files of a folder, without the folders in it. */
  list(folder: string): Promise<readonly DiskEntry[]>
  /** Makes a folder and those above it, durably; does nothing if it is there. */
  makeFolder(path: string): Promise<void>
  /** Gives a file another name, and replaces what had it. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file. */
  remove(path: string): Promise<void>
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>
  /** Locks a folder for this process, until the function that it returns is called or the process ends. Fails with an error that names the holder. */
  lock(folder: string): Promise<() => Promise<void>>
}

/** Whether an error is the system's error of this code. */
export function isDiskError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Writes all bytes, however few the disk takes at a time. */
export async function writeAll(file: DiskFile, offset: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const taken = await file.write(offset + done, done === 0 ? bytes : bytes.subarray(done))
    // A disk that takes nothing without an error would make this loop endless.
    if (taken === 0) throw Object.assign(new Error('the disk takes no more bytes'), { code: 'ENOSPC' })
    done += taken
  }
}

/**
 * Cuts off what is after a size, durably: otherwise a power failure could mix it with what is written there next. It is cut and synced also if nothing is
 * there, because the sync of an earlier cut may have failed: then that cut never becomes durable.
 */
export async function cutAfter(file: DiskFile, size: number): Promise<void> {
  await file.truncate(size)
  await file.sync()
}

/** Uses a file and closes it. What must be durable is synced before: closing guarantees nothing. */
export async function withFile<T>(opening: Promise<DiskFile>, use: (file: DiskFile) => Promise<T>): Promise<T> {
  const file = await opening
  try {
    return await use(file)
  } finally {
    await file.close().catch(() => {})
  }
}

/** Writes a file so that its name shows all bytes or none, also after a power failure; `syncFolder` makes the name durable. */
export async function writeWhole(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.draft`
  await withFile(disk.open(draft, 'create'), async (file) => {
    await file.truncate(0)
    await writeAll(file, 0, bytes)
    await file.sync()
  })
  await disk.rename(draft, path)
}

/** The result, or undefined if the file or folder is not there. */
export async function unlessGone<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (isDiskError(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The whole content of a small file, or undefined if it is not there. */
export function readWhole(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  return unlessGone(withFile(disk.open(path, 'read'), async (file) => readExactly(file, 0, await file.size())))
}

/** Bytes from `offset` on, however few the disk gives at a time; fewer only at the end of the file. */
export async function readExactly(file: DiskFile, offset: number, length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let done = 0; done < length; ) {
    const part = await file.read(offset + done, length - done)
    if (part.length === length) return part
    if (part.length === 0) break
    parts.push(part)
    done += part.length
  }
  return Buffer.concat(parts)
}

const copyStep = 1_048_576

/** Passes a part of a file to `write` piece by piece, each with its offset in that part. */
export async function copyBytes(
  file: DiskFile,
  { from, to }: { from: number; to: number },
  write: (offset: number, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  for (let offset = from; offset < to; offset += copyStep) {
    await write(offset - from, await readExactly(file, offset, Math.min(copyStep, to - offset)))
  }
}
