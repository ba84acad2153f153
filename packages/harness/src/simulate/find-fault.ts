/** Looks for a fault that is planted in the sources: the lives of a process that has loaded it must break a law. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Finding } from '@loom-agent/testing/crash'
import { type LivenessFault, programWith } from '../source-faults/source-fault.ts'
import { spunSeed } from './spin.ts'

/** Where a fault showed: the seed of the first life that broke a law, and how. Nothing is found when no life did. */
export interface FaultReport {
  readonly fault: LivenessFault
  readonly seed: number
  readonly found: readonly Finding[]
}

const run = promisify(execFile)

/** Simulates so many lives at most, from a seed on, with a fault in the sources. */
export async function findFault(fault: LivenessFault, { from, lives }: { readonly from: number; readonly lives: number }): Promise<FaultReport> {
  const { args, env } = programWith(import.meta.url, 'lives-process', fault)
  const { stdout, spun } = await run(process.execPath, [...args, JSON.stringify({ from, lives })], { env, maxBuffer: 1e8 }).then(
    (ended) => ({ ...ended, spun: undefined }),
    (error: Error & { readonly stderr?: string }) => {
      const seed = spunSeed(error.stderr ?? '')
      if (seed === undefined) throw error
      return { stdout: '', spun: seed }
    },
  )
  if (spun !== undefined) return { fault, seed: spun, found: [{ kind: 'stuck', message: 'it spins' }] }
  return { fault, ...(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Pick<FaultReport, 'seed' | 'found'>) }
}
