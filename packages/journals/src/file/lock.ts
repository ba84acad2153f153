/**
 * The lock of a folder, for one process at a time. The lock of a dead process does not count.
 *
 * Node has no file locks, so the lock is a file whose content names its holder.
 *
 * LOCK-1. A lock file appears with its whole content, and only where there is none (a hard link does both at once).
 * LOCK-2. The lock of a dead holder is replaced only by the process that holds the guard of that lock. The guard is itself a lock, named after the id in
 *     the dead one: of two processes that find the same dead lock one gets the guard, and a later one finds that the lock has changed.
 * LOCK-3. The lock is removed when the process ends, also when the journal is not closed. Only a killed process leaves it, and then LOCK-2 applies.
 */
import { unlinkSync } from 'node:fs'
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { journalError } from '../storage/failure.ts'
import { type Instance, isGone, thisInstance } from '../storage/liveness.ts'
import { randomUUID } from '../storage/node-crypto.ts'
import { isDiskError, unlessGone } from './disk.ts'

const name = 'lock'
/** Ids become parts of file names, so only this form is accepted. */
const ids = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The drafts and guards of locks. */
const leftovers = /^lock(\.[0-9a-f-]{36})+$/
/** How often the lock may change its holder, or be found dead, while this process tries to get it. */
const tries = 100
/** By how much each pause is longer than the one before while another process replaces a dead lock, in milliseconds: that one may be kept waiting. */
const pause = 5

/** Locks a folder for this process, and returns the function that unlocks it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, name)
  const own = thisInstance()
  const holder = await acquire(path, own)
  if (holder) throw heldError(path, holder)
  held.add(path)
  if (held.size === 1) process.on('exit', dropAll)
  // Leftovers that cannot be removed do no harm.
  await tidy(folder, own).catch(() => {})
  return async () => {
    if (!held.delete(path)) return
    if (held.size === 0) process.off('exit', dropAll)
    await unlessGone(unlink(path))
  }
}

/** The locks of this process; they are removed when it ends (LOCK-3). */
const held = new Set<string>()

function dropAll(): void {
  for (const path of held) {
    try {
      unlinkSync(path)
    } catch {
      // The process ends; a lock that cannot be removed is found dead by the next one.
    }
  }
}

/** Acquires a lock; returns its holder if that is another process. */
async function acquire(path: string, own: Instance): Promise<Instance | undefined> {
  const draft = `${path}.${randomUUID()}`
  await writeDraft(draft, own)
  try {
    for (let count = 0; count < tries; count += 1) {
      if (await linked(draft, path, own)) return undefined
      const holder = await holderOf(path)
      if (holder === undefined) continue
      if (!isDead(holder, own)) return holder
      if (await replace(path, { draft, dead: holder, own })) return undefined
      await setTimeout(pause * (count + 1))
    }
    throw journalError(
      'unavailable',
      `The lock ${path} changed its holder, or was still being replaced, ${tries} times. Find out which processes open and close the journal all the time.`,
    )
  } finally {
    await unlessGone(unlink(draft))
  }
}

/** Replaces a dead lock by the own one (LOCK-2). */
async function replace(path: string, { draft, dead, own }: { draft: string; dead: Instance; own: Instance }): Promise<boolean> {
  const guard = `${path}.${dead.id}`
  if (await acquire(guard, own)) return false
  try {
    if ((await holderOf(path))?.id !== dead.id) return false
    await rename(draft, path)
    return true
  } finally {
    await unlessGone(unlink(guard))
  }
}

const writeDraft = (draft: string, own: Instance): Promise<void> => writeFile(draft, JSON.stringify(own), { flush: true })

async function linked(draft: string, path: string, own: Instance): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (isDiskError(error, 'EEXIST')) return false
    if (!isDiskError(error, 'ENOENT')) throw error
    // The holder of the lock has removed the draft, which was still empty then.
    await writeDraft(draft, own)
    return false
  }
}

/** The holder of a lock; undefined if there is none any more. */
async function holderOf(path: string): Promise<Instance | undefined> {
  const text = await unlessGone(readFile(path, 'utf8'))
  if (text === undefined) return undefined
  const holder = instanceOf(text)
  if (holder) return holder
  throw journalError('unusable', `The lock ${path} cannot be read. If no process uses the journal, remove that file.`)
}

function instanceOf(text: string): Instance | undefined {
  try {
    const { id, host, pid, started } = JSON.parse(text) as Instance
    const isWhole = ids.test(id) && typeof host === 'string' && typeof started === 'string' && Number.isInteger(pid)
    return isWhole ? { id, host, pid, started } : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a holder is known to be dead. On this machine a process number counts together with the start time of its process. A machine that has been
 * started again, or a container, which gets a new space of process numbers, has none of its earlier processes.
 */
function isDead(holder: Instance, own: Instance): boolean {
  const [machine] = holder.host.split(' ')
  const [here] = own.host.split(' ')
  return (machine === here && holder.host !== own.host) || isGone(holder, own)
}

function heldError(path: string, { pid, host, id }: Instance): Error {
  const [machine = ''] = host.split(' ')
  const advice = 'Close the journal there first, or use a journal that several processes may share. If that process is gone, remove the file.'
  return journalError('unavailable', `The journal is in use by process ${pid} on ${machine} (${path}). ${advice}`, {
    context: { pid, host: machine, lock: path, id },
  })
}

/** Removes drafts and guards of processes that were killed. */
async function tidy(folder: string, own: Instance): Promise<void> {
  const left = (await readdir(folder)).filter((entry) => leftovers.test(entry)).map((entry) => join(folder, entry))
  for (const path of left) {
    const owner = instanceOf((await unlessGone(readFile(path, 'utf8'))) ?? '')
    // A process that was killed while it wrote a draft has left it empty.
    if (!owner || isDead(owner, own)) await unlessGone(unlink(path))
  }
}
