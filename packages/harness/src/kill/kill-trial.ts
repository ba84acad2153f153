/** A trial with real processes: some threads from their start to their end, through as many processes as it takes. */
import { rm } from 'node:fs/promises'
import type { LoomEvent } from '@loom-agent/kernel'
import { type Finding, randomOf } from '@loom-agent/testing/crash'
import { type CallKind, planInput, randomPlan } from '../plan/plan.ts'
import type { Figures } from './figures.ts'
import type { Delays, PlannedThread, PlantedFault, WorkerJob } from './job.ts'
import { judgeProcesses } from './judge-processes.ts'
import { drawMoment, type KillMoment, killAt } from './kill-moment.ts'
import { bits, type Phase, phaseOf } from './phase.ts'
import { type JournalKind, type JournalPlace, makePlace, openJournal, type Site } from './place.ts'
import type { Ending } from './reporter.ts'
import { startWorker, type Worker, type WorkerEnd } from './worker.ts'
import type { WorldServer } from './world-server.ts'

/** What a trial needs. */
export interface KillTrialOptions extends Site {
  readonly journal: JournalKind
  readonly seed: number
  readonly world: WorldServer
  /** Kills after which the threads run undisturbed. */
  readonly kills: number
  readonly faults?: readonly PlantedFault[]
  /** How long things take; by default some take a moment. */
  readonly delays?: Delays
  /** What is known of the moments to kill; the rest is drawn. */
  readonly moment?: Partial<KillMoment>
  /** One run with these calls only, each in a turn of its own. */
  readonly calls?: readonly CallKind[]
  /** What happens to the server meanwhile. */
  readonly serverFault?: ServerFault
}

/** What happens to the server while processes run. */
export interface ServerFault {
  /** Called whenever the bits of a process change. */
  phase(mask: number): void
  /** Resolves when the server is available again. */
  over(): Promise<void>
}

/** What became of a trial. */
export interface KillReport extends Figures {
  /** The phases in which processes were killed, between the first append and the end of the run. */
  readonly kills: readonly Phase[]
}

/** Milliseconds after which a process that reports nothing more counts as stuck. */
const patience = 30_000

interface State {
  readonly trial: string
  readonly options: KillTrialOptions
  readonly random: () => number
  readonly threads: readonly PlannedThread[]
  readonly kills: Phase[]
  readonly notified: LoomEvent[]
  readonly findings: Finding[]
  stray: number
  processes: number
  torn: number
  /** Whether anything was appended yet. */
  started: boolean
  endings: readonly Ending[]
}

/** Runs some threads, kills their processes, and judges what is left. */
export async function killTrial(options: KillTrialOptions): Promise<KillReport> {
  const { journal: kind, seed, world } = options
  const trial = `${kind}-${seed}`
  const place = await makePlace(kind, trial, options)
  const state = stateOf(trial, options)
  while (await runProcess(state, place));
  await options.serverFault?.over()
  const effects = world.take(trial)
  const journal = await openJournal(place)
  const judgement = await judgeProcesses({ ...state, journal, effects })
  await journal.close()
  const findings = [...state.findings, ...judgement.findings]
  // A journal with findings is kept.
  if ('folder' in place && (findings.length === 0 || options.faults)) await rm(place.folder, { recursive: true })
  const { kills, stray, processes, torn, notified } = state
  return { ...judgement, findings, kills, stray, processes, torn, notified: notified.length, effects: effects.length }
}

function stateOf(trial: string, options: KillTrialOptions): State {
  const random = randomOf(options.seed)
  const { calls = [] } = options
  const threads = Array.from({ length: calls.length > 0 ? 1 : 1 + Math.floor(random() * 3) }, (_, index) => {
    const plan = calls.length > 0 ? { turns: calls.map((kind) => [{ kind, ticks: 0 }]) } : randomPlan(random, random() < 0.2)
    return { thread: `${trial}-${index + 1}`, input: planInput(plan) }
  })
  const nothing = { stray: 0, processes: 0, torn: 0, started: false, endings: [] }
  return { trial, options, random, threads, kills: [], notified: [], findings: [], ...nothing }
}

/** One process of the trial; returns whether another is needed. */
async function runProcess(state: State, place: JournalPlace): Promise<boolean> {
  const { trial, options, random } = state
  const { world, faults = [] } = options
  const isSpared = state.kills.length >= options.kills
  state.processes += 1
  const job: WorkerJob = {
    trial,
    process: state.processes,
    place,
    port: world.port,
    threads: state.threads,
    start: random() < 0.3 ? 'recover' : 'resume',
    attended: isSpared || random() < 0.8,
    delays: options.delays ?? { before: random() < 0.3 ? 1 : 0, after: 2 },
    faults,
  }
  const moment = drawMoment(random, options.moment)
  const watch = isSpared ? () => {} : killAt(moment, () => worker.signal('SIGKILL'))
  const worker = startWorker(job, (mask) => {
    watch(mask)
    options.serverFault?.phase(mask)
  })
  const end = await endOf(state, worker)
  await world.gone(`${trial}/${state.processes}`)
  return isUnfinished(state, end)
}

async function endOf({ findings, trial }: State, worker: Worker): Promise<WorkerEnd> {
  let isStuck = false
  const timer = setTimeout(() => {
    isStuck = true
    worker.signal('SIGKILL')
  }, patience)
  const end = await worker.gone
  clearTimeout(timer)
  const last = `its last report was ${phaseOf(end.mask)} (${end.mask})`
  if (isStuck) findings.push({ kind: 'stuck', at: trial, message: `a process did not end within ${patience / 1000} seconds; ${last}` })
  return end
}

/** Records what became of a process; returns whether another is needed. */
function isUnfinished(state: State, { mask, signal, notified, torn, failure, endings }: WorkerEnd): boolean {
  const { findings, trial, options } = state
  state.notified.push(...notified)
  state.torn += torn
  state.started ||= (mask & bits.started) !== 0
  if (failure !== undefined) findings.push({ kind: 'failed', at: trial, message: failure })
  if (signal !== null) {
    if (state.started && (mask & bits.over) === 0 && mask !== 0) state.kills.push(phaseOf(mask))
    else state.stray += 1
  }
  state.endings = endings ?? state.endings
  if (findings.length > 0) return false
  const isOver = endings?.every(({ status }) => status === 'done' || status === 'failed' || status === 'stopped') === true
  if (isOver) return false
  if (state.processes < options.kills * 3 + 20) return true
  findings.push({ kind: 'stuck', at: trial, message: `${state.processes} processes did not bring it to an end` })
  return false
}
