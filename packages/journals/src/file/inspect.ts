/** Inspects a folder from outside: reads everything, changes nothing, needs no lock. */
import type { Epoch, Seq } from '@loom-agent/kernel'
import type { JournalFinding } from '../storage/journal-finding.ts'
import { type Damage, describeDamage, misnamed } from './damage.ts'
import { type Disk, withFile } from './disk.ts'
import { nodeDisk } from './disk-node.ts'
import { fileNameOf } from './file-name.ts'
import { ending, pathOf, stemsIn } from './folder.ts'
import type { FileMode } from './line.ts'
import { scanFile } from './scan.ts'

/** A thread as its file has it, up to the first damage. */
export type FoundThread = Readonly<{ thread: string; file: string; bytes: number; lines: number; seq: Seq; epoch: Epoch; mode: FileMode }>

/** The threads of a folder, its damage, and the files that hold what was cut off earlier. */
export type FolderReport = Readonly<{ threads: readonly FoundThread[]; damage: readonly Damage[]; cut: readonly string[] }>

/** Reads every thread of a journal's folder and reports the damage. While a process writes to it, the ends of files may look torn. */
export async function inspectFolder(path: string, options: { readonly disk?: Disk } = {}): Promise<FolderReport> {
  const disk = options.disk ?? nodeDisk()
  const threads: FoundThread[] = []
  const damage: Damage[] = []
  for (const stem of await stemsIn({ disk, path })) {
    const file = `${stem}${ending}`
    const scan = await withFile(disk.open(pathOf({ path }, stem), 'read'), (opened) => scanFile(opened, { file }))
    const { header, size, lines, seq, epoch, mode } = scan
    if (header) threads.push({ thread: header.thread, file, bytes: size, lines, seq, epoch, mode })
    if (header && fileNameOf(header.thread) !== stem) damage.push(misnamed(file, header.thread))
    if (scan.damage) damage.push(scan.damage)
  }
  const cut = (await disk.list(path)).map(({ name }) => name).filter((name) => /\.torn-\d+$/.test(name))
  return { threads, damage, cut: cut.sort() }
}

/** The damage of a folder that reading its threads does not show. A thread in use may be in the middle of a write, and only look torn. */
export async function findingsIn(path: string, disk: Disk, inUse: ReadonlySet<string>): Promise<readonly JournalFinding[]> {
  const { damage, cut } = await inspectFolder(path, { disk })
  const elsewhere = damage.filter(({ kind, thread = '' }) => kind !== 'damaged' && !(kind === 'torn' && inUse.has(thread)))
  return [
    ...elsewhere.map((found) => ({ ...(found.thread !== undefined && { thread: found.thread, seq: found.seq }), problem: describeDamage(found) })),
    ...cut.map((name) => ({ problem: `The end of a file was torn and has been cut off. It is kept in ${name}.`, repaired: true as const })),
  ]
}
