/** Keeps the parts of an import in a temporary file until all of them were read: a thread of the journal may be changed only by lines that are all good. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFile, writeAll } from '../file/disk.ts'
import { nodeDisk } from '../file/disk-node.ts'
import { textOfLine } from '../file/line.ts'
import { linesOf } from '../file/lines.ts'
import type { ImportPart } from './import-parts.ts'

/** The parts that were kept, in their order. One batch of them is in memory at a time. */
export interface Spool {
  /** Reads all parts, which may be done more than once. */
  parts(): AsyncGenerator<ImportPart, void>
  remove(): Promise<void>
}

/** Keeps parts; all are read when this returns. If reading them fails, nothing is kept. */
export async function spoolParts(parts: AsyncIterable<ImportPart>): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'loom-import-'))
  const path = join(folder, 'parts.jsonl')
  const remove = (): Promise<void> => rm(folder, { recursive: true })
  try {
    await withFile(nodeDisk().open(path, 'create'), async (file) => {
      let size = 0
      for await (const part of parts) {
        const bytes = Buffer.from(`${textOf(part)}\n`)
        await writeAll(file, size, bytes)
        size += bytes.length
      }
    })
  } catch (error) {
    await remove()
    throw error
  }
  return { parts: () => partsIn(path), remove }
}

async function* partsIn(path: string): AsyncGenerator<ImportPart, void> {
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
