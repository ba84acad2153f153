/** Files that are replaced as a whole: a process that dies meanwhile leaves the old one. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Replaces a file, or creates it. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
