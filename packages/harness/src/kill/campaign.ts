/** Many trials on one journal, until enough processes were killed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomOf } from '@loom-agent/testing/crash'
import type { PostgresServer } from '../servers/postgres-server.ts'
import { type Figures, sumOf } from './figures.ts'
import { type KillReport, killTrial } from './kill-trial.ts'
import { afterEffect, insideAppend, type Phase, phases } from './phase.ts'
import type { JournalKind } from './place.ts'
import { startWorld } from './world-server.ts'

/** What is to be done. */
export interface CampaignOptions {
  readonly journal: JournalKind
  /** Kills between the first append and the end of a run. */
  readonly cycles: number
  readonly seed: number
  /** Called after each trial. */
  readonly onProgress?: (report: CampaignReport) => void
}

/** What was done, and what was found. */
export interface CampaignReport extends Figures {
  readonly journal: JournalKind
  readonly seed: number
  readonly kills: { readonly [P in Phase]: number }
  /** Kills, all phases together. */
  readonly cycles: number
  readonly trials: number
  readonly ms: number
}

/** Kills of one trial at most. */
const killsOfATrial = 8
/** Trials that run at the same time. */
const parallel = 3
/** Findings after which the campaign ends. */
const mostFindings = 20

/** Kills processes until there were enough kills. The folders of trials with findings are kept. */
export async function killCampaign({ journal, cycles, seed, onProgress }: CampaignOptions): Promise<CampaignReport> {
  const began = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'loom-kill-'))
  const world = await startWorld()
  const server = journal === 'postgres' ? await startServer() : undefined
  const site = { folder, ...(server && { url: server.url }) }
  const random = randomOf(seed)
  const trials: KillReport[] = []
  const reportNow = (): CampaignReport => {
    const phasesHit = trials.flatMap(({ kills }) => kills)
    const kills = Object.fromEntries(phases.map((phase) => [phase, phasesHit.filter((hit) => hit === phase).length])) as CampaignReport['kills']
    return { ...sumOf(trials), journal, seed, kills, cycles: phasesHit.length, trials: trials.length, ms: performance.now() - began }
  }
  let report = reportNow()
  const one = async (kills: number): Promise<void> => {
    trials.push(await killTrial({ journal, world, ...site, kills, seed: Math.floor(random() * 1e9) }))
    report = reportNow()
    onProgress?.(report)
  }
  const several = async (): Promise<void> => {
    while (report.cycles < cycles && report.findings.length < mostFindings) await one(Math.min(killsOfATrial, cycles - report.cycles))
  }
  try {
    // Only a process that ends by itself fills the compile cache for the others.
    await one(0)
    await Promise.all(Array.from({ length: parallel }, several))
  } finally {
    await world.end()
    await server?.close()
    if (report.findings.length === 0) await rm(folder, { recursive: true })
  }
  return report
}

/** Loaded on use: most campaigns need no server. */
async function startServer(): Promise<PostgresServer> {
  const { startPostgresServer } = await import('../servers/postgres-server.ts')
  return startPostgresServer()
}

/** How many kills came in phases of a kind. */
export function killsIn({ kills }: Pick<CampaignReport, 'kills'>, kind: 'append' | 'effect'): number {
  return (kind === 'append' ? insideAppend : afterEffect).reduce((sum, phase) => sum + kills[phase], 0)
}
