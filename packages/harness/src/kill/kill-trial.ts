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
  /** Processes that drive at the same time, each a share of the threads; they share the world, as they share the journal. Default: 1. */
  readonly together?: number
  /** The last of these processes recovers once the first has started its threads, and takes those that the first has not taken yet. */
  readonly takesOver?: boolean
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
  /** Effects of threads that another process had started at the same time. */
  readonly taken: number
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
  /** How each thread ended last, as its process has reported. */
  readonly endings: Map<string, Ending>
  /** The processes that each thread was given to. */
  readonly given: Map<string, Set<number>>
}

/** Runs some threads, kills their processes, and judges what is left. */
export async function killTrial(options: KillTrialOptions): Promise<KillReport> {
  const { journal: kind, seed, world } = options
  const trial = `${kind}-${seed}`
  const place = await makePlace(kind, trial, options)
  const state = stateOf(trial, options)
  const { together = 1, takesOver = false } = options
  const firstStarted = Promise.withResolvers<void>()
  const drive = async (share: number): Promise<void> => {
    if (takesOver && share > 0) await firstStarted.promise
    while (await runProcess(state, place, { share, onStarted: firstStarted.resolve }));
  }
  await Promise.all(Array.from({ length: together }, (_, share) => drive(share)))
  await options.serverFault?.over()
  const effects = world.take(trial)
  const journal = await openJournal(place)
  const judgement = await judgeProcesses({ ...state, endings: [...state.endings.values()], journal, effects, isConcurrent: together > 1 })
  await journal.close()
  const findings = [...state.findings, ...judgement.findings]
  // A journal with findings is kept.
  if ('folder' in place && (findings.length === 0 || options.faults)) await rm(place.folder, { recursive: true })
  const { kills, stray, processes, torn, notified } = state
  const taken = effects.filter(({ thread, process }) => state.given.get(thread)?.has(process) === false).length
  return { ...judgement, findings, kills, taken, stray, processes, torn, notified: notified.length, effects: effects.length }
}

function stateOf(trial: string, options: KillTrialOptions): State {
  const random = randomOf(options.seed)
  const { calls = [], together = 1 } = options
  const threads = Array.from({ length: together * (calls.length > 0 ? 1 : 1 + Math.floor(random() * 3)) }, (_, index) => {
    const plan = calls.length > 0 ? { turns: calls.map((kind) => [{ kind, ticks: 0 }]) } : randomPlan(random, random() < 0.2)
    return { thread: `${trial}-${index + 1}`, input: planInput(plan) }
  })
  const nothing = { stray: 0, processes: 0, torn: 0, started: false, endings: new Map(), given: new Map() }
  return { trial, options, random, threads, kills: [], notified: [], findings: [], ...nothing }
}

/** Which of the processes at the same time it is, and what is called when it has started something. */
interface Share {
  readonly share: number
  readonly onStarted: () => void
}

/** One process of the trial; returns whether another is needed. */
async function runProcess(state: State, place: JournalPlace, { share, onStarted }: Share): Promise<boolean> {
  const { trial, options, random } = state
  const { world, faults = [], together = 1, takesOver = false } = options
  const isSpared = state.kills.length >= options.kills
  state.processes += 1
  const process = state.processes
  const threads = state.threads.filter((_, index) => index % together === share)
  for (const { thread } of threads) state.given.set(thread, (state.given.get(thread) ?? new Set()).add(process))
  const drawn = random() < 0.3 ? 'recover' : 'resume'
  const isFirst = takesOver && share === 0
  const job: WorkerJob = {
    trial,
    process,
    place,
    port: world.port,
    threads,
    start: takesOver ? (isFirst ? 'resume' : 'recover') : drawn,
    ...(isFirst && { yields: true }),
    attended: isSpared || random() < 0.8,
    delays: options.delays ?? { before: random() < 0.3 ? 1 : 0, after: 2 },
    faults,
  }
  const moment = drawMoment(random, options.moment)
  const watch = isSpared ? () => {} : killAt(moment, () => worker.signal('SIGKILL'))
  const worker = startWorker(job, (mask) => {
    watch(mask)
    if (mask & bits.started) onStarted()
    options.serverFault?.phase(mask)
  })
  const end = await endOf(state, worker)
  onStarted()
  await world.gone(`${trial}/${process}`)
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
  for (const ending of endings ?? []) state.endings.set(ending.thread, ending)
  if (findings.length > 0) return false
  const isOver = endings?.every(({ status }) => status === 'done' || status === 'failed' || status === 'stopped') === true
  if (isOver) return false
  if (state.processes < options.kills * 3 + 20) return true
  findings.push({ kind: 'stuck', at: trial, message: `${state.processes} processes did not bring it to an end` })
  return false
}
