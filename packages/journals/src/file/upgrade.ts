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
import { type DiskFile, readWhole, unlessGone, withFile, writeAll } from './disk.ts'
import { createFeedFile, type StoredFeed } from './feed.ts'
import { fileNameOf } from './file-name.ts'
import { ending, type Folder, pathOf, stemsIn } from './folder.ts'
import { blobBody, endOf, format, headerOf, type LineEnd, sealLine, summaryOf, textOfLine, withField } from './line.ts'
import { linesOf } from './lines.ts'
import { type Scan, scanFile } from './scan.ts'
import { readHeader } from './tail.ts'
import { copyBytes } from './thread-state.ts'

/** Upgrades all files of a folder, and creates its feed, which says so; a folder without a thread has none yet. */
export async function upgradeFolder(folder: Folder): Promise<StoredFeed | undefined> {
  const files: { readonly stem: string; readonly version: number | undefined }[] = []
  let feed = 0
  for (const stem of await stemsIn(folder)) {
    const version = await versionOf(folder, stem)
    files.push({ stem, version })
    if (version === format) feed = Math.max(feed, await lastPosition(folder, stem))
  }
  if (files.length === 0) return undefined
  const blobs = await blobFiles(folder)
  let isComplete = files.every(({ version }) => version === 1 || version === format)
  for (const { stem, version } of files) {
    if (version !== 1) continue
    const upgraded = await upgradeFile(folder, { stem, blobs, feed })
    feed = upgraded.feed
    isComplete &&= upgraded.isWhole
  }
  await folder.disk.syncFolder(folder.path)
  if (isComplete) for (const { path } of blobs.values()) await unlessGone(folder.disk.remove(path))
  await unlessGone(folder.disk.remove(`${folder.path}/threads.table`))
  return createFeedFile(folder, feed)
}

const versionOf = (folder: Folder, stem: string): Promise<number | undefined> =>
  withFile(folder.disk.open(pathOf(folder, stem), 'read'), async (file) => (await readHeader(file))?.format)

async function lastPosition(folder: Folder, stem: string): Promise<number> {
  let last = 0
  const onBatch = (line: string): void => {
    last = Math.max(last, (JSON.parse(line) as { feed?: number }).feed ?? 0)
  }
  await withFile(folder.disk.open(pathOf(folder, stem), 'read'), (file) => scanFile(file, { file: `${stem}${ending}`, onBatch }))
  return last
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

async function upgradeFile(
  folder: Folder,
  { stem, blobs, feed }: Pick<Upgrade, 'stem' | 'blobs' | 'feed'>,
): Promise<Pick<Upgrade, 'feed' | 'isWhole'>> {
  const path = `${folder.path}/${stem}.upgrade`
  const upgraded = await withFile(folder.disk.open(pathOf(folder, stem), 'read'), async (old) => {
    const { scan, forkOf } = await scanFormat1(old, `${stem}${ending}`)
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

async function scanFormat1(file: DiskFile, name: string): Promise<{ scan: Scan; forkOf: ForkOf | undefined }> {
  let forkOf: ForkOf | undefined
  const onBatch = (line: string): void => {
    if (line.includes('"$fork":')) forkOf = forkOfLabel(summaryOf(line)) ?? forkOf
  }
  const scan = await scanFile(file, { file: name, format: 1, onBatch })
  return { scan, forkOf }
}

async function upgradeLines(upgrade: Upgrade, old: DiskFile, { size }: Scan): Promise<void> {
  let summary: Summary = { status: 'idle' }
  let seq = 0
  for await (const { bytes } of linesOf(old, { from: 0, to: size })) {
    const line = textOfLine(bytes) ?? ''
    const end = endOf(line)
    if (!end) continue
    const header = headerOf(line)
    if (header) {
      const { forkOf } = upgrade
      await seal(upgrade, JSON.stringify({ ...header, format, ...(forkOf && { forkOf }) }), end)
      continue
    }
    const body = JSON.parse(line) as OldLine
    for (const name of [...blobsOf(line), ...(body.blobs ?? [])]) {
      await moveBlob(upgrade, name, { body: { summary }, end: { ...end, seq } })
    }
    summary = withoutForkLabel(body.summary)
    seq = end.seq === 0 ? 0 : end.seq + (upgrade.forkOf?.seq ?? 0)
    await seal(upgrade, upgradedBody(upgrade, body, summary), { ...end, seq })
  }
}

type OldLine = JsonObject & { readonly id?: string; readonly blobs?: readonly string[]; readonly summary: Summary }

function upgradedBody(upgrade: Upgrade, line: OldLine, summary: Summary): string {
  const { head: _head, joined: _joined, hash: _hash, summary: _summary, ...body } = line
  if (line.id !== undefined) upgrade.feed += 1
  const text = JSON.stringify(body)
  return withField(line.id === undefined ? text : withField(text, 'feed', String(upgrade.feed)), 'summary', JSON.stringify(summary))
}

type Before = { readonly body: { readonly summary: Summary }; readonly end: LineEnd }

/** Adds a blob before the line that names it; one that is missing or damaged is reported, and its file stays. */
async function moveBlob(upgrade: Upgrade, name: string, { body, end }: Before): Promise<void> {
  const { folder, stem, blobs, moved } = upgrade
  if (moved.has(name)) return
  moved.add(name)
  const stored = blobs.get(`${fileNameOf(name)}.${ownerOf(stem)}`)
  const bytes = stored && (await readWhole(folder.disk, stored.path))
  if (bytes && blobHash(bytes) === stored.digest) {
    const text = withField(blobBody(name, Buffer.from(bytes).toString('base64')), 'summary', JSON.stringify(body.summary))
    await seal(upgrade, text, end)
    return
  }
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
