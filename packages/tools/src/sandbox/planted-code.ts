/**
 * What a confined command has made that would run as code later, outside of its sandbox.
 *
 * PLANTED-1. What is there when a command begins it cannot change (HIDDEN-3). What it makes anew is given another name when it has ended, so that nothing
 *     runs it: nothing is deleted, and the result says so.
 */
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { inFolder } from '../files/confinement.ts'
import { forbidden } from '../files/refusal.ts'
import { runsNothing } from './git-code.ts'
import { findCode, type Protection } from './hidden-paths.ts'

/** Where commands may write, and what is protected there. */
export interface Plantable {
  readonly folders: readonly string[]
  readonly protection: Protection
}

/** Does work, and then takes the names of code from what it has made, also where it throws; tells what was found. */
export async function withoutPlanted<T>({ folders, protection }: Plantable, work: () => Promise<T>, told: (words: string) => void): Promise<T> {
  const before = await findCode(folders, protection)
  try {
    return await work()
  } finally {
    const made = [...(await findCode(folders, protection))].filter((path) => !before.has(path) && !runsNothing(path))
    const words = await Promise.all(made.map((path) => setAside(path, folders)))
    if (words.length > 0)
      told(`${words.join(' ')} What a command makes there might run outside of the sandbox: use a tool that asks, such as write_file.`)
  }
}

/** Gives a path another name, in the folder in which it is. */
async function setAside(path: string, folders: readonly string[]): Promise<string> {
  const root = folders.find((folder) => path.startsWith(folder + sep)) ?? sep
  const segments = relative(root, path).split(sep)
  const name = segments.pop() ?? ''
  const shown = relative(folders[0] ?? root, path)
  const check = (reached: readonly string[]): void => {
    if (reached.some((one, index) => one !== segments[index])) throw forbidden(path, `A folder of ${path} is a link now.`)
  }
  try {
    return await inFolder({ root, path, check }, segments, async (folder) => {
      const other = freeName(name, (one) => existsSync(folder.at(one)))
      await rename(folder.at(name), folder.at(other))
      return `It made ${shown}, which was renamed to ${other}.`
    })
  } catch (error) {
    return `It made ${shown}, which could not be renamed (${error instanceof Error ? error.message : String(error)}): look at it before anything runs it.`
  }
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const other = `${name}.held${number === 1 ? '' : `-${number}`}`
    if (!isTaken(other)) return other
  }
}
