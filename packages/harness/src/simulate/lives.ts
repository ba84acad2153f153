/** Many random lives: the simulations of consecutive seeds. */
import type { Finding } from '@loom-agent/testing/crash'
import { type SimFault, simFaults } from './faults.ts'
import { simulate } from './simulate.ts'

/** How many lives, from which seed on. */
export interface LivesOptions {
  readonly from: number
  readonly lives: number
  readonly onProgress?: (lives: number) => void
}

/** What was simulated, and what was found. `simulate({ seed })` shows a finding again. */
export interface LivesReport {
  readonly from: number
  readonly lives: number
  /** What happened at crash points. */
  readonly events: number
  readonly struck: Readonly<Record<SimFault, number>>
  readonly findings: readonly Finding[]
}

/** Findings after which no more lives are simulated. */
const mostFindings = 20

/** Simulates lives, one after another. */
export async function simulateLives({ from, lives, onProgress }: LivesOptions): Promise<LivesReport> {
  const struck = Object.fromEntries(simFaults.map((fault) => [fault, 0])) as Record<SimFault, number>
  const findings: Finding[] = []
  let events = 0
  let done = 0
  for (; done < lives && findings.length < mostFindings; done += 1) {
    const life = await simulate({ seed: from + done })
    for (const fault of simFaults) struck[fault] += life.struck[fault]
    events += life.events
    findings.push(...life.found.map((finding) => ({ ...finding, at: `seed ${life.seed}${finding.at === undefined ? '' : `, ${finding.at}`}` })))
    onProgress?.(done + 1)
  }
  return { from, lives: done, events, struck, findings }
}
