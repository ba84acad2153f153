/** What a project asks of agents that work on it: its AGENTS.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file that is read, in the folder itself. */
const fileName = 'AGENTS.md'

/** Characters that are read: a file that is longer would take the room of the work. */
const most = 65_536

/** The instructions of a project; `undefined` where it has none. */
export function projectInstructions(root: string): string | undefined {
  let text: string
  try {
    text = readFileSync(join(root, fileName), 'utf8')
  } catch (error) {
    // A folder without the file, or one whose file cannot be read: the agent works without.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
  if (text.trim() === '') return undefined
  const shown = text.length > most ? `${text.slice(0, most).toWellFormed()}\n[${fileName} goes on; read the file for the rest.]` : text
  return `${fileName} of the folder:\n\n${shown}`
}
