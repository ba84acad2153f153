/** A trial: one storage, one external world, and processes that run one after another until everything has come to its end. */
import type { AnyAgent, Question } from '@loom-agent/agent'
import type { EventType, Journal } from '@loom-agent/kernel'
import { alwaysReplay } from '../given/modes.ts'
import { checkPairing } from '../history/check-pairing.ts'
import { type CrashPoint, crashPointText } from './crash-point.ts'
import { createEffectLog, type EffectLog, textOf } from './effect-log.ts'
import { worldView } from './external-world.ts'
import type { Finding } from './finding.ts'
import { type InstrumentedAgent, instrument } from './instrument.ts'
import { createJournalAudit, type JournalAudit } from './journal-audit.ts'
import { processJournal } from './process-journal.ts'
import { createRecord, eventsOf, type TrialRecord, threadsOf } from './record.ts'
import type { CrashScenario, ProcessContext } from './scenario.ts'
import { createProcess, type SimulatedProcess } from './simulated-process.ts'
import { createMarks, createUser } from './simulated-user.ts'
import type { CrashStorage } from './storage.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

/** How a trial is run. */
export interface TrialOptions {
  /** Where the journal is kept. */
  readonly storage: CrashStorage
  /** The crash point at which each process dies; the one after the last lives to the end. */
  readonly crashes?: readonly number[]
  /** The thread on which the scenario is played; default `t`. */
  readonly thread?: string
  /** Milliseconds of real time that tools may need; default 0. */
  readonly patience?: number
  /** After every commit the live frame is compared with the fold of the journal, and replaced by it. */
  readonly replay?: boolean
  /** New processes recover unfinished threads by themselves before anything is asked of them. */
  readonly recover?: boolean
}

/** The record of a trial in simulated processes. */
export interface Trial extends TrialRecord {
  /** Where processes died. */
  readonly crashes: readonly CrashPoint[]
  /** The crash points that the last process has passed. */
  readonly passed: readonly CrashPoint[]
}

/** What observes simulated processes: one virtual time, one effect log, one audit of the journal. */
export interface TrialObserver {
  /** The clock of all processes. */
  readonly time: VirtualTime
  /** What bodies and the external world did. */
  readonly log: EffectLog
  /** What the journal acknowledged. */
  readonly audit: JournalAudit
  /** What was found while processes ran. */
  readonly found: Finding[]
  /** Whether the live frame is compared with the fold of the journal after every commit. */
  readonly replay: boolean
}

/** An observer of processes that have not started. */
export function createObserver({ patience = 0, replay = false }: Pick<TrialOptions, 'patience' | 'replay'>): TrialObserver {
  return { time: createVirtualTime(patience), log: createEffectLog(), audit: createJournalAudit(), found: [], replay }
}

/** An agent in a simulated process; what it does wrong at once is found at once. */
export function instrumented(
  agent: AnyAgent,
  observer: TrialObserver,
  { process, journal }: { process: SimulatedProcess; journal: Journal },
): InstrumentedAgent {
  const { log, audit, found, replay } = observer
  return instrument(agent, {
    journal,
    ports: { clock: process.clock, ids: process.ids, random: () => 0, ...(replay && alwaysReplay(journal)) },
    instruments: {
      process,
      log,
      checkIntent(thread, intent) {
        if (!audit.isIntended(thread, intent)) found.push({ kind: 'early', at: thread, message: `${intent} began without a durable intent` })
      },
      checkRequest(prompt) {
        for (const message of checkPairing(prompt as Parameters<typeof checkPairing>[0])) found.push({ kind: 'pairing', message })
      },
    },
  })
}

interface State<W extends object> {
  readonly scenario: CrashScenario<W>
  readonly options: TrialOptions
  readonly thread: string
  readonly observer: TrialObserver
  readonly world: W
  readonly resolved: Set<string>
  readonly asked: Map<string, Question>
  /** Names under which processes that are gone held threads. */
  readonly gone: Set<string>
}

/** Runs a scenario to its end. Never rejects: what goes wrong is a finding. */
export async function runTrial<W extends object>(scenario: CrashScenario<W>, options: TrialOptions): Promise<Trial> {
  const observer = createObserver(options)
  const shared = { resolved: new Set<string>(), asked: new Map<string, Question>(), gone: new Set<string>() }
  const state: State<W> = { scenario, options, thread: options.thread ?? 't', observer, world: scenario.world(), ...shared }
  const crashes: CrashPoint[] = []
  let passed: readonly CrashPoint[] = []
  for (const crash of [...(options.crashes ?? []), undefined]) {
    passed = await runProcess(state, crashes.length, crash)
    const last = passed.at(-1)
    if (last === undefined || last.number !== crash) break
    crashes.push(last)
  }
  return { ...(await recordOf(state)), crashes, passed }
}

/** One process, from its start to its death or to the end of everything; returns the crash points that it reached. */
async function runProcess<W extends object>(state: State<W>, number: number, crash: number | undefined): Promise<readonly CrashPoint[]> {
  const { options, gone } = state
  const { time, found } = state.observer
  const process = createProcess({
    number,
    clock: time.clock,
    progressed: time.progressed,
    fate: (point) => (point.number === crash ? 'die' : 'live'),
  })
  const workers = new Set<string>()
  const opened = await options.storage.open()
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  void process.died.then(end)
  const playing = play(state, { process, opened, workers }).catch((error: unknown) => {
    if (!process.isDead()) found.push({ kind: 'failed', message: `process ${number} failed: ${messageOf(error)}` })
  })
  void playing.then(end)
  if (!(await time.until(() => isOver, { process }))) {
    const last = process.passed.at(-1)
    found.push({ kind: 'stuck', message: `process ${number} makes no progress${last ? `; its last crash point was ${crashPointText(last)}` : ''}` })
  }
  await time.quiet(process)
  process.kill()
  for (const worker of workers) gone.add(worker)
  await options.storage.abandon(opened)
  return process.passed
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Started {
  readonly process: SimulatedProcess
  readonly opened: Journal
  readonly workers: Set<string>
}

async function play<W extends object>(state: State<W>, { process, opened, workers }: Started): Promise<void> {
  const { scenario, options, thread, observer, world, resolved, asked, gone } = state
  const { time, log, audit, found } = observer
  const journal = processJournal(opened, {
    process,
    time,
    audit,
    isGone: (worker) => gone.has(worker),
    named: (worker) => workers.add(worker),
  })
  const marks = createMarks()
  const context: ProcessContext<W> = {
    journal,
    world: worldView(world, process, log),
    process: process.number,
    seen: (type) => untilSeen(journal, thread, type),
    mark: marks.emit,
  }
  const agent = instrumented(scenario.agent(context), observer, { process, journal })
  if (options.recover && process.number > 0) agent.recover().catch((error: unknown) => found.push({ kind: 'failed', message: messageOf(error) }))
  await scenario.play(createUser({ scenario, thread, agent, journal, process, log, resolved, asked, seesWorld: isVisible(world), marks }))
}

/** A world without methods or data shows nothing. */
const isVisible = (world: object): boolean => Reflect.ownKeys(world).length > 0 || Object.getPrototypeOf(world) !== Object.prototype

async function untilSeen(journal: Journal, thread: string, type: EventType): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    if ((await eventsOf(journal, thread)).some((event) => event.type === type)) resolve()
  }
  const unwatch = journal.watch(thread, () => void look())
  await look()
  await promise
  unwatch()
}

async function recordOf<W extends object>({ scenario, options, world, observer, resolved, asked }: State<W>): Promise<TrialRecord> {
  const opened = await options.storage.open()
  const threads = await threadsOf(opened)
  await options.storage.abandon(opened)
  await options.storage.discard?.()
  const { log, audit, found } = observer
  return createRecord({
    threads,
    executions: log.executions,
    worldCalls: log.worldCalls,
    world: textOf(scenario.observe ? scenario.observe(world) : world),
    acknowledged: audit.acknowledged,
    resolved,
    asked,
    found: [...found, ...audit.found],
  })
}
