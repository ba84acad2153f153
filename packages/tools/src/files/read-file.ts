/** Reads a text file, some lines of it, or an image. */
import { opendir } from 'node:fs/promises'
import { type Content, content } from '@loom-agent/agent'
import { nearest } from '@loom-agent/agent/kit'
import { type Folder, inFile, inFolder, type OpenFile, type Walk } from './confinement.ts'
import { hashOfFile } from './content-hash.ts'
import type { Guard } from './guard.ts'
import { imageTypeOf } from './image-type.ts'
import { isJournalHead, type JournalPaths, journalRefusal } from './journal-files.ts'
import { lineKeeper, type Scanned } from './line-keeper.ts'
import { segmentsOf } from './path.ts'
import { hasCode, refusal } from './refusal.ts'
import { createDecoder, formOf, latin1, mayBeLatin1, type TextForm } from './text-file.ts'
import { versionLength } from './write-file.ts'

/** The input of `read_file`. */
export interface ReadInput {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
  readonly numbers?: boolean
  readonly version?: boolean
}

/** The limits of a read. */
export interface ReadBounds {
  readonly root: string
  readonly guard: Guard
  readonly journals: JournalPaths
  readonly maxBytes: number
  readonly maxLines: number
  readonly maxMediaBytes: number
  readonly signal: AbortSignal
}

const chunkBytes = 64 * 1024
/** Once the wanted lines are there, the others are counted up to this many bytes: counting all lines of a huge file would take too long. */
const mostCounted = 16 * 1024 * 1024
/** Wanted lines are looked for up to this many bytes. */
const mostScanned = 1024 * 1024 * 1024

/** Returns the text of a file: all of it, or some lines with a note where to continue. An image is a part that the model can look at. */
export async function readFile(input: ReadInput, bounds: ReadBounds): Promise<string | Content> {
  const { path } = input
  const segments = segmentsOf(path)
  const walk: Walk = { root: bounds.root, path, check: bounds.guard.check('read', segments, path) }
  try {
    return await inFile(walk, segments, (file) => contentOf(file, input, bounds))
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    const near = await nameLike(walk, segments)
    const hint = near === undefined ? 'List its folder to see what is there.' : `Did you mean "${near}"?`
    throw refusal('LOOM_TOOL_FAILED', path, `There is no ${path}. ${hint}`)
  }
}

async function contentOf(file: OpenFile, input: ReadInput, bounds: ReadBounds): Promise<string | Content> {
  const { path } = input
  const head = await readAt(file, 0)
  if (isJournalHead(head) || (await bounds.journals.covers(file.real))) throw journalRefusal(path)
  const image = imageTypeOf(head)
  if (image !== undefined) return imageOf(file, image, { path, most: bounds.maxMediaBytes })
  const form = formOf(head)
  const scanned = form && (await scan(file, form, { input, bounds }))
  const fallback = !scanned && form?.markBytes === 0 ? await scan(file, latin1, { input, bounds }) : undefined
  const kept = scanned ?? fallback
  if (!kept) throw refusal('LOOM_TOOL_FAILED', path, `${path} is binary (${file.size} bytes). This tool reads text and images only.`)
  const notes = [
    ...(fallback ? ['decoded as Latin-1: it is not UTF-8'] : []),
    ...(form?.encoding.startsWith('utf-16') ? [`decoded as ${form.encoding.toUpperCase()}`] : []),
    ...(input.version ? [`version ${(await hashOfFile(file.handle, bounds.signal)).slice(0, versionLength)}`] : []),
  ]
  return withNotes(shown(kept, input), notes)
}

function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${notes.map((note) => `[${note}]`).join('\n')}`
}

async function imageOf({ handle, size }: OpenFile, mediaType: string, { path, most }: { path: string; most: number }): Promise<Content> {
  if (size > most)
    throw refusal('LOOM_TOOL_FAILED', path, `${path} is an image of ${size} bytes; ${most} can be shown. Ask the user for a smaller one.`)
  const data = Buffer.alloc(size)
  await handle.read(data, 0, size, 0)
  return content([
    { type: 'text', text: `${path}: ${mediaType}, ${size} bytes` },
    { type: 'image', image: new Uint8Array(data), mediaType },
  ])
}

/** The path of a file in the same folder with a similar name. */
async function nameLike(walk: Walk, segments: readonly string[]): Promise<string | undefined> {
  const name = segments.at(-1) ?? ''
  const folder = segments.slice(0, -1)
  const near = await inFolder(walk, folder, async (open) => nearest(name, await filesIn(open))).catch(() => undefined)
  return near === undefined ? undefined : [...folder, near].join('/')
}

/** Names that are compared at most. */
const mostCompared = 1000

async function filesIn(folder: Folder): Promise<readonly string[]> {
  const names: string[] = []
  for await (const entry of await opendir(folder.at('.'))) {
    if (entry.isFile()) names.push(entry.name)
    if (names.length >= mostCompared) break
  }
  return names
}

async function readAt({ handle }: OpenFile, position: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position)
  return buffer.subarray(0, bytesRead)
}

interface Scan {
  readonly input: ReadInput
  readonly bounds: ReadBounds
}

/** Reads from the start, keeps the wanted lines, and counts the rest; undefined when the text does not have this form. */
async function scan(file: OpenFile, form: TextForm, { input, bounds }: Scan): Promise<Scanned | undefined> {
  const { offset = 1, limit = bounds.maxLines, numbers = false } = input
  const keeper = lineKeeper({ from: offset, most: Math.min(limit, bounds.maxLines), maxBytes: bounds.maxBytes, numbers })
  const decode = createDecoder(form)
  for (let position = form.markBytes; position < (keeper.isFull() ? mostCounted : mostScanned); ) {
    bounds.signal.throwIfAborted()
    const chunk = await readAt(file, position)
    if (!isText(chunk, form)) return undefined
    const text = decoded(decode, chunk.length === 0 ? undefined : chunk)
    if (text === undefined) return undefined
    keeper.take(text)
    if (chunk.length === 0) return keeper.end(false)
    position += chunk.length
  }
  return keeper.end(true)
}

const isText = (chunk: Uint8Array, { encoding }: TextForm): boolean =>
  encoding === 'latin1' ? mayBeLatin1(chunk) : encoding !== 'utf-8' || !chunk.includes(0)

function decoded(decode: (chunk: Uint8Array | undefined) => string, chunk: Uint8Array | undefined): string | undefined {
  try {
    return decode(chunk)
  } catch {
    return undefined
  }
}

function shown({ text, from, to, lines, more, cutLine }: Scanned, { path }: ReadInput): string {
  if (to < from && from > 1) throw refusal('LOOM_TOOL_INPUT_INVALID', path, `${path} has ${lines} lines; offset ${from} is past its end.`)
  const total = more ? `more than ${lines}` : String(lines)
  if (cutLine) return `${text}\n[line ${from} of ${total} is longer than can be shown and is cut here; read on with offset ${from + 1}]`
  if (from === 1 && to >= lines && !more) return text
  const next = to >= lines && !more ? '' : `; read on with offset ${to + 1}`
  return `${text}${text.endsWith('\n') ? '' : '\n'}[lines ${from}-${to} of ${total}${next}]`
}
