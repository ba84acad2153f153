/** The claim race: many claimants in two processes want the same thread at the same moment, and its call is made once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { LoomEvent } from '@loom-agent/kernel'
import { checkHistory } from '../history/check-history.ts'
import { type ClaimJob, claimedAgent, type Round, type RoundEnd } from './claimant.ts'
import { eventsOf } from './events-of.ts'
import { onLines } from './lines.ts'
import type { Outside } from './outside.ts'
import { type Ground, makePlace, openPlace } from './place.ts'
import { programOf } from './program.ts'

/** How the race is run. */
export interface ClaimRaceOptions extends Ground {
  readonly name: string
  readonly outside: Outside
  readonly rounds: number
  /** Claimants, all processes together. */
  readonly claimants: number
}

/** What came of it. */
export interface ClaimRaceReport {
  readonly rounds: number
  readonly claimants: number
  /** How often each process made the call. */
  readonly wins: readonly number[]
  readonly problems: readonly string[]
}

const processes = 2

/** Runs the race. */
export async function claimRace(options: ClaimRaceOptions): Promise<ClaimRaceReport> {
  const { name, outside, rounds, claimants } = options
  const place = await makePlace('sqlite', name, options)
  const journal = await openPlace(place)
  const job: ClaimJob = { life: name, process: 0, place, port: outside.port, claimants: claimants / processes }
  const agent = claimedAgent(job, outside, journal)
  const racers = await Promise.all(Array.from({ length: processes }, (_, index) => startRacer({ ...job, process: index + 1 })))
  const problems: string[] = []
  for (let number = 1; number <= rounds; number += 1) {
    const thread = `${name}-${number}`
    const { questions } = await agent.run('Pay.', { thread })
    const round: Round = { thread, question: questions[0]?.id ?? '', how: number % 2 === 0 ? 'answer' : 'resume' }
    const ends = await Promise.all(racers.map((racer) => racer.play(round)))
    problems.push(...wrongEnds(round, ends), ...wrongEvents(thread, await eventsOf(journal, thread)))
  }
  await Promise.all(racers.map((racer) => racer.end()))
  await journal.close()
  const deeds = await outside.deeds(name)
  for (const [label, own] of Map.groupBy(deeds, (deed) => deed.label)) if (own.length > 1) problems.push(`${label} was paid ${own.length} times`)
  const paid = new Set(deeds.map(({ label }) => label)).size
  if (paid !== rounds) problems.push(`${paid} of ${rounds} were paid`)
  const wins = racers.map((_, index) => deeds.filter((deed) => deed.process === index + 1).length)
  return { rounds, claimants, wins, problems }
}

function wrongEnds({ thread, how }: Round, ends: readonly RoundEnd[]): readonly string[] {
  return ends.flatMap((end) =>
    Object.entries(end).flatMap(([status, count]) => (status === 'done: It is paid.' ? [] : [`${thread} (${how}): ${count} times ${status}`])),
  )
}

function wrongEvents(thread: string, events: readonly LoomEvent[]): readonly string[] {
  const count = (type: LoomEvent['type']): number => events.filter((event) => event.type === type).length
  const twice = (['question.answered', 'tool.started', 'tool.finished', 'run.finished'] as const).filter((type) => count(type) !== 1)
  return [
    ...twice.map((type) => `${thread} has ${count(type)} ${type}`),
    ...checkHistory(events).map(({ rule, seq, message }) => `${thread}@${seq} ${rule}: ${message}`),
  ]
}

interface Racer {
  play(round: Round): Promise<RoundEnd>
  end(): Promise<void>
}

async function startRacer(job: ClaimJob): Promise<Racer> {
  const { args, env } = programOf(import.meta.url, 'claimant-process')
  const child: ChildProcess = spawn(process.execPath, [...args, JSON.stringify(job)], { stdio: ['pipe', 'pipe', 'inherit'], env })
  const heard: string[] = []
  let hear = (): void => {}
  onLines(child.stdout as Readable, (line) => {
    heard.push(line)
    hear()
  })
  const next = async (): Promise<string> => {
    while (heard.length === 0) await new Promise<void>((resolve) => (hear = resolve))
    return heard.shift() ?? ''
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
