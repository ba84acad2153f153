/** Files that a message names behind an @: their content goes with it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import type { InputPart } from '@loom-agent/agent'

/** Bytes of a file that may go with a message. */
const largest = 256 * 1024
/** Files that may go with a message. */
const mostFiles = 20

const images: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}

/** A message with the files that it names, and what there is to say about those that do not go with it. */
export interface Mentioned {
  readonly input: string | readonly InputPart[]
  readonly notes: readonly string[]
}

/** Adds the files that a text names. A name that is no file is left as it stands: it may be a person's. */
export function withMentions(text: string, folder: string): Mentioned {
  const names = [...new Set([...text.matchAll(/(?:^|\s)@(\S+)/g)].map(([, name = '']) => name.replace(/[.,;:!?)]+$/, '')))]
  const parts: InputPart[] = []
  const notes: string[] = []
  for (const name of names.filter((one) => one !== '').slice(0, mostFiles)) {
    const part = partOf(name, folder)
    if (typeof part === 'string') notes.push(part)
    else if (part) parts.push(part)
  }
  return { input: parts.length === 0 ? text : [{ type: 'text', text }, ...parts], notes }
}

function partOf(name: string, folder: string): InputPart | string | undefined {
  const path = resolve(folder, name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return undefined
  if (found.size > largest)
    return `${name} does not go with the message: it has ${found.size.toLocaleString('en-US')} bytes, and at most ${largest.toLocaleString('en-US')} may.`
  const bytes = readFileSync(path)
  const image = images[extname(name).toLowerCase()]
  if (image !== undefined) return { type: 'image', image: bytes, mediaType: image }
  if (bytes.includes(0)) return `${name} does not go with the message: it is no text.`
  return { type: 'text', text: `\n\nThe file ${name}:\n\n${bytes.toString('utf8')}` }
}

/** Names that are offered at most. */
const mostOffered = 20

/** The paths that begin with a word: of its folder, folders with a slash at their end. */
export function pathsLike(word: string, folder: string): readonly string[] {
  const parent = word.endsWith('/') || word === '' ? word : `${dirname(word)}/`
  const shown = parent === './' && !word.startsWith('./') ? '' : parent
  try {
    const names = readdirSync(join(folder, parent), { withFileTypes: true })
    return names
      .map((entry) => `${shown}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((path) => path.startsWith(word) && (!/(?:^|\/)\./.test(path.slice(shown.length)) || word.slice(shown.length).startsWith('.')))
      .toSorted()
      .slice(0, mostOffered)
  } catch {
    // No such folder: nothing begins so.
    return []
  }
}
