/** Looking at a folder from outside: reads everything, changes nothing, needs no lock. */
import type { Epoch, Seq } from '@loom-agent/kernel'
import { spilledIn } from '../spill.ts'
import type { Finding } from '../verify.ts'
import { inspectBlobs } from './blobs.ts'
import { type Damage, describeDamage, misnamed } from './damage.ts'
import { type Disk, withFile } from './disk.ts'
import { nodeDisk } from './disk-node.ts'
import { fileNameOf } from './file-name.ts'
import type { FileMode } from './line.ts'
import { scanFile } from './scan.ts'
import { ending } from './thread.ts'

/** A thread as its file has it, up to the first damage. */
export type FoundThread = Readonly<{ thread: string; file: string; bytes: number; lines: number; seq: Seq; epoch: Epoch; mode: FileMode }>

/** What a folder holds, what is wrong with it, and which files hold what was cut off earlier. */
export type FolderReport = Readonly<{ threads: readonly FoundThread[]; damage: readonly Damage[]; cut: readonly string[] }>

/** Reads every byte of a journal's folder and tells what is wrong. While a process writes to it, the ends of files may look torn. */
export async function inspectFolder(path: string, options: { readonly disk?: Disk } = {}): Promise<FolderReport> {
  const disk = options.disk ?? nodeDisk()
  const names = (await disk.list(path)).map(({ name }) => name).sort()
  const blobProblem = await inspectBlobs({ disk, path: `${path}/blobs` })
  const threads: FoundThread[] = []
  const damage: Damage[] = []
  for (const file of names.filter((name) => name.endsWith(ending))) {
    const blobs = new Map<string, Seq>()
    const onBatch = (line: string, first: Seq): void => {
      for (const key of blobsOf(line)) if (!blobs.has(key)) blobs.set(key, first)
    }
    const scan = await withFile(disk.open(`${path}/${file}`, 'read'), (opened) => scanFile(opened, { file, onBatch }))
    const { header, size, lines, seq, epoch, mode } = scan
    const stem = file.slice(0, -ending.length)
    if (header) threads.push({ thread: header.thread, file, bytes: size, lines, seq, epoch, mode })
    if (header && fileNameOf(header.thread) !== stem) damage.push(misnamed(file, header.thread))
    if (scan.damage) damage.push(scan.damage)
    for (const [key, first] of blobs) {
      const problem = await blobProblem(stem, key)
      if (problem) damage.push({ ...problem, thread: header?.thread, seq: first })
    }
  }
  return { threads, damage, cut: names.filter((name) => /\.torn-\d+$/.test(name)) }
}

/** The keys of the blobs that a line needs. */
function blobsOf(line: string): readonly string[] {
  const { blobs = [] } = line.includes('"blobs":[') ? (JSON.parse(line) as { blobs?: readonly string[] }) : {}
  return [...spilledIn(line), ...blobs]
}

/** What is wrong with a folder beyond what reading its threads shows. Threads in use may be in the middle of a write, and only look torn. */
export async function findingsIn(path: string, disk: Disk, inUse: ReadonlySet<string>): Promise<readonly Finding[]> {
  const { damage, cut } = await inspectFolder(path, { disk })
  const elsewhere = damage.filter(({ kind, thread = '' }) => kind !== 'damaged' && !(kind === 'torn' && inUse.has(thread)))
  return [
    ...elsewhere.map((found) => ({ ...(found.thread !== undefined && { thread: found.thread, seq: found.seq }), problem: describeDamage(found) })),
    ...cut.map((name) => ({ problem: `The end of a file was torn and has been cut off. It is kept in ${name}.`, repaired: true as const })),
  ]
}
