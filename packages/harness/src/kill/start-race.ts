/**
 * The start race: two processes make the same starts under the same ids and are killed on the way, and every start leads to one run.
 *
 * What is compared is kept outside the journal: the inputs follow from the numbers of the starts, and the world counts the effects. A start that is only
 * attached to whatever run its thread has would pass where all inputs are alike, so each start has an input of its own, and the transcript of its run
 * must be that of its input.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { eventsOf, type Finding, randomOf } from '@loom-agent/testing/crash'
import { planInput } from '../plan/plan.ts'
import { onLines } from '../process/lines.ts'
import { programOf } from '../process/program.ts'
import type { PlannedThread, PlantedFault, ProcessJob } from './job.ts'
import { judgeProcesses } from './judge-processes.ts'
import { type JournalKind, makePlace, type Site } from './place.ts'
import { openProcess } from './planned-process.ts'
import type { Ending } from './reporter.ts'
import type { PerformedEffect, WorldServer } from './world-server.ts'

/** A process that makes all starts from `first` on, one after another. */
export interface StartJob extends ProcessJob {
  readonly first: number
  readonly starts: number
}

/** What a process reports of a start: where it led to, and how that ended. */
export interface StartEnd extends Ending {
  readonly number: number
  readonly run: string
}

/** How the race is run. */
export interface StartRaceOptions extends Site {
  readonly name: string
  readonly kind: JournalKind
  readonly world: WorldServer
  readonly starts: number
  /** Kills, all processes together. */
  readonly kills: number
  readonly seed: number
  readonly faults?: readonly PlantedFault[]
}

/** What was found. */
export interface StartRaceReport {
  readonly journal: JournalKind
  readonly starts: number
  readonly seed: number
  readonly kills: number
  /** How often a start was made again by a process and had led to a run before. */
  readonly repeats: number
  /** Runs that were started, over all threads. */
  readonly runs: number
  readonly findings: readonly Finding[]
}

const processes = 2
/** Starts that a new process makes again. */
const again = 5
/** Findings of one kind of violation that are reported. */
const mostFindings = 20

/** The id of a start. */
export const startId = (number: number): string => `start ${number}`

/** The input of a start: one call, and a line that no other start has. */
export const startInput = (number: number): string => `${planInput({ turns: [[{ kind: 'idempotent', ticks: 1 }]] })}\n${startId(number)}`

/** Runs the race. On a journal of one process the processes come one after another. */
export async function startRace(options: StartRaceOptions): Promise<StartRaceReport> {
  const { name, kind, world, starts, kills, seed, faults = [] } = options
  const random = randomOf(seed)
  const place = await makePlace(kind, name, options)
  const job: StartJob = { trial: name, process: 0, place, port: world.port, first: 0, starts, faults }
  const racers = Array.from({ length: processes }, (_, index) => ({ job, index, kills: Math.round(kills / processes), random }))
  const ends: StartEnd[] = []
  if (kind === 'file') for (const racer of racers) ends.push(...(await race(racer)))
  else ends.push(...(await Promise.all(racers.map(race))).flat())
  const opened = await openProcess(job)
  const evidence = { journal: opened.journal, starts, ends, effects: world.take(name) }
  const { runs, findings } = await judgeStarts(evidence)
  await opened.close()
  const reported = new Set(ends.map(({ number }) => number)).size
  return { journal: kind, starts, seed, kills: kills - (kills % processes), repeats: ends.length - reported, runs, findings }
}

interface StartEvidence {
  readonly journal: Journal
  readonly starts: number
  readonly ends: readonly StartEnd[]
  readonly effects: readonly PerformedEffect[]
}

/** Every start led to one run of its own input, whose call has happened under one key; nothing else was started. */
async function judgeStarts({ journal, starts, ends, effects }: StartEvidence): Promise<Pick<StartRaceReport, 'runs' | 'findings'>> {
  const found: Finding[] = []
  const byNumber = Map.groupBy(ends, ({ number }) => number)
  const threads: PlannedThread[] = []
  for (let number = 0; number < starts; number += 1) {
    const places = [...new Set((byNumber.get(number) ?? []).map(({ thread, run }) => `${thread} ${run}`))]
    if (places.length !== 1) found.push(wrongCount(number, `led to ${places.length} runs: ${places.join(', ')}`, places.length))
    const [thread] = (places[0] ?? '').split(' ')
    if (thread) threads.push({ thread: byNumber.get(number)?.[0]?.thread ?? thread, input: startInput(number) })
  }
  const numberOf = new Map(threads.map(({ thread }, index) => [thread, index]))
  found.push(...effectFindings(effects, numberOf))
  let runs = 0
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ limit: 100, ...(after !== undefined && { after }) })
    for (const { thread } of page) {
      const count = (await eventsOf(journal, thread)).filter(startsRun).length
      runs += count
      if (!numberOf.has(thread)) found.push({ kind: 'duplicate', at: thread, message: 'no start has led to this thread' })
      else if (count !== 1) found.push(wrongCount(numberOf.get(thread) ?? 0, `has ${count} runs in its thread`, count))
    }
    if (page.length < 100) break
    after = page.at(-1)?.thread
  }
  if (runs !== starts) found.push({ kind: runs > starts ? 'duplicate' : 'missing', message: `${starts} starts led to ${runs} runs` })
  const judged = await judgeProcesses({ journal, threads, notified: [], effects, endings: ends, isConcurrent: true })
  return { runs, findings: [...found.slice(0, mostFindings), ...judged.findings.slice(0, mostFindings)] }
}

/** The call of every start has happened under one key, and nothing else has happened. */
function effectFindings(effects: readonly PerformedEffect[], numberOf: ReadonlyMap<string, number>): readonly Finding[] {
  const found: Finding[] = []
  const keys = Map.groupBy(effects, ({ thread }) => thread)
  for (const [thread, own] of keys) {
    const count = new Set(own.map(({ key }) => key)).size
    if (!numberOf.has(thread)) found.push({ kind: 'duplicate', at: thread, message: 'an effect happened in a thread that no start has led to' })
    else if (count > 1) found.push(wrongCount(numberOf.get(thread) ?? 0, `had ${count} effects`, count))
  }
  return found
}

const startsRun = ({ type, data }: LoomEvent): boolean => type === 'run.queued' || (type === 'run.started' && 'request' in data)

const wrongCount = (number: number, what: string, count: number): Finding => ({
  kind: count === 0 ? 'missing' : 'duplicate',
  at: startId(number),
  message: `the start ${what}`,
})

interface Racer {
  readonly job: StartJob
  readonly index: number
  readonly kills: number
  readonly random: () => number
}

/** One process after another, each killed on its way, until one has made the last start. */
async function race({ job, index, kills, random }: Racer): Promise<readonly StartEnd[]> {
  const ends: StartEnd[] = []
  for (let kill = 0; kill <= kills; kill += 1) {
    const reached = ends.at(-1)?.number ?? -1
    const target = kill === kills ? undefined : Math.floor(((kill + 1) * job.starts) / (kills + 1))
    const first = Math.max(0, reached + 1 - again)
    const child = startProcess({ ...job, first, process: index + 1 + kill * processes })
    const exited = once(child, 'exit')
    onLines(child.stdout as Readable, (line) => {
      const end = JSON.parse(line) as StartEnd
      ends.push(end)
      if (end.number === target) void pause(Math.floor(random() * 20)).then(() => child.kill('SIGKILL'))
    })
    const [code] = await exited
    if (target === undefined && code !== 0) throw new Error(`A process that makes starts ended with ${code}.`)
  }
  return ends
}

function startProcess(job: StartJob): ChildProcess {
  const { args, env } = programOf(import.meta.url, 'start-process')
  return spawn(process.execPath, [...args, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'], env })
}
