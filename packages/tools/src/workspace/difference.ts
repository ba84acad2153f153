/** What became of files between two scans. */
import type { ChangedFiles } from '@loom-agent/agent/kit'
import type { FileChange } from '@loom-agent/kernel'
import type { Scan, SeenFile } from './scan.ts'

/** Files that one fact names at most. */
const mostNamed = 1_000
/** Bytes of contents that one fact brings at most; those of other files are not kept. */
const mostBytes = 16 * 1024 * 1024

const hash = (file: SeenFile | undefined): string | null => file?.hash ?? null
const mode = (file: SeenFile | undefined): SeenFile['mode'] => file?.mode ?? null

/** What was changed between two scans, under the name of a workspace. Of what one of them did not come to, nothing is said. */
export function differenceOf(before: Scan, after: Scan, workspace: string | undefined): ChangedFiles {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].filter((path) => {
    const was = before.files.get(path)
    const is = after.files.get(path)
    // A file that only one scan has seen was made or removed only if the other one has seen all.
    if ((!was && before.unseen !== undefined) || (!is && after.unseen !== undefined)) return false
    return hash(was) !== hash(is) || mode(was) !== mode(is)
  })
  const named = paths.sort().slice(0, mostNamed)
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  const keep = (file: SeenFile | undefined): void => {
    if (!file?.bytes || kept.has(file.hash) || bytes + file.bytes.length > mostBytes) return
    bytes += file.bytes.length
    kept.set(file.hash, file.bytes)
  }
  const files = named.map((path): FileChange => {
    const was = before.files.get(path)
    const is = after.files.get(path)
    if (hash(was) !== hash(is)) for (const file of [was, is]) keep(file)
    return { path, before: hash(was), after: hash(is), ...(workspace !== undefined && { workspace }), modes: [mode(was), mode(is)] }
  })
  const more = paths.length > mostNamed ? `${paths.length - mostNamed} more files were changed` : undefined
  return { files, kept, unseen: before.unseen ?? after.unseen ?? more }
}
