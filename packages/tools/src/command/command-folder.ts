/**
 * The folder that a call names for its command.
 *
 * COMMAND-13. Rules speak of commands in the folder of the tool. One that is to run in a folder outside of it, also behind a link, is allowed by none: what
 *     lies there, such as the settings of a repository, may make another command of it.
 */
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'

/** Whether a folder leads out of the root; what cannot be told does. */
export function leadsOut(root: string, cwd: string): boolean {
  try {
    const base = realpathSync.native(root)
    const place = realpathSync.native(resolve(root, cwd))
    return place !== base && !place.startsWith(base.endsWith(sep) ? base : base + sep)
  } catch {
    return true
  }
}
