/**
 * Keeps the parts of an import until all of them were read: nothing of the journal may be changed before all lines are known to be good. Few are kept in
 * memory, many in a temporary file.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DiskFile, writeAll } from '../file/disk.ts'
import { nodeDisk } from '../file/disk-node.ts'
import { textOfLine } from '../file/line.ts'
import { linesOf } from '../file/lines.ts'
import type { ImportPart } from './import-parts.ts'

/** The parts that were kept, in their order. One batch of them is in memory at a time, but for the first of them. */
export interface Spool {
  /** Reads all parts, which may be done more than once. */
  parts(): AsyncGenerator<ImportPart, void>
  remove(): Promise<void>
}

/** How many UTF-16 units are kept in memory. */
const kept = 2 ** 20

/** The parts that do not fit in memory. */
interface Rest {
  readonly folder: string
  readonly path: string
  readonly file: DiskFile
  size: number
}

/** Keeps parts; all are read when this returns. If reading them fails, nothing is kept. */
export async function spoolParts(parts: AsyncIterable<ImportPart>): Promise<Spool> {
  const first: string[] = []
  let room = kept
  let rest: Rest | undefined
  const remove = async (): Promise<void> => {
    if (rest) await rm(rest.folder, { recursive: true })
  }
  try {
    for await (const part of parts) {
      const text = textOf(part)
      room -= text.length
      if (room >= 0) first.push(text)
      else {
        rest ??= await openRest()
        const bytes = Buffer.from(`${text}\n`)
        await writeAll(rest.file, rest.size, bytes)
        rest.size += bytes.length
      }
    }
    await rest?.file.close()
  } catch (error) {
    await rest?.file.close()
    await remove()
    throw error
  }
  return { parts: () => partsIn(first, rest?.path), remove }
}

async function openRest(): Promise<Rest> {
  const folder = await mkdtemp(join(tmpdir(), 'loom-import-'))
  const path = join(folder, 'parts.jsonl')
  return { folder, path, file: await nodeDisk().open(path, 'create'), size: 0 }
}

async function* partsIn(first: readonly string[], path: string | undefined): AsyncGenerator<ImportPart, void> {
  for (const text of first) yield partOf(text)
  if (path === undefined) return
  const file = await nodeDisk().open(path, 'read')
  try {
    for await (const { bytes } of linesOf(file, await file.size())) yield partOf(textOfLine(bytes) ?? '')
  } finally {
    await file.close()
  }
}

type Stored =
  | Exclude<ImportPart, { kind: 'events' }>
  | Readonly<Omit<Extract<ImportPart, { kind: 'events' }>, 'blobs'> & { blobs: [string, string][] }>

function textOf(part: ImportPart): string {
  if (part.kind !== 'events') return JSON.stringify(part)
  return JSON.stringify({ ...part, blobs: [...part.blobs].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]) })
}

function partOf(line: string): ImportPart {
  const part = JSON.parse(line) as Stored
  if (part.kind !== 'events') return part
  return { ...part, blobs: new Map(part.blobs.map(([name, base64]) => [name, Uint8Array.from(Buffer.from(base64, 'base64'))])) }
}
