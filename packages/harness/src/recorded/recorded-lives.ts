/**
 * Random lives as recorded tests: each life is simulated, its threads are written as fixtures, read again, and replayed with an agent that has not changed.
 *
 * LIVES-1. An agent that has not changed never fails: whatever hooks, deaths, stops, parallel calls and skipped calls a life has, its test is green.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { memoryJournal } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { readEvents } from '@loom-agent/kernel'
import { assertSameRun, writeRegression } from '@loom-agent/testing'
import type { Finding } from '@loom-agent/testing/crash'
import { type PlanHooks, planAgent } from '../plan/plan-agent.ts'
import type { PlanWorld } from '../plan/plan-tools.ts'
import type { LivesOptions } from '../simulate/lives.ts'
import { simulate } from '../simulate/simulate.ts'

/** What was in the recorded threads. */
export interface RecordedCounts {
  readonly threads: number
  readonly events: number
  /** Drivers, and calls of tools and models whose driver was lost. */
  readonly drivers: number
  readonly lost: number
  readonly stops: number
  /** Replies with several calls. */
  readonly parallel: number
  readonly skipped: number
}

/** What was recorded and replayed, and each alarm. */
export interface RecordedReport {
  readonly from: number
  readonly lives: number
  readonly counts: RecordedCounts
  readonly findings: readonly Finding[]
}

const hookKinds: readonly PlanHooks[] = ['skip', 'none', 'change', 'skip', 'look']
/** Findings after which no more lives are recorded. */
const mostFindings = 20
/** Nothing of the world is used in a replay. */
const noWorld: PlanWorld = { perform: () => undefined, has: () => false, tick: async () => {} }

/** Records and replays lives, one after another. */
export async function recordLives({ from, lives, onProgress }: LivesOptions): Promise<RecordedReport> {
  const folder = await mkdtemp(join(tmpdir(), 'loom-recorded-'))
  const findings: Finding[] = []
  const total = { threads: 0, events: 0, drivers: 0, lost: 0, stops: 0, parallel: 0, skipped: 0 }
  let done = 0
  for (; done < lives && findings.length < mostFindings; done += 1) {
    const seed = from + done
    const hooks = hookKinds[seed % hookKinds.length] ?? 'none'
    const journal = await lifeOf(seed, hooks)
    for (const { thread, summary } of await journal.threads()) {
      for await (const event of readEvents(journal, thread)) countEvent(total, event)
      if (summary.parent !== undefined) continue
      total.threads += 1
      const alarm = await replayed(journal, thread, { folder: join(folder, String(seed)), hooks })
      if (alarm !== undefined) findings.push({ kind: 'failed', at: `seed ${seed}, ${thread}, hooks ${hooks}`, message: alarm })
    }
    await rm(join(folder, String(seed)), { recursive: true, force: true })
    onProgress?.(done + 1)
  }
  await rm(folder, { recursive: true, force: true })
  return { from, lives: done, counts: total, findings }
}

/** The journal that a life has left. */
async function lifeOf(seed: number, hooks: PlanHooks): Promise<Journal> {
  const journals: Journal[] = []
  const storage = (): { open: () => Journal; abandon: () => void } => {
    const journal = memoryJournal()
    journals.push(journal)
    return { open: () => journal, abandon: () => {} }
  }
  await simulate({ seed, hooks, journal: storage })
  return journals[0] as Journal
}

/** Writes a thread and replays what was written; returns the alarm, if there is one. */
async function replayed(journal: Journal, thread: string, { folder, hooks }: { folder: string; hooks: PlanHooks }): Promise<string | undefined> {
  const root = planAgent({ world: noWorld, journal: memoryJournal(), hooks, pairs: true })
  try {
    const written = await writeRegression(journal, thread, { folder, name: thread, agent: { module: './agent.ts', export: 'root' } })
    await assertSameRun(root, pathToFileURL(written.journal))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function countEvent(total: Record<keyof RecordedCounts, number>, { type, data }: LoomEvent): void {
  total.events += 1
  if (type === 'driver.acquired') total.drivers += 1
  if (type === 'tool.in-doubt' || (type === 'model.failed' && data.error.code === 'LOOM_MODEL_LOST')) total.lost += 1
  if (type === 'run.stop-requested') total.stops += 1
  if (type === 'model.replied' && data.parts.filter((part) => part.type === 'call').length > 1) total.parallel += 1
  if (type === 'tool.finished' && (data.errorType === 'skipped' || data.meta?.['answered'] === true)) total.skipped += 1
}
