/** The disk of this machine. */
import { constants, type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Disk, type DiskEntry, type DiskFile, unlessGone } from './disk.ts'
import { lockFolder } from './lock.ts'

const flags = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  create: constants.O_RDWR | constants.O_CREAT,
} as const

/** Files and folders through node:fs. */
export function nodeDisk(): Disk {
  return {
    open: async (path, how) => fileOf(await open(path, flags[how])),
    list,
    makeFolder,
    rename,
    remove: unlink,
    syncFolder,
    lock: lockFolder,
  }
}

function fileOf(handle: FileHandle): DiskFile {
  return {
    size: async () => (await handle.stat()).size,
    async read(offset, length) {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset)
      return bytesRead === length ? buffer : buffer.subarray(0, bytesRead)
    },
    write: async (offset, bytes) => (await handle.write(bytes, 0, bytes.length, offset)).bytesWritten,
    truncate: (size) => handle.truncate(size),
    // Not datasync: the length of the file must be durable too, and on some systems only sync reaches the disk itself.
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

async function list(folder: string): Promise<readonly DiskEntry[]> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const stats = await Promise.all(files.map(({ name }) => unlessGone(stat(join(folder, name)))))
  // A file may have been removed since the folder was read, as the drafts of locks are.
  return files.flatMap(({ name }, index) => (stats[index]?.size === undefined ? [] : [{ name, size: stats[index].size }]))
}

async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path)
  const first = await mkdir(whole, { recursive: true })
  if (first === undefined) return
  const above = dirname(resolve(first))
  for (let made = whole; made !== above; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and makes names durable by itself.
  if (process.platform === 'win32') return
  const handle = await open(path, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
