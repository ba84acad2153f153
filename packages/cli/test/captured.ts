/** Runs commands in this process, with what they write kept. */
import { join } from 'node:path'
import { runLoom, type Terminal } from '../src/index.ts'

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The folder of a project with a configuration. */
export const project = join(import.meta.dirname, 'project')

/** Runs a command in the project, on a terminal of 100 columns without colours that is no person. */
export async function loom(args: readonly string[], given: Partial<Terminal> = {}): Promise<Ended> {
  let out = ''
  let err = ''
  const terminal: Terminal = {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    isInteractive: false,
    columns: 100,
    hasColour: false,
    env: { LOOM_JOURNAL: process.env['LOOM_JOURNAL'], USER: 'ann' },
    cwd: project,
    now: () => Date.now(),
    ...given,
  }
  return { code: await runLoom(args, terminal), out, err }
}

/** What a command says as JSON. */
export async function json(...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await loom([...args, '--json'])
  if (code !== 0) throw new Error(`loom ${args.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}
