/** A trial: one storage, one external world, and processes that run one after another until everything has come to its end. */
import { EventEmitter } from 'node:events'
import type { Question } from '@loom-agent/agent'
import { loadOnUse } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { type CrashPoint, crashPointText } from './crash-point.ts'
import { worldView } from './external-world.ts'
import { instrument } from './instrument.ts'
import { createObserver, type ObserverOptions, observedRecord, type TrialObserver } from './observer.ts'
import { processJournal } from './process-journal.ts'
import { eventsOf, type TrialRecord, untilThread } from './record.ts'
import type { CrashScenario, ProcessContext } from './scenario.ts'
import { createProcess, type SimulatedProcess } from './simulated-process.ts'
import { createUser } from './simulated-user.ts'
import type { CrashStorage } from './storage.ts'

/** How a trial is run. */
export interface TrialOptions extends ObserverOptions {
  /** Where the journal is kept. */
  readonly storage: CrashStorage
  /** The crash point at which each process dies; the one after the last lives to the end. */
  readonly crashes?: readonly number[]
  /** The thread on which the scenario is played; default `t`. */
  readonly thread?: string
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

interface State<W extends object> {
  readonly scenario: CrashScenario<W>
  readonly options: TrialOptions
  readonly thread: string
  readonly observer: TrialObserver
  readonly world: W
  readonly resolved: Set<string>
  readonly asked: Map<string, Question>
}

/** Runs a scenario to its end. Never rejects: what goes wrong is a finding. */
export async function runTrial<W extends object>(scenario: CrashScenario<W>, options: TrialOptions): Promise<Trial> {
  // A process that waits for code makes no progress, and would count as stuck.
  await loadOnUse()
  const observer = createObserver(options)
  const { thread = 't', storage } = options
  const state: State<W> = { scenario, options, thread, observer, world: scenario.world(), resolved: new Set(), asked: new Map() }
  const crashes: CrashPoint[] = []
  let passed: readonly CrashPoint[] = []
  for (const crash of [...(options.crashes ?? []), undefined]) {
    passed = await runProcess(state, crashes.length, crash)
    const last = passed.at(-1)
    if (last === undefined || last.number !== crash) break
    crashes.push(last)
  }
  const seen = scenario.observe ? scenario.observe(state.world) : state.world
  const record = await observedRecord(observer, storage, { world: seen, resolved: state.resolved, asked: state.asked })
  await storage.discard?.()
  return { ...record, crashes, passed }
}

/** One process, from its start to its death or to the end of everything; returns the crash points that it reached. */
async function runProcess<W extends object>(state: State<W>, number: number, crash: number | undefined): Promise<readonly CrashPoint[]> {
  const { storage } = state.options
  const { time, found } = state.observer
  const process = createProcess({
    number,
    clock: time.clock,
    progressed: time.progressed,
    fate: (point) => (point.number === crash ? 'die' : 'live'),
  })
  const opened = await storage.open()
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  void process.died.then(end)
  const playing = play(state, process, opened).catch((error: unknown) => {
    if (!process.isDead()) found.push({ kind: 'failed', message: `process ${number} failed: ${messageOf(error)}` })
  })
  void playing.then(end)
  if (!(await time.until(() => isOver, { process }))) {
    const last = process.passed.at(-1)
    found.push({ kind: 'stuck', message: `process ${number} makes no progress${last ? `; its last crash point was ${crashPointText(last)}` : ''}` })
  }
  await time.quiet(process)
  process.kill()
  await storage.abandon(opened)
  return process.passed
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function play<W extends object>(state: State<W>, process: SimulatedProcess, opened: Journal): Promise<void> {
  const { scenario, options, thread, observer, world, resolved, asked } = state
  const { log, found } = observer
  const journal = processJournal(opened, { process, observer, isGone: (number) => number < process.number })
  const marks = { emitted: new Set<string>(), emitter: new EventEmitter() }
  const context: ProcessContext<W> = {
    journal,
    world: worldView(world, process, log),
    process: process.number,
    seen: (type) => untilThread(journal, thread, async () => (await eventsOf(journal, thread)).some((event) => event.type === type)),
    mark(name) {
      marks.emitted.add(name)
      marks.emitter.emit('mark')
    },
  }
  const agent = instrument(scenario.agent(context), observer, { process, journal })
  if (options.recover && process.number > 0) agent.recover().catch((error: unknown) => found.push({ kind: 'failed', message: messageOf(error) }))
  await scenario.play(createUser({ scenario, thread, agent, journal, process, log, resolved, asked, seesWorld: isVisible(world), marks }))
}

/** A world without methods or data shows nothing. */
const isVisible = (world: object): boolean => Reflect.ownKeys(world).length > 0 || Object.getPrototypeOf(world) !== Object.prototype
