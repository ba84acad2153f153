/**
 * Exchanging one file for another, or for none, so that nobody's bytes are lost.
 *
 * ASIDE-1. Nothing is written over. What stands under the name is moved aside in one step, and looked at there: what somebody saved in the last moment is
 *     found, and goes back. The new file takes the name only while nobody else has it.
 * ASIDE-2. A crash in between leaves the file aside. Who puts it back again begins with giving it back its name.
 */
import { link, lstat, rename, unlink } from 'node:fs/promises'
import { hasCode } from '../files/refusal.ts'
import { changedMeanwhile, leftoverOf } from '../files/replace-file.ts'
import type { Target } from '../files/target.ts'

/** A file that is exchanged. */
export interface Exchange {
  /** Names what stands aside. */
  readonly key: string
  /** Whether what stands under a name of the folder is what is exchanged. */
  readonly isExpected: (name: string) => Promise<boolean>
}

const asideOf = (key: string, name: string): string => leftoverOf(`${key} aside`, name)

/** Moves the file aside, lets `fill` make the new one under its name, and removes what stood there. Throws, with the file in its place, where it is another one. */
export async function exchangeFile(target: Target, exchange: Exchange, fill: () => Promise<void>): Promise<void> {
  const { folder, name, path } = target
  const aside = asideOf(exchange.key, name)
  await rename(folder.at(name), folder.at(aside))
  try {
    if (!(await exchange.isExpected(aside))) throw changedMeanwhile(path)
    await fill()
  } catch (error) {
    await giveBack(target, exchange)
    throw error
  }
  await unlink(folder.at(aside))
}

/** Gives what stands aside since a crash its name back (ASIDE-2). */
export async function giveBack({ folder, name }: Target, { key, isExpected }: Exchange): Promise<void> {
  const aside = asideOf(key, name)
  if (!(await isThere(folder.at(aside)))) return
  if (await isThere(folder.at(name))) {
    // Somebody has the name by now. What stands aside is dropped only where it is what was to go.
    if (await isExpected(aside)) return unlink(folder.at(aside))
    return rename(folder.at(aside), folder.at(await freeName(name, (one) => isThere(folder.at(one)))))
  }
  await takeName(folder.at(aside), folder.at(name)).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
    return giveBack({ folder, name } as Target, { key, isExpected })
  })
}

/** Gives a file a name that nobody has; rejects with EEXIST where somebody has. */
export async function takeName(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    // A file system without second names: then the moment between the look and the move stays.
    if (hasCode(error, 'EEXIST') || (await isThere(to))) throw Object.assign(new Error('the name is taken'), { code: 'EEXIST' })
    return rename(from, to)
  }
  await unlink(from)
}

async function isThere(place: string): Promise<boolean> {
  try {
    await lstat(place)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function freeName(name: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const other = `${name}.saved${number === 1 ? '' : `-${number}`}`
    if (!(await isTaken(other))) return other
  }
}
