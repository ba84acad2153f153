/**
 * A person who saves a file before one operation on the file system of a rewind, for every operation: printed are how many moments there were, and in which
 * of them something was lost. It is a program of its own, because the functions of `node:fs/promises` are replaced before Loom is loaded.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileChange } from '@loom-agent/kernel'

type Operation = (...given: unknown[]) => unknown
let before = (): void => {}
const wrap = (target: object, names: readonly string[]): void => {
  for (const name of names) {
    const real = Reflect.get(target, name) as Operation
    Reflect.set(target, name, function interrupted(this: unknown, ...given: unknown[]): unknown {
      before()
      return Reflect.apply(real, this, given)
    })
  }
}
wrap(fs, ['open', 'rename', 'unlink', 'link', 'symlink', 'lstat', 'mkdir', 'readlink'])
const probe = await fs.open(import.meta.filename)
wrap(Object.getPrototypeOf(probe) as object, ['writeFile', 'sync', 'chmod', 'read', 'stat'])
await probe.close()
syncBuiltinESMExports()
const { workspace } = await import('@loom-agent/tools')

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const theirs = 'the words of a person'
const outsideWords = 'nobody may change this'

/** What a rewind does to the file `sub/a.txt`, which the agent left as `left`. */
const changes: Readonly<Record<string, { readonly change: FileChange; readonly content: Uint8Array | null | undefined; readonly left?: string }>> = {
  replaces: { change: { path: 'sub/a.txt', before: sha('left'), after: sha('old') }, content: Buffer.from('old'), left: 'left' },
  removes: { change: { path: 'sub/a.txt', before: sha('left'), after: null }, content: null, left: 'left' },
  creates: { change: { path: 'sub/a.txt', before: null, after: sha('old') }, content: Buffer.from('old') },
  links: {
    change: { path: 'sub/a.txt', before: sha('left'), after: sha('b.txt'), modes: [0o644, 'link'] },
    content: Buffer.from('b.txt'),
    left: 'left',
  },
}

/** What a person does in one moment. */
const saves: Readonly<Record<string, (root: string, outside: string) => void>> = {
  'writes the file': (root) => writeFileSync(join(root, 'sub/a.txt'), theirs),
  'saves it under its name': (root) => {
    writeFileSync(join(root, 'sub/.a.swp'), theirs)
    renameSync(join(root, 'sub/.a.swp'), join(root, 'sub/a.txt'))
  },
  'deletes it and makes another': (root) => {
    if (existsSync(join(root, 'sub/a.txt'))) unlinkSync(join(root, 'sub/a.txt'))
    writeFileSync(join(root, 'sub/a.txt'), theirs)
  },
  'puts a link to elsewhere in the place of the folder': (root, outside) => {
    renameSync(join(root, 'sub'), join(root, 'moved'))
    symlinkSync(outside, join(root, 'sub'))
    writeFileSync(join(root, 'moved/a.txt'), theirs)
  },
  'puts a link to elsewhere in the place of the file': (root, outside) => {
    rmSync(join(root, 'sub/a.txt'), { force: true })
    symlinkSync(join(outside, 'a.txt'), join(root, 'sub/a.txt'))
    writeFileSync(join(root, 'sub/b.txt'), theirs)
  },
}

/** Every regular file below a folder. */
const textsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && !entry.name.startsWith('.loom-') ? [readFileSync(join(entry.parentPath, entry.name), 'utf8')] : [],
  )

/** One trial: whether there was such a moment, and what went wrong. */
async function trial(what: string, how: string, moment: number): Promise<string | boolean> {
  const base = mkdtempSync(join(tmpdir(), 'loom-people-'))
  try {
    const [root, outside] = [join(base, 'root'), join(base, 'outside')]
    for (const folder of [join(root, 'sub'), outside]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(outside, 'a.txt'), outsideWords)
    const { change, content, left } = changes[what] ?? { change: { path: '', before: null, after: null }, content: null }
    if (left !== undefined) writeFileSync(join(root, 'sub/a.txt'), left, { mode: 0o644 })
    let operations = 0
    let hasSaved = false
    const files = workspace({ root, contents: 'snapshots' })
    before = () => {
      operations += 1
      if (operations !== moment) return
      hasSaved = true
      saves[how]?.(root, outside)
    }
    const conflict = await files.put({ change, content, key: 'k' }).finally(() => {
      before = () => {}
    })
    if (!hasSaved) return false
    const named = `${what}, ${how}, before operation ${moment}`
    if (textsBelow(outside).join() !== outsideWords) return `${named}: what is outside was changed`
    if (!textsBelow(root).includes(theirs)) return `${named}: it is lost (${conflict?.reason ?? 'done'})`
    return true
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

const lost: string[] = []
let tried = 0
for (const what of Object.keys(changes)) {
  for (const how of Object.keys(saves)) {
    for (let moment = 1; ; moment += 1) {
      const outcome = await trial(what, how, moment)
      if (outcome === false) break
      tried += 1
      if (typeof outcome === 'string') lost.push(outcome)
    }
  }
}
console.log(JSON.stringify({ tried, lost }))
