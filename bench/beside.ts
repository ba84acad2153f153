/**
 * This commit beside another: `npm run bench -- --beside <folder>`, where the folder is a worktree of the other commit with its packages installed.
 *
 * The benches of this commit measure both. Every round runs a workload in fresh processes of the other commit, of this one, and of the other once
 * more: what the other commit differs from itself is the spread. A figure is worse when its median ratio is outside the spread.
 */
import { execFile } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Figure, median } from './measure.ts'

const run = promisify(execFile)

/** What to compare with, the names of the workloads, how often each is run, and the options passed on to it. */
export interface Comparison {
  readonly folder: string
  readonly workloads: readonly string[]
  readonly rounds: number
  readonly options: readonly string[]
}

/** Prints how this commit compares, workload by workload; returns what is worse. */
export async function compareWith({ folder, workloads, rounds, options }: Comparison): Promise<readonly string[]> {
  const copy = join(resolve(folder), 'bench-beside')
  cpSync(import.meta.dirname, copy, { recursive: true })
  try {
    const worse: string[] = []
    for (const workload of workloads) worse.push(...(await compareWorkload(workload, { copy, rounds, options })))
    return worse
  } finally {
    rmSync(copy, { recursive: true })
  }
}

type Round = Readonly<Record<'other' | 'own' | 'again', ReadonlyMap<string, Figure>>>

async function compareWorkload(workload: string, given: { copy: string; rounds: number; options: readonly string[] }): Promise<readonly string[]> {
  const { copy, rounds, options } = given
  const figuresOf = (folder: string): Promise<ReadonlyMap<string, Figure>> => figuresIn(join(folder, 'main.ts'), ['--only', workload, ...options])
  const measured: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    try {
      const other = await figuresOf(copy)
      measured.push({ other, own: await figuresOf(import.meta.dirname), again: await figuresOf(copy) })
    } catch (error) {
      console.log(`-- ${workload}: not compared, one of the commits cannot run it: ${String(error).split('\n').slice(0, 2).join(' ')}`)
      return []
    }
  }
  return [...(measured[0]?.own.values() ?? [])].flatMap((figure) => judge(figure, measured))
}

/** Runs benches in a process of their own. */
async function figuresIn(program: string, options: readonly string[]): Promise<ReadonlyMap<string, Figure>> {
  const args = ['--conditions=loom-source', program, '--json', ...options]
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1 << 26, env: { ...process.env, NODE_ENV: 'production' } })
  const figures = JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as readonly Figure[]
  return new Map(figures.map((figure) => [nameOf(figure), figure]))
}

const nameOf = ({ workload, what }: Figure): string => `${workload} ${what}`

/** Ratios above 1 are worse, whichever way the figure counts. */
function judge(figure: Figure, measured: readonly Round[]): readonly string[] {
  const name = nameOf(figure)
  const ratios = (side: 'own' | 'again'): readonly number[] =>
    measured.map((round) => {
      const ratio = (round[side].get(name)?.value ?? Number.NaN) / (round.other.get(name)?.value ?? Number.NaN)
      return figure.better === 'lower' ? ratio : 1 / ratio
    })
  const own = median(ratios('own'))
  const spread = Math.max(...ratios('again').map((ratio) => Math.max(ratio, 1 / ratio)))
  const isWorse = own > spread
  const values = (side: keyof Round): string => median(measured.map((round) => round[side].get(name)?.value ?? Number.NaN)).toFixed(2)
  const detail = `${values('own')} ${figure.unit}, other commit ${values('other')}, the spread of that against itself ${spread.toFixed(2)}x`
  console.log(`${isWorse ? 'NO' : 'ok'} ${name}: ${own.toFixed(2)}x  [${detail}; ${measured.length} rounds]`)
  return isWorse ? [name] : []
}
