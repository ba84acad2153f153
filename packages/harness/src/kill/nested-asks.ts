/** Questions three levels down, answered in any order, each by another process: every step once, every answer to its own question. */
import { type Finding, randomOf } from '@loom-agent/testing/crash'
import { type PlannedCall, planInput } from '../plan/plan.ts'
import type { WorkerJob } from './job.ts'
import { judgeProcesses } from './judge-processes.ts'
import { bits } from './phase.ts'
import { makePlace, openJournal, type Site } from './place.ts'
import type { Ending } from './reporter.ts'
import { startWorker } from './worker.ts'
import type { WorldServer } from './world-server.ts'

/** How the tree is run. */
export interface NestedAsksOptions extends Site {
  readonly world: WorldServer
  readonly seed: number
}

/** What was found. */
export interface NestedAsksReport {
  readonly processes: number
  readonly depth: number
  /** The questions in the order in which they were answered. */
  readonly order: readonly string[]
  readonly findings: readonly Finding[]
}

const [depth, leaves, asks] = [3, 3, 2]
const questions = leaves * asks
/** A process that is done waits to be killed. */
const delays = { end: 10_000 }

/** A durable call that asks twice, that many levels of children down. */
const nested = (levels: number): PlannedCall =>
  levels === 0 ? { kind: 'durable', ticks: 0, asks } : { kind: 'child', ticks: 0, turns: [[nested(levels - 1)]] }

/** Lets one process start the run and each of the next answer a question, killing all of them, until the tree is done. */
export async function nestedAsks(options: NestedAsksOptions): Promise<NestedAsksReport> {
  const { world, seed } = options
  const trial = `nested-${seed}`
  const random = randomOf(seed)
  const place = await makePlace('sqlite', trial, options)
  const threads = [{ thread: trial, input: planInput({ turns: [Array.from({ length: leaves }, () => nested(depth))] }) }]
  const findings: Finding[] = []
  const order: string[] = []
  let endings: readonly Ending[] = []
  for (let number = 1; number <= questions + 1; number += 1) {
    const pick = number === 1 ? {} : { pick: random() }
    const job: WorkerJob = { trial, process: number, place, port: world.port, depth, threads, start: 'resume', attended: false, delays, ...pick }
    const worker = startWorker(job, (mask) => {
      if (mask & bits.over) worker.signal('SIGKILL')
    })
    const end = await worker.gone
    await world.gone(`${trial}/${number}`)
    order.push(...end.answered)
    endings = end.endings ?? []
    if (end.failure !== undefined) findings.push({ kind: 'failed', at: trial, message: end.failure })
    const status = endings[0]?.status
    const isEarly = number <= questions && status !== 'waiting'
    if (isEarly) findings.push({ kind: 'ending', at: trial, message: `after ${order.length} answers the tree is ${status}: ${endings[0]?.text}` })
  }
  const count = new Set(order).size
  if (count !== questions) findings.push({ kind: 'ending', at: trial, message: `${count} questions were answered, and there are ${questions}` })
  const effects = world.take(trial)
  const journal = await openJournal(place)
  const judgement = await judgeProcesses({ journal, threads, notified: [], effects, endings, depth })
  await journal.close()
  return { processes: questions + 1, depth, order, findings: [...findings, ...judgement.findings] }
}
