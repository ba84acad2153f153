/** What the ignore files of a project leave out of searches. */
import { type Folder, openRegular } from './confinement.ts'
import { hasCode } from './refusal.ts'

/** The ignore files of a folder and of those above it. */
export interface IgnoreRules {
  /** Whether an entry is left out; the segments are those from the root of the tools. */
  ignores(segments: readonly string[], isFolder: boolean): boolean
}

/** Bytes of an ignore file that are read at most. */
const mostBytes = 64 * 1024

/** Ignores nothing. */
export const noRules: IgnoreRules = { ignores: () => false }

/** The rules of a folder: those of its ignore file come before those of the folders above. */
export async function rulesOf(folder: Folder, above: IgnoreRules): Promise<IgnoreRules> {
  const text = await ignoreFileOf(folder)
  if (text === undefined) return above
  const { default: ignore } = await import('ignore')
  const own = ignore({ allowRelativePaths: true }).add(text)
  const depth = folder.segments.length
  return {
    ignores(segments, isFolder) {
      const { ignored, unignored } = own.test(`${segments.slice(depth).join('/')}${isFolder ? '/' : ''}`)
      return ignored || (!unignored && above.ignores(segments, isFolder))
    },
  }
}

async function ignoreFileOf(folder: Folder): Promise<string | undefined> {
  const name = '.gitignore'
  const handle = await openRegular(folder, name, name).catch((error: unknown) => {
    // A link, a folder or nothing: there are no rules.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EACCES') || hasCode(error, 'LOOM_PERMISSION_DENIED') || hasCode(error, 'LOOM_TOOL_INPUT_INVALID'))
      return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
