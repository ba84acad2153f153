/** Many lives on one journal, until enough processes were killed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresServer } from '../postgres-server.ts'
import { randomOf } from '../power-failure.ts'
import type { Finding } from './finding.ts'
import { type LifeReport, live } from './life.ts'
import { startOutside } from './outside.ts'
import { afterEffect, insideAppend, type Phase, phases } from './phase.ts'
import type { JournalKind } from './place.ts'

/** What is to be done. */
export interface CampaignOptions {
  readonly journal: JournalKind
  /** Kills between the first append and the end of a run. */
  readonly cycles: number
  readonly seed: number
  /** Lives that go on at once. */
  readonly lanes?: number
  /** Told after each life. */
  readonly onProgress?: (report: CampaignReport) => void
}

/** What was done, and what came of it. */
export interface CampaignReport {
  readonly journal: JournalKind
  readonly seed: number
  readonly kills: { readonly [P in Phase]: number }
  /** Kills, all phases together. */
  readonly cycles: number
  /** Kills before the first append or after the end, which do not count. */
  readonly stray: number
  readonly lives: number
  readonly processes: number
  readonly threads: number
  readonly events: number
  /** Events that clients were told of. */
  readonly told: number
  /** Effects that were asked for outside. */
  readonly deeds: number
  readonly doubts: number
  readonly questions: number
  readonly torn: number
  readonly findings: readonly Finding[]
  readonly ms: number
}

/** Kills that a life takes at most. */
const killsOfALife = 8
/** Findings after which there is no point in going on. */
const enough = 20

/** Kills processes until there were enough kills. The folders of lives with findings are kept. */
export async function killCampaign({ journal, cycles, seed, lanes = 3, onProgress }: CampaignOptions): Promise<CampaignReport> {
  const began = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'loom-kill-'))
  const outside = await startOutside()
  const server = journal === 'postgres' ? await startServer() : undefined
  const ground = { folder, ...(server && { url: server.url }) }
  const random = randomOf(seed)
  let report = emptyReport(journal, seed)
  const one = async (kills: number): Promise<void> => {
    const life = await live({ journal, outside, ...ground, kills, seed: Math.floor(random() * 1e9) })
    report = { ...added(report, life), ms: performance.now() - began }
    onProgress?.(report)
  }
  const lane = async (): Promise<void> => {
    while (report.cycles < cycles && report.findings.length < enough) await one(Math.min(killsOfALife, cycles - report.cycles))
  }
  try {
    // Only a process that ends by itself leaves its compiled code behind for the others.
    await one(0)
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    await outside.end()
    await server?.close()
    if (report.findings.length === 0) await rm(folder, { recursive: true })
  }
  return report
}

/** Who does not need a server does not load what starts it. */
async function startServer(): Promise<PostgresServer> {
  const { startPostgresServer } = await import('../postgres-server.ts')
  return startPostgresServer()
}

function emptyReport(journal: JournalKind, seed: number): CampaignReport {
  const nothing = { cycles: 0, stray: 0, lives: 0, processes: 0, threads: 0, events: 0, told: 0, deeds: 0, doubts: 0, questions: 0, torn: 0, ms: 0 }
  const kills = Object.fromEntries(phases.map((phase) => [phase, 0])) as { [P in Phase]: number }
  return { journal, seed, kills, findings: [], ...nothing }
}

function added(report: CampaignReport, life: LifeReport): CampaignReport {
  const kills = { ...report.kills }
  for (const phase of life.kills) kills[phase] += 1
  return {
    ...report,
    kills,
    cycles: report.cycles + life.kills.length,
    stray: report.stray + life.stray,
    lives: report.lives + 1,
    processes: report.processes + life.processes,
    threads: report.threads + life.threads,
    events: report.events + life.events,
    told: report.told + life.told,
    deeds: report.deeds + life.deeds,
    doubts: report.doubts + life.doubts,
    questions: report.questions + life.questions,
    torn: report.torn + life.torn,
    findings: [...report.findings, ...life.findings],
  }
}

/** How many kills came in phases of a kind. */
export function killsIn({ kills }: Pick<CampaignReport, 'kills'>, kind: 'append' | 'effect'): number {
  return (kind === 'append' ? insideAppend : afterEffect).reduce((sum, phase) => sum + kills[phase], 0)
}
