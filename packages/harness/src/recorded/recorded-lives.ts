/**
 * Random lives as recorded tests: each life is simulated, its threads are written as fixtures, read again, and replayed with an agent that has not changed.
 *
 * LIVES-1. An agent that has not changed never fails: whatever hooks, deaths, stops, parallel calls and skipped calls a life has, its test is green.
 * LIVES-2. A thread that cannot be replayed is refused when it is written with its agent: it is counted and named.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { memoryJournal } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { isLoomError, readEvents } from '@loom-agent/kernel'
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

/** What was recorded and replayed, each alarm, and each thread that was refused. */
export interface RecordedReport {
  readonly from: number
  readonly lives: number
  readonly counts: RecordedCounts
  readonly refused: readonly Finding[]
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
  const refused: Finding[] = []
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
      const failure = await failureOf(journal, thread, { folder: join(folder, String(seed)), hooks })
      if (failure === undefined) continue
      const isRefused = isLoomError(failure) && failure.code === 'LOOM_THREAD_NOT_REPLAYABLE'
      const message = failure instanceof Error ? failure.message : String(failure)
      ;(isRefused ? refused : findings).push({ kind: 'failed', at: `seed ${seed}, ${thread}, hooks ${hooks}`, message })
    }
    await rm(join(folder, String(seed)), { recursive: true, force: true })
    onProgress?.(done + 1)
  }
  await rm(folder, { recursive: true, force: true })
  return { from, lives: done, counts: total, refused, findings }
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

/** Writes a thread and replays what was written; returns what was thrown, if anything was. What does not replay is written once more, with its agent. */
async function failureOf(journal: Journal, thread: string, { folder, hooks }: { folder: string; hooks: PlanHooks }): Promise<unknown> {
  const value = planAgent({ world: noWorld, journal: memoryJournal(), hooks, pairs: true })
  const options = { folder, name: thread, agent: { module: './agent.ts', export: 'root' } }
  try {
    await assertSameRun(value, pathToFileURL((await writeRegression(journal, thread, options)).journal))
    return undefined
  } catch (error) {
    const checked = { ...options, agent: { ...options.agent, value }, overwrite: true }
    return writeRegression(journal, thread, checked).then(
      () => error,
      (refusal: unknown) => refusal,
    )
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
