/** Reads a text file, or some lines of it. */
import { opendir } from 'node:fs/promises'
import { nearest } from '@loom-agent/agent/kit'
import { type Folder, inFile, inFolder, type OpenFile, type Walk } from './confinement.ts'
import { segmentsOf } from './path.ts'
import { hasCode, refusal } from './refusal.ts'

/** The input of `read_file`. */
export interface ReadInput {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
}

/** The limits of a read. */
export interface ReadBounds {
  readonly root: string
  readonly maxBytes: number
  readonly maxLines: number
  readonly signal: AbortSignal
}

const chunkBytes = 64 * 1024
/** Lines are counted up to this many bytes: counting all lines of a huge file would take too long. */
const mostScanned = 16 * 1024 * 1024

/** Returns the text of a file: all of it, or some lines with a note where to continue. */
export async function readTextFile(input: ReadInput, bounds: ReadBounds): Promise<string> {
  const walk: Walk = { root: bounds.root, path: input.path }
  const segments = segmentsOf(input.path)
  try {
    return await inFile(walk, segments, async (file) => shown(await scan(file, input, bounds), input))
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    const near = await nameLike(walk, segments)
    const hint = near === undefined ? 'List its folder to see what is there.' : `Did you mean "${near}"?`
    throw refusal('LOOM_TOOL_FAILED', input.path, `There is no ${input.path}. ${hint}`)
  }
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

interface Scanned {
  readonly text: string
  /** The first and the last line of the text, from 1. */
  readonly from: number
  readonly to: number
  readonly lines: number
  /** Whether there may be more lines than were counted. */
  readonly more: boolean
  /** Whether the only line did not fit, and was cut. */
  readonly cutLine: boolean
}

/** Reads from the start, keeps the wanted lines, and counts the rest. */
async function scan(file: OpenFile, input: ReadInput, bounds: ReadBounds): Promise<Scanned> {
  const from = input.offset ?? 1
  const most = Math.min(input.limit ?? bounds.maxLines, bounds.maxLines)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const keeper = lineKeeper({ from, most, maxBytes: bounds.maxBytes })
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let scanned = 0
  while (scanned < mostScanned) {
    bounds.signal.throwIfAborted()
    const { bytesRead } = await file.handle.read(buffer, 0, chunkBytes, null)
    const chunk = buffer.subarray(0, bytesRead)
    if (chunk.includes(0)) throw notText(input.path, file.size)
    keeper.take(decode(decoder, chunk, { path: input.path, size: file.size, last: bytesRead === 0 }))
    scanned += bytesRead
    if (bytesRead === 0) return keeper.end(false)
  }
  return keeper.end(true)
}

function decode(decoder: TextDecoder, chunk: Uint8Array, { path, size, last }: { path: string; size: number; last: boolean }): string {
  try {
    return decoder.decode(chunk, { stream: !last })
  } catch {
    throw notText(path, size)
  }
}

const notText = (path: string, size: number): Error =>
  refusal('LOOM_TOOL_FAILED', path, `${path} is not text in UTF-8 (${size} bytes of binary data). This tool reads text files only.`)

interface LineKeeper {
  take(text: string): void
  end(more: boolean): Scanned
}

/** Keeps whole lines until there are enough of them or of bytes; a single line that is too long is cut. */
function lineKeeper({ from, most, maxBytes }: { from: number; most: number; maxBytes: number }): LineKeeper {
  let line = 1
  let kept = ''
  let current = ''
  let bytes = 0
  let to = from - 1
  let full = most <= 0
  let cutLine = false
  let isPartial = false
  const keep = (text: string): void => {
    const size = Buffer.byteLength(text)
    if (bytes + size > maxBytes) {
      full = true
      if (to >= from) return
      cutLine = true
      kept = Buffer.from(text)
        .subarray(0, maxBytes)
        .toString('utf8')
        .replace(/\uFFFD+$/, '')
    } else kept += text
    bytes += size
    to = line
    full ||= to - from + 1 >= most
  }
  const wanted = (): boolean => line >= from && !full
  return {
    take(text) {
      for (let start = 0; start < text.length; ) {
        const found = text.indexOf('\n', start)
        const end = found < 0 ? text.length : found + 1
        if (wanted() && Buffer.byteLength(current) <= maxBytes) current += text.slice(start, end)
        start = end
        isPartial = found < 0
        if (isPartial) continue
        if (wanted()) keep(current)
        current = ''
        line += 1
      }
    },
    end(more) {
      if (isPartial && wanted()) keep(current)
      const lines = isPartial ? line : line - 1
      return { text: kept, from, to, lines, more, cutLine }
    },
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
