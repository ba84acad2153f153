/** Runs the programs of users: each asserts its own outcome. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execute } from './execute.ts'
import { attempt, type Row } from './row.ts'

/** Which programs, and with which Node. */
export interface ProgramOptions {
  /** Names of programs; all of them without it. */
  readonly only?: readonly string[]
  readonly program?: string
  readonly flags?: readonly string[]
  readonly label?: string
}

/** Runs programs of a project, one after another. */
export async function runPrograms(project: string, options: ProgramOptions = {}): Promise<readonly Row[]> {
  const { only, program = process.execPath, flags = [], label = 'programs' } = options
  const files = globSync('programs/*.ts', { cwd: project }).sort()
  const chosen = only === undefined ? files : files.filter((file) => only.includes(basename(file, '.ts')))
  if (chosen.length === 0 || (only !== undefined && chosen.length < only.length))
    throw new Error(`Of the programs ${only?.join(', ') ?? ''} only ${chosen.join(', ')} are there.`)
  const rows: Row[] = []
  for (const file of chosen) {
    const run = async (): Promise<void> => void (await execute(program, [...flags, join(project, file)], { cwd: project }))
    rows.push(await attempt(label, basename(file, '.ts'), run))
  }
  return rows
}
