/** The name in a folder that somebody probably meant. */
import { opendir } from 'node:fs/promises'
import type { Folder } from './confinement.ts'

const mostCompared = 1000

/** A name that differs only in case, or by at most two letters; undefined when there is none. */
export async function nearest(folder: Folder, name: string): Promise<string | undefined> {
  const wanted = name.toLowerCase()
  let best: { readonly name: string; readonly distance: number } | undefined
  let compared = 0
  for await (const entry of await opendir(folder.at('.'))) {
    compared += 1
    if (compared > mostCompared) break
    const distance = entry.isFile() ? distanceOf(wanted, entry.name.toLowerCase()) : Number.POSITIVE_INFINITY
    if (distance <= 2 && distance < name.length / 2 && distance < (best?.distance ?? 3)) best = { name: entry.name, distance }
  }
  return best?.name
}

/** How many letters must be changed, added or taken away; counted only as far as it matters. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[b.length] ?? 3
}
