/** The claim race: many claimants in two processes want the same thread at the same moment, and its call is performed once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Finding } from '@loom-agent/testing/crash'
import { closing, planInput, resultOf } from '../plan/plan.ts'
import { onLines } from '../process/lines.ts'
import { programOf } from '../process/program.ts'
import type { ProcessJob } from './job.ts'
import { judgeProcesses } from './judge-processes.ts'
import { makePlace, type Site } from './place.ts'
import { openProcess, processAgent } from './planned-process.ts'
import type { Ending } from './reporter.ts'
import type { WorldServer } from './world-server.ts'

/** A process with many claimants in it. */
export interface ClaimJob extends ProcessJob {
  readonly claimants: number
}

/** A round: a thread that waits, and what all claimants do at once: answer its question, or resume it with a handler that answers it. */
export interface Round {
  readonly thread: string
  readonly question: string
  readonly how: 'answer' | 'resume'
}

/** How the run ended for the claimants of a process: each way once. */
export type RoundEnd = readonly Omit<Ending, 'thread'>[]

/** How the race is run. */
export interface ClaimRaceOptions extends Site {
  readonly name: string
  readonly world: WorldServer
  readonly rounds: number
  /** Claimants, all processes together. */
  readonly claimants: number
}

/** What was found. */
export interface ClaimRaceReport {
  readonly rounds: number
  readonly claimants: number
  /** How often each process performed the call. */
  readonly wins: readonly number[]
  readonly findings: readonly Finding[]
}

const processes = 2
const input = planInput({ turns: [[{ kind: 'ask', ticks: 0 }]] })

/** Runs the race. */
export async function claimRace(options: ClaimRaceOptions): Promise<ClaimRaceReport> {
  const { name, world, rounds, claimants } = options
  const place = await makePlace('sqlite', name, options)
  const job: ClaimJob = { trial: name, process: 0, place, port: world.port, claimants: claimants / processes }
  const opened = await openProcess(job)
  const agent = processAgent(job, opened)
  const racers = await Promise.all(Array.from({ length: processes }, (_, index) => startRacer({ ...job, process: index + 1 })))
  const threads = Array.from({ length: rounds }, (_, index) => ({ thread: `${name}-${index + 1}`, input }))
  const endings: Ending[] = []
  for (const [index, { thread }] of threads.entries()) {
    const { questions } = await agent.run(input, { thread })
    const round: Round = { thread, question: questions[0]?.id ?? '', how: index % 2 === 0 ? 'resume' : 'answer' }
    const ends = await Promise.all(racers.map((racer) => racer.play(round)))
    endings.push(...ends.flat().map((end) => ({ thread, ...end })))
  }
  await Promise.all(racers.map((racer) => racer.end()))
  const effects = world.take(name)
  const { findings } = await judgeProcesses({ journal: opened.journal, threads, notified: [], effects, endings })
  await opened.close()
  const wins = racers.map((_, index) => effects.filter((effect) => effect.process === index + 1).length)
  return { rounds, claimants, wins, findings: [...findings, ...endings.flatMap(wrongText)] }
}

/** Every claimant is given the result, whichever performed the call. */
function wrongText({ thread, status, text }: Ending): readonly Finding[] {
  const expected = closing([resultOf('ask', '1.0')])
  return status !== 'done' || text === expected ? [] : [{ kind: 'ending', at: thread, message: `a claimant was given ${text}, not ${expected}` }]
}

interface Racer {
  play(round: Round): Promise<RoundEnd>
  end(): Promise<void>
}

async function startRacer(job: ClaimJob): Promise<Racer> {
  const { args, env } = programOf(import.meta.url, 'claim-process')
  const child: ChildProcess = spawn(process.execPath, [...args, JSON.stringify(job)], { stdio: ['pipe', 'pipe', 'inherit'], env })
  const lines: string[] = []
  let arrived = (): void => {}
  onLines(child.stdout as Readable, (line) => {
    lines.push(line)
    arrived()
  })
  const next = async (): Promise<string> => {
    while (lines.length === 0) await new Promise<void>((resolve) => (arrived = resolve))
    return lines.shift() ?? ''
  }
  await next()
  return {
    async play(round) {
      child.stdin?.write(`${JSON.stringify(round)}\n`)
      return JSON.parse(await next()) as RoundEnd
    },
    async end() {
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
    },
  }
}
