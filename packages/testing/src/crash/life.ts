/** A life: one storage, one outside, and processes that come one after another until everything has come to its end. */
import type { Question } from '@loom-agent/agent'
import type { EventType, Journal, LoomEvent } from '@loom-agent/kernel'
import { checkPairing } from '../history/check-pairing.ts'
import { alwaysReplay } from '../modes.ts'
import { type Boundary, boundaryText } from './boundary.ts'
import { createEffectBook, type EffectBook, textOf } from './effect-book.ts'
import type { Finding } from './finding.ts'
import { instrument } from './instrument.ts'
import { createProcess, type MortalProcess } from './mortal-process.ts'
import { outsideView } from './outside.ts'
import { createPace, type Pace } from './pace.ts'
import { processJournal } from './process-journal.ts'
import type { CrashScenario, Scene } from './scenario.ts'
import { stableHash } from './stable-hash.ts'
import { createStage, createWords, eventsOf } from './stage.ts'
import { type CrashStorage, trackedJournal } from './storage.ts'
import { type Transcript, transcriptOf } from './transcript.ts'
import { createWitness, type Witness, witnessedJournal } from './witness.ts'

/** How a life goes. */
export interface LifeOptions {
  readonly storage: CrashStorage
  /** The boundary at which each process dies; the one after the last lives to the end. */
  readonly deaths?: readonly number[]
  /** Milliseconds of real time that tools may need. */
  readonly patience?: number
  /** After every commit the live frame is compared with the fold of the journal, and replaced by it. */
  readonly replay?: boolean
  /** New processes look for unfinished threads by themselves before anybody asks. */
  readonly recover?: boolean
}

/** What a life has left behind. */
export interface Story {
  /** Where processes died. */
  readonly deaths: readonly Boundary[]
  /** The boundaries that the last process has passed. */
  readonly passed: readonly Boundary[]
  readonly threads: ReadonlyMap<string, readonly LoomEvent[]>
  readonly transcripts: readonly Transcript[]
  readonly book: EffectBook
  /** What of the outside is compared. */
  readonly outside: string
  /** Places in doubt whose fate people have told truly. */
  readonly told: ReadonlySet<string>
  readonly asked: ReadonlyMap<string, Question>
  /** What was found on the way; the verdict adds to it. */
  readonly found: readonly Finding[]
}

interface Life<W extends object> {
  readonly scenario: CrashScenario<W>
  readonly options: LifeOptions
  readonly pace: Pace
  readonly outside: W
  readonly book: EffectBook
  readonly witness: Witness
  readonly told: Set<string>
  readonly asked: Map<string, Question>
  readonly found: Finding[]
  /** Names under which processes that are gone held threads. */
  readonly gone: Set<string>
}

/** The thread on which scenarios are played. */
export const lifeThread = 't'

/** Lives a scenario to its end. Never rejects: what goes wrong is found. */
export async function live<W extends object>(scenario: CrashScenario<W>, options: LifeOptions): Promise<Story> {
  const life: Life<W> = {
    scenario,
    options,
    pace: createPace(options.patience ?? 0),
    outside: scenario.outside(),
    book: createEffectBook(),
    witness: createWitness(),
    told: new Set(),
    asked: new Map(),
    found: [],
    gone: new Set(),
  }
  const deaths: Boundary[] = []
  let passed: readonly Boundary[] = []
  for (const death of [...(options.deaths ?? []), undefined]) {
    passed = await livedProcess(life, deaths.length, death)
    const last = passed.at(-1)
    if (last === undefined || last.number !== death) break
    deaths.push(last)
  }
  return storyOf(life, deaths, passed)
}

/** One process, from its birth to its death or to the end of everything; answers the boundaries it came to. */
async function livedProcess<W extends object>(life: Life<W>, number: number, death: number | undefined): Promise<readonly Boundary[]> {
  const { pace, options, found, gone } = life
  const process = createProcess({
    number,
    clock: pace.clock,
    stirred: pace.stirred,
    fate: (boundary) => (boundary.number === death ? 'die' : 'live'),
  })
  const workers = new Set<string>()
  const handle = await options.storage.open()
  let over = false
  const end = (): void => {
    over = true
  }
  void process.died.then(end)
  const playing = perform(life, { process, handle, workers }).catch((error: unknown) => {
    if (!process.isDead()) found.push({ kind: 'failed', message: `process ${number} could not go on: ${messageOf(error)}` })
  })
  void playing.then(end)
  const moved = await pace.until(() => over, { process })
  if (!moved) found.push({ kind: 'stuck', message: `nothing moves any more in process ${number}${after(process)}` })
  await pace.quiet(process)
  process.kill()
  for (const worker of workers) gone.add(worker)
  await options.storage.abandon(handle)
  return process.passed
}

const after = ({ passed }: MortalProcess): string => {
  const last = passed.at(-1)
  return last ? `; its last boundary was ${boundaryText(last)}` : ''
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Casting {
  readonly process: MortalProcess
  readonly handle: Journal
  readonly workers: Set<string>
}

async function perform<W extends object>(life: Life<W>, { process, handle, workers }: Casting): Promise<void> {
  const { scenario, options, pace, book, witness, told, asked, gone } = life
  const journal = processJournal(witnessedJournal(trackedJournal(handle, pace.asked), witness), {
    process,
    isGone: (worker) => gone.has(worker),
    named: (worker) => workers.add(worker),
  })
  const words = createWords()
  const scene: Scene<W> = {
    journal,
    outside: outsideView(life.outside, process, book),
    process: process.number,
    seen: (type) => untilSeen(journal, type),
    say: words.say,
  }
  const stable = stableHash(journal)
  const agent = instrument(scenario.agent(scene), {
    journal: stable.journal,
    ports: { clock: process.clock, ids: process.ids, random: () => 0, hash: stable.hash, ...(options.replay && alwaysReplay(journal)) },
    instruments: { process, book, checkIntent: (thread, intent) => checkIntent(life, thread, intent), hear: (prompt) => hear(life, prompt) },
  })
  if (options.recover && process.number > 0) agent.recover().catch((error: unknown) => life.found.push({ kind: 'failed', message: messageOf(error) }))
  const stage = createStage({
    scenario,
    thread: lifeThread,
    agent,
    journal,
    process,
    book,
    told,
    asked,
    seesOutside: isReachable(life.outside),
    words,
  })
  await scenario.play(stage)
}

/** An outside without anything in it tells nothing. */
const isReachable = (outside: object): boolean => Reflect.ownKeys(outside).length > 0 || Object.getPrototypeOf(outside) !== Object.prototype

function checkIntent<W extends object>({ witness, found }: Life<W>, thread: string, intent: string): void {
  if (witness.isIntended(thread, intent)) return
  found.push({ kind: 'intent', at: thread, message: `${intent} began, and nothing durable said that it would` })
}

function hear<W extends object>({ found }: Life<W>, prompt: unknown): void {
  for (const problem of checkPairing(prompt as Parameters<typeof checkPairing>[0])) found.push({ kind: 'pairing', message: problem })
}

async function untilSeen(journal: Journal, type: EventType): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    if ((await eventsOf(journal, lifeThread)).some((event) => event.type === type)) resolve()
  }
  const unwatch = journal.watch(lifeThread, () => void look())
  await look()
  await promise
  unwatch()
}

async function storyOf<W extends object>(life: Life<W>, deaths: readonly Boundary[], passed: readonly Boundary[]): Promise<Story> {
  const { scenario, options, outside, book, witness, told, asked, found } = life
  const handle = await options.storage.open()
  const threads = new Map<string, readonly LoomEvent[]>()
  for (const { thread } of await handle.threads()) threads.set(thread, await eventsOf(handle, thread))
  witness.compare(threads)
  await options.storage.abandon(handle)
  await options.storage.discard?.()
  const observed: unknown = scenario.observe ? scenario.observe(outside) : outside
  return {
    deaths,
    passed,
    threads,
    transcripts: [...threads].map(([thread, events]) => transcriptOf(thread, events)),
    book,
    outside: textOf(observed),
    told,
    asked,
    found: [...found, ...witness.found],
  }
}
