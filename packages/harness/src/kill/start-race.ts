/** The start race: two processes make the same starts under the same ids and are killed on the way, and every start leads to one run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { eventsOf, type Finding, randomOf } from '@loom-agent/testing/crash'
import { onLines } from '../lines.ts'
import { planInput } from '../plan/plan.ts'
import { programOf } from '../program.ts'
import type { ProcessJob } from './job.ts'
import { judgeProcesses } from './judge-processes.ts'
import { type JournalKind, makePlace, type Site } from './place.ts'
import { openProcess } from './planned-process.ts'
import type { Ending } from './reporter.ts'
import type { WorldServer } from './world-server.ts'

/** A process that makes all starts from `first` on, one after another. */
export interface StartJob extends ProcessJob {
  readonly first: number
  readonly starts: number
  readonly input: string
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
}

/** What was found. */
export interface StartRaceReport {
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
const input = planInput({ turns: [[{ kind: 'idempotent', ticks: 1 }]] })

/** Runs the race. On a journal of one process the processes come one after another. */
export async function startRace(options: StartRaceOptions): Promise<StartRaceReport> {
  const { name, kind, world, starts, kills, seed } = options
  const random = randomOf(seed)
  const place = await makePlace(kind, name, options)
  const job: StartJob = { trial: name, process: 0, place, port: world.port, first: 0, starts, input }
  const racers = Array.from({ length: processes }, (_, index) => ({ job, index, kills: Math.round(kills / processes), random }))
  const ends: StartEnd[] = []
  if (kind === 'file') for (const racer of racers) ends.push(...(await race(racer)))
  else ends.push(...(await Promise.all(racers.map(race))).flat())
  const opened = await openProcess(job)
  const { journal } = opened
  const threads = [...new Set(ends.map(({ thread }) => thread))].map((thread) => ({ thread, input }))
  const { findings } = await judgeProcesses({ journal, threads, notified: [], effects: world.take(name), endings: ends })
  let runs = 0
  for (const { thread } of threads) {
    for (const { type, data } of await eventsOf(journal, thread))
      if (type === 'run.queued' || (type === 'run.started' && 'request' in data)) runs += 1
  }
  await opened.close()
  return { kills: racers.reduce((sum, racer) => sum + racer.kills, 0), repeats: ends.length - threads.length, runs, findings }
}

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
