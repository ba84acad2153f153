/**
 * Upgrades a folder of format 1 when it is opened: every file is rewritten once.
 *
 * UPGRADE-1. The new file is whole and durable before it takes the name of the old one. A crash leaves files of both formats, and the next opening
 *            continues.
 * UPGRADE-2. The bad end of a file is copied byte by byte after the good part: it is torn or damaged afterwards as it was before.
 * UPGRADE-3. Blobs move into the files of the threads that name them. Their own files are removed only when nothing in the folder may need them.
 *
 * In format 1 blobs were files of their own, and a fork counted its events from 1 and had the moment of its cut in the label `$fork`. The incarnation
 * of a thread of format 1 is its name.
 */
import type { ForkOf, JsonObject, Summary } from '@loom-agent/kernel'
import { blobHash, chainStart } from '../storage/chain.ts'
import { forkOfLabel, withoutForkLabel } from '../storage/fork-label.ts'
import { sha256 } from '../storage/node-crypto.ts'
import { blobsOf } from '../storage/offload-blobs.ts'
import { copyBytes, type DiskFile, readWhole, unlessGone, withFile, writeAll } from './disk.ts'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder, pathOf, stemsIn } from './folder.ts'
import { blobBody, endOf, format, headerOf, type LineEnd, sealLine, summaryOf, textOfLine, withField } from './line.ts'
import { linesOf } from './lines.ts'
import { type Scan, scanFile } from './scan.ts'

/** Upgrades all files of a folder. Returns the last position of the feed that is in use; undefined if there is no thread. */
export async function upgradeFolder(folder: Folder): Promise<number | undefined> {
  const { disk, path } = folder
  const old: string[] = []
  let feed: number | undefined
  let isComplete = true
  for (const stem of await stemsIn(folder)) {
    const { version, last } = await withFile(disk.open(pathOf(folder, stem), 'read'), (file) => versionOf(file, stem))
    if (version === 1) old.push(stem)
    isComplete &&= version === 1 || version === format
    feed = Math.max(feed ?? 0, last)
  }
  if (feed === undefined) return undefined
  const blobs = await blobFiles(folder)
  for (const stem of old) {
    const upgraded = await upgradeFile(folder, { stem, blobs, feed })
    feed = upgraded.feed
    isComplete &&= upgraded.isWhole
  }
  await disk.syncFolder(path)
  if (isComplete) for (const blob of blobs.values()) await unlessGone(disk.remove(blob.path))
  await unlessGone(disk.remove(`${path}/threads.table`))
  return feed
}

/** The format of a file; undefined if it has no header. In a file of the present format, the last position of the feed too. */
async function versionOf(file: DiskFile, stem: string): Promise<{ readonly version: number | undefined; readonly last: number }> {
  for await (const { bytes } of linesOf(file, await file.size())) {
    const version = headerOf(textOfLine(bytes) ?? '')?.format
    if (version === format) break
    return { version, last: 0 }
  }
  let last = 0
  const onBatch = (line: string): void => {
    last = Math.max(last, (JSON.parse(line) as { feed?: number }).feed ?? 0)
  }
  const { header } = await scanFile(file, { stem, onBatch })
  return { version: header?.format, last }
}

type BlobFiles = ReadonlyMap<string, { readonly path: string; readonly digest: string }>

/** The files of blobs, by the name of the blob and the owner: `<name>[+<digest>].<owner>`. */
async function blobFiles({ disk, path }: Folder): Promise<BlobFiles> {
  const found = new Map<string, { path: string; digest: string }>()
  for (const { name: entry } of (await unlessGone(disk.list(`${path}/blobs`))) ?? []) {
    const [, name, digest = name, owner] = /^([^.+]+)(?:\+([^.]+))?\.([0-9a-f]+)$/.exec(entry) ?? []
    if (digest !== undefined) found.set(`${name}.${owner}`, { path: `${path}/blobs/${entry}`, digest })
  }
  return found
}

const ownerOf = (stem: string): string => sha256(stem).slice(0, 32)

/** How many UTF-16 units of lines are written together. */
const longestWrite = 1_048_576

/** A file that is being rewritten. */
interface Upgrade {
  readonly folder: Folder
  readonly stem: string
  readonly blobs: BlobFiles
  readonly forkOf: ForkOf | undefined
  readonly moved: Set<string>
  readonly draft: DiskFile
  chain: string
  /** How many bytes are written, and the lines that are not. */
  offset: number
  lines: string
  feed: number
  isWhole: boolean
}

async function upgradeFile(folder: Folder, { stem, blobs, feed }: Pick<Upgrade, 'stem' | 'blobs' | 'feed'>): Promise<Upgrade> {
  const path = `${folder.path}/${stem}.upgrade`
  const upgraded = await withFile(folder.disk.open(pathOf(folder, stem), 'read'), async (old) => {
    let forkOf: ForkOf | undefined
    const onBatch = (line: string): void => {
      if (line.includes('"$fork":')) forkOf = forkOfLabel(summaryOf(line)) ?? forkOf
    }
    const scan = await scanFile(old, { stem, format: 1, onBatch })
    return withFile(folder.disk.open(path, 'create'), async (draft) => {
      await draft.truncate(0)
      const start = { chain: chainStart(scan.header?.thread ?? ''), offset: 0, lines: '', feed, isWhole: scan.damage === undefined }
      const upgrade: Upgrade = { folder, stem, blobs, forkOf, draft, moved: new Set(), ...start }
      await upgradeLines(upgrade, old, scan)
      await writeLines(upgrade)
      const { offset } = upgrade
      await copyBytes(old, { from: scan.size, to: await old.size() }, (at, bytes) => writeAll(draft, offset + at, bytes))
      await draft.sync()
      return upgrade
    })
  })
  await folder.disk.rename(path, pathOf(folder, stem))
  return upgraded
}

type OldLine = JsonObject & { readonly id?: string; readonly blobs?: readonly string[]; readonly summary: Summary }

async function upgradeLines(upgrade: Upgrade, old: DiskFile, { size }: Scan): Promise<void> {
  const { forkOf } = upgrade
  let summary: Summary = { status: 'idle' }
  let seq = 0
  for await (const { bytes } of linesOf(old, size)) {
    const line = textOfLine(bytes) ?? ''
    const end = endOf(line)
    const header = headerOf(line)
    if (!end) continue
    if (header) {
      await seal(upgrade, JSON.stringify({ ...header, format, ...(forkOf && { forkOf }) }), end)
      continue
    }
    const { head: _head, joined: _joined, hash: _hash, summary: before, ...body } = JSON.parse(line) as OldLine
    for (const name of [...blobsOf(line), ...(body.blobs ?? [])]) await moveBlob(upgrade, name, { summary, end: { ...end, seq } })
    summary = withoutForkLabel(before)
    seq = end.seq === 0 ? 0 : end.seq + (forkOf?.seq ?? 0)
    if (body.id !== undefined) upgrade.feed += 1
    const text = body.id === undefined ? JSON.stringify(body) : withField(JSON.stringify(body), 'feed', String(upgrade.feed))
    await seal(upgrade, withField(text, 'summary', JSON.stringify(summary)), { ...end, seq })
  }
}

/** Adds a blob before the line that names it; one that is missing or damaged is reported, and its file stays. */
async function moveBlob(upgrade: Upgrade, name: string, { summary, end }: { summary: Summary; end: LineEnd }): Promise<void> {
  const { folder, stem, blobs, moved } = upgrade
  if (moved.has(name)) return
  moved.add(name)
  const stored = blobs.get(`${fileNameOf(name)}.${ownerOf(stem)}`)
  const bytes = stored && (await readWhole(folder.disk, stored.path))
  if (bytes && blobHash(bytes) === stored.digest) return seal(upgrade, withField(blobBody(name, bytes), 'summary', JSON.stringify(summary)), end)
  upgrade.isWhole = false
  const reason = bytes ? `the bytes of the blob ${name} are not those that were written` : `the blob ${name} is missing`
  folder.onDamage({ kind: 'blob', file: `${stem}${ending}`, offset: upgrade.offset, line: 1, seq: end.seq + 1, reason })
}

async function seal(upgrade: Upgrade, body: string, end: LineEnd): Promise<void> {
  const { line, hash: chain } = sealLine(upgrade.chain, body, end)
  upgrade.lines += `${line}\n`
  upgrade.chain = chain
  if (upgrade.lines.length > longestWrite) await writeLines(upgrade)
}

async function writeLines(upgrade: Upgrade): Promise<void> {
  const bytes = Buffer.from(upgrade.lines)
  await writeAll(upgrade.draft, upgrade.offset, bytes)
  upgrade.offset += bytes.length
  upgrade.lines = ''
}
