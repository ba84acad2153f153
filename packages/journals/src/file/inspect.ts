/** Inspects a folder from outside: reads everything, changes nothing, needs no lock. */
import type { Epoch, Seq } from '@loom-agent/kernel'
import { type Anchor, readAnchors } from './anchors.ts'
import type { Damage } from './damage.ts'
import { type Disk, withFile } from './disk.ts'
import { nodeDisk } from './disk-node.ts'
import { inspectFeed } from './feed.ts'
import { ending, namesIn, pathOf, stemsIn } from './folder.ts'
import type { FileMode } from './line.ts'
import { emptyScan, missingEnd, scanFile } from './scan.ts'

/** A thread as its file has it, up to the first damage. */
export type FoundThread = Readonly<{ thread: string; file: string; bytes: number; lines: number; seq: Seq; epoch: Epoch; mode: FileMode }>

/** The threads of a folder, its damage, and the files that hold what was cut off or damaged earlier. */
export type FolderReport = Readonly<{ threads: readonly FoundThread[]; damage: readonly Damage[]; cut: readonly string[] }>

/** Reads every thread of a journal's folder and reports the damage. While a process writes to it, the ends of files may look torn. */
export async function inspectFolder(path: string, options: { readonly disk?: Disk } = {}): Promise<FolderReport> {
  const disk = options.disk ?? nodeDisk()
  const threads: FoundThread[] = []
  const damage: Damage[] = []
  // Before the files: what is written meanwhile is after its anchor.
  const anchors = await readAnchors(disk, path)
  const stems = await stemsIn({ disk, path })
  for (const stem of stems) {
    const anchor = anchors.get(`${stem}${ending}`)
    const scan = await withFile(disk.open(pathOf({ path }, stem), 'read'), (opened) => scanFile(opened, { stem, anchor }))
    const { header, size, lines, seq, epoch, mode } = scan
    if (header && lines > 0) threads.push({ thread: header.thread, file: `${stem}${ending}`, bytes: size, lines, seq, epoch, mode })
    if (scan.damage) damage.push(scan.damage)
  }
  const feed = await inspectFeed(disk, path, anchors.get('feed'))
  damage.push(...missingFiles(anchors, stems), ...(feed ? [feed] : []))
  return { threads, damage, cut: (await namesIn({ disk, path })).filter((name) => /\.(torn|damaged)-\d+$/.test(name)) }
}

/** The damage of files that are gone although no thread was removed (ANCHOR-3). */
function missingFiles(anchors: ReadonlyMap<string, Anchor>, stems: readonly string[]): readonly Damage[] {
  const known = new Set(stems)
  return [...anchors].flatMap(([file, anchor]) => {
    const stem = file.slice(0, -ending.length)
    return file.endsWith(ending) && !known.has(stem) ? [missingEnd(emptyScan(), stem, anchor)] : []
  })
}
