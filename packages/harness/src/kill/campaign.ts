/** Many trials on one journal, until enough processes were killed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finding, randomOf } from '@loom-agent/testing/crash'
import type { PostgresServer } from '../servers/postgres-server.ts'
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
  /** Trials that run at the same time; default 3. */
  readonly parallel?: number
  /** Called after each trial. */
  readonly onProgress?: (report: CampaignReport) => void
}

/** What was done, and what was found. */
export interface CampaignReport {
  readonly journal: JournalKind
  readonly seed: number
  readonly kills: { readonly [P in Phase]: number }
  /** Kills, all phases together. */
  readonly cycles: number
  /** Kills before the first append or after the end, which do not count. */
  readonly stray: number
  readonly trials: number
  readonly processes: number
  readonly threads: number
  readonly events: number
  /** Events that clients were notified of. */
  readonly notified: number
  /** Effects in the external world. */
  readonly effects: number
  readonly doubts: number
  readonly questions: number
  readonly torn: number
  readonly findings: readonly Finding[]
  readonly ms: number
}

/** Kills of one trial at most. */
const killsOfATrial = 8
/** Findings after which the campaign ends. */
const mostFindings = 20

/** Kills processes until there were enough kills. The folders of trials with findings are kept. */
export async function killCampaign({ journal, cycles, seed, parallel = 3, onProgress }: CampaignOptions): Promise<CampaignReport> {
  const began = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'loom-kill-'))
  const world = await startWorld()
  const server = journal === 'postgres' ? await startServer() : undefined
  const site = { folder, ...(server && { url: server.url }) }
  const random = randomOf(seed)
  let report = emptyReport(journal, seed)
  const one = async (kills: number): Promise<void> => {
    const trial = await killTrial({ journal, world, ...site, kills, seed: Math.floor(random() * 1e9) })
    report = { ...added(report, trial), ms: performance.now() - began }
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

function emptyReport(journal: JournalKind, seed: number): CampaignReport {
  const nothing = {
    cycles: 0,
    stray: 0,
    trials: 0,
    processes: 0,
    threads: 0,
    events: 0,
    notified: 0,
    effects: 0,
    doubts: 0,
    questions: 0,
    torn: 0,
    ms: 0,
  }
  const kills = Object.fromEntries(phases.map((phase) => [phase, 0])) as { [P in Phase]: number }
  return { journal, seed, kills, findings: [], ...nothing }
}

function added(report: CampaignReport, trial: KillReport): CampaignReport {
  const kills = { ...report.kills }
  for (const phase of trial.kills) kills[phase] += 1
  return {
    ...report,
    kills,
    cycles: report.cycles + trial.kills.length,
    stray: report.stray + trial.stray,
    trials: report.trials + 1,
    processes: report.processes + trial.processes,
    threads: report.threads + trial.threads,
    events: report.events + trial.events,
    notified: report.notified + trial.notified,
    effects: report.effects + trial.effects,
    doubts: report.doubts + trial.doubts,
    questions: report.questions + trial.questions,
    torn: report.torn + trial.torn,
    findings: [...report.findings, ...trial.findings],
  }
}

/** How many kills came in phases of a kind. */
export function killsIn({ kills }: Pick<CampaignReport, 'kills'>, kind: 'append' | 'effect'): number {
  return (kind === 'append' ? insideAppend : afterEffect).reduce((sum, phase) => sum + kills[phase], 0)
}
