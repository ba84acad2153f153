/** Runs attacks in a checkout, and reads what the test runner reports of them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { AttackFigure } from '../../test/attacks/figure.ts'
import { type Ended, runProgram } from '../run-program.ts'

/** One attack, by its title and its file. */
export interface Attack {
  readonly name: string
  readonly file: string
}

/** What came of a run of attacks. */
export interface Attacks {
  readonly held: readonly Attack[]
  readonly succeeded: readonly Attack[]
  /** Files of attacks that could not be run: what they import is not there. */
  readonly unread: readonly string[]
  readonly ended: Ended
}

/** What of the report of the test runner is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** The environment without what a test runner that runs this tells its workers. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST$|NODE_OPTIONS$)/.test(name)))
}

/** Runs attacks in a checkout. */
export async function attack(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Attacks> {
  const place = mkdtempSync(join(tmpdir(), 'loom-attacks-'))
  const output = join(place, 'report.json')
  try {
    const command = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${output}`, ...args]
    const ended = await runProgram(process.execPath, command, { cwd: folder, timeout: 600_000, env: { ...ownEnvironment(), ...env } })
    const report: Report = existsSync(output) ? (JSON.parse(readFileSync(output, 'utf8')) as Report) : { testResults: [] }
    const files = report.testResults.map(({ name, assertionResults }) => ({ file: relative(folder, name), assertionResults }))
    const named = (status: string): readonly Attack[] =>
      files.flatMap(({ file, assertionResults }) =>
        assertionResults.filter((one) => one.status === status).map(({ fullName }) => ({ name: fullName, file })),
      )
    const unread = files.filter(({ assertionResults }) => assertionResults.length === 0).map(({ file }) => file)
    return { held: named('passed'), succeeded: named('failed'), unread, ended }
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** Attacks, and the figures that they have kept. */
export interface AttacksWithFigures extends Attacks {
  readonly figures: readonly AttackFigure[]
}

/** Runs attacks in a checkout, and reads the figures that they keep. */
export async function attackWithFigures(folder: string, args: readonly string[]): Promise<AttacksWithFigures> {
  const place = mkdtempSync(join(tmpdir(), 'loom-figures-'))
  const file = join(place, 'figures.jsonl')
  try {
    const attacks = await attack(folder, args, { LOOM_FIGURES: file })
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    return { ...attacks, figures: lines.map((line): AttackFigure => JSON.parse(line)).sort((a, b) => a.what.localeCompare(b.what)) }
  } finally {
    rmSync(place, { recursive: true })
  }
}
