/** The claim race: many claimants in two processes want the same thread at the same moment, and its call is performed once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { LoomEvent } from '@loom-agent/kernel'
import { eventsOf, findingText, judgeAlone } from '@loom-agent/testing/crash'
import { onLines } from '../lines.ts'
import { closing, planInput, resultOf } from '../plan/plan.ts'
import { programOf } from '../program.ts'
import type { ProcessJob } from './job.ts'
import { recordOf } from './judge-processes.ts'
import { makePlace, openJournal, type Site } from './place.ts'
import { processAgent } from './planned-process.ts'
import type { PerformedEffect, WorldConnection } from './world-server.ts'

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

/** How often the run ended in which way for the claimants of a process. */
export type RoundEnd = { readonly [status: string]: number }

/** How the race is run. */
export interface ClaimRaceOptions extends Site {
  readonly name: string
  readonly world: WorldConnection
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
  readonly problems: readonly string[]
}

const processes = 2
const input = planInput({ turns: [[{ kind: 'ask', ticks: 0 }]] })

/** Runs the race. */
export async function claimRace(options: ClaimRaceOptions): Promise<ClaimRaceReport> {
  const { name, world, rounds, claimants } = options
  const place = await makePlace('sqlite', name, options)
  const journal = await openJournal(place)
  const job: ClaimJob = { trial: name, process: 0, place, port: world.port, claimants: claimants / processes }
  const agent = processAgent(job, { world, journal })
  const racers = await Promise.all(Array.from({ length: processes }, (_, index) => startRacer({ ...job, process: index + 1 })))
  const problems: string[] = []
  for (let number = 1; number <= rounds; number += 1) {
    const thread = `${name}-${number}`
    const { questions } = await agent.run(input, { thread })
    const round: Round = { thread, question: questions[0]?.id ?? '', how: number % 2 === 0 ? 'answer' : 'resume' }
    const ends = await Promise.all(racers.map((racer) => racer.play(round)))
    problems.push(...wrongEnds(round, ends))
  }
  await Promise.all(racers.map((racer) => racer.end()))
  const effects = await world.take(name)
  for (let number = 1; number <= rounds; number += 1) {
    const thread = `${name}-${number}`
    const own = effects.filter((effect) => effect.thread === thread)
    problems.push(...wrongRecord(thread, await eventsOf(journal, thread), own))
  }
  await journal.close()
  const wins = racers.map((_, index) => effects.filter((effect) => effect.process === index + 1).length)
  return { rounds, claimants, wins, problems }
}

function wrongEnds({ thread, how }: Round, ends: readonly RoundEnd[]): readonly string[] {
  return ends.flatMap((end) =>
    Object.entries(end).flatMap(([status, count]) =>
      status === `done: ${closing([resultOf('ask', '1.0')])}` ? [] : [`${thread} (${how}): ${count} times ${status}`],
    ),
  )
}

function wrongRecord(thread: string, events: readonly LoomEvent[], effects: readonly PerformedEffect[]): readonly string[] {
  const count = (type: LoomEvent['type']): number => events.filter((event) => event.type === type).length
  const twice = (['question.answered', 'tool.started', 'tool.finished', 'run.finished'] as const).filter((type) => count(type) !== 1)
  return [
    ...twice.map((type) => `${thread} has ${count(type)} ${type}`),
    ...(effects.length === 1 ? [] : [`${thread} has ${effects.length} effects`]),
    ...judgeAlone(recordOf(new Map([[thread, events]]), [], effects)).map(findingText),
  ]
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
