/** What it costs to install and import the umbrella. */
import { spawnSync } from 'node:child_process'
import { globSync, lstatSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { attempt, type Row } from './row.ts'

const mostPackages = 8
const mostMegabytes = 8
const mostMilliseconds = 25
const rounds = 31

/** Measures a project that has the umbrella and nothing else. */
export async function measure(project: string): Promise<readonly Row[]> {
  return [
    await attempt('size', 'packages installed with the umbrella', () => atMost(packagesIn(project), mostPackages, '')),
    await attempt('size', 'MB installed with the umbrella', () => atMost(megabytesIn(project), mostMegabytes, ' MB')),
    await attempt('time', `import of the umbrella over bare node, median of ${rounds}`, () => importTime(project)),
  ]
}

const atMost = (value: number, most: number, unit: string): string => {
  const said = `${Number.isInteger(value) ? value : value.toFixed(1)}${unit} (at most ${most})`
  if (value > most) throw new Error(said)
  return said
}

const packagesIn = (project: string): number => globSync('node_modules/{*,@*/*}/package.json', { cwd: project }).length

const megabytesIn = (project: string): number =>
  globSync('node_modules/**', { cwd: project })
    .map((path) => lstatSync(join(project, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0) /
  1024 /
  1024

interface Times {
  readonly wall: number
  readonly cpu: number
}

/** Runs a program in a process of its own. It prints its CPU time when it ends. */
function timed(project: string, code: string): Times {
  const program = `${code}; const { user, system } = process.cpuUsage(); console.log(user + system)`
  const began = performance.now()
  const { stdout, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: project, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return { wall: performance.now() - began, cpu: Number(stdout) / 1000 }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Whether other programs would disturb the measurement. */
const isBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism() * 0.75

/** Bare node and the import alternate, so that other load on the machine affects both. */
function importTime(project: string): string {
  const pairs = Array.from({ length: rounds }, () => ({ bare: timed(project, ''), loom: timed(project, "await import('loom-agent')") }))
  const over = (key: keyof Times): number => median(pairs.map(({ bare, loom }) => loom[key] - bare[key]))
  const unit = ` ms of wall time, ${over('cpu').toFixed(1)} ms of CPU`
  return isBusy() ? `${over('wall').toFixed(1)}${unit}; not judged, the machine is busy` : atMost(over('wall'), mostMilliseconds, unit)
}
