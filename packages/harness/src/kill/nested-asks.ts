/** Questions three levels down, answered in any order, each by another process: every step once, every answer to its own question. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { LoomEvent } from '@loom-agent/kernel'
import { findingText, judgeAlone, randomOf } from '@loom-agent/testing/crash'
import { onLines } from '../lines.ts'
import { type PlannedCall, planInput } from '../plan/plan.ts'
import { programOf } from '../program.ts'
import type { ProcessJob } from './job.ts'
import { recordOf, treeOf } from './judge-processes.ts'
import { makePlace, openJournal, type Site } from './place.ts'
import type { WorldConnection } from './world-server.ts'

/** The job of a process of the tree. */
export interface AnswerJob extends ProcessJob {
  readonly thread: string
  readonly input: string
  /** Which of the open questions it answers, as a fraction of all; undefined for a process that only starts the run. */
  readonly pick?: number
}

/** What a process reports when the tree rests. */
export interface TreeStatus {
  readonly status: string
  readonly text: string
  /** The question that was answered. */
  readonly answered?: string
}

/** How the tree is run. */
export interface NestedAsksOptions extends Site {
  readonly world: WorldConnection
  readonly seed: number
}

/** What was found. */
export interface NestedAsksReport {
  readonly processes: number
  readonly depth: number
  /** The questions in the order in which they were answered. */
  readonly order: readonly string[]
  readonly problems: readonly string[]
}

const [depth, leaves, asks] = [3, 3, 2]
const questions = leaves * asks

/** A durable call that asks twice, that many levels of children down. */
const nested = (levels: number): PlannedCall =>
  levels === 0 ? { kind: 'durable', ticks: 0, asks } : { kind: 'child', ticks: 0, turns: [[nested(levels - 1)]] }

/** Lets one process start the run and each of the next answer a question, killing all of them, until the tree is done. */
export async function nestedAsks(options: NestedAsksOptions): Promise<NestedAsksReport> {
  const { world, seed } = options
  const thread = `nested-${seed}`
  const random = randomOf(seed)
  const place = await makePlace('sqlite', thread, options)
  const input = planInput({ turns: [Array.from({ length: leaves }, () => nested(depth))] })
  const job = { trial: thread, place, port: world.port, depth, thread, input }
  const order: string[] = []
  const problems: string[] = []
  let rest = await runProcess({ ...job, process: 1 })
  for (let number = 2; number <= questions + 1; number += 1) {
    if (rest.status !== 'waiting') problems.push(`after ${number - 2} answers the tree is ${rest.status}: ${rest.text}`)
    rest = await runProcess({ ...job, process: number, pick: random() })
    if (rest.answered !== undefined) order.push(rest.answered)
  }
  if (rest.status !== 'done') problems.push(`the tree ended as ${rest.status}: ${rest.text}`)
  if (new Set(order).size !== questions) problems.push(`${new Set(order).size} questions were answered, and there are ${questions}`)
  const effects = await world.take(thread)
  const journal = await openJournal(place)
  const tree = await treeOf(journal, thread)
  await journal.close()
  const results = [...tree.values()].flatMap(wrongResults)
  const count = effects.length === leaves * 3 ? [] : [`${effects.length} steps happened, and there are ${leaves * 3}`]
  const findings = judgeAlone(recordOf(tree, [], effects)).map(findingText)
  return { processes: questions + 1, depth, order, problems: [...problems, ...count, ...results, ...findings] }
}

/** Every durable call has returned the answers to its own questions. */
function wrongResults(events: readonly LoomEvent[]): readonly string[] {
  const asked = events.flatMap(({ type, data }) => (type === 'question.asked' && data.kind === 'choice' ? [data.id] : []))
  if (asked.length === 0) return []
  const answers = new Map(
    events.flatMap(({ type, data }) =>
      type === 'question.answered' && data.answer.kind === 'respond' ? [[data.id, String(data.answer.value)] as const] : [],
    ),
  )
  const [first, second] = asked.map((id) => answers.get(id))
  const expected = `first, ${first}, note, ${second}, second`
  const result = events.find(({ type }) => type === 'tool.finished')
  const output = result?.type === 'tool.finished' ? result.data.output.value : undefined
  return output === expected ? [] : [`${result?.thread} returned ${String(output)} instead of ${expected}`]
}

/** A process that is killed once it has reported where the tree rests. */
async function runProcess(job: AnswerJob): Promise<TreeStatus> {
  const { args, env } = programOf(import.meta.url, 'answer-process')
  const child = spawn(process.execPath, [...args, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'pipe'], env })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const closed = once(child, 'close')
  const reported = new Promise<TreeStatus>((resolve) => onLines(child.stdout, (line) => resolve(JSON.parse(line) as TreeStatus)))
  const failed = closed.then((): TreeStatus => ({ status: 'gone', text: errors }))
  const rest = await Promise.race([reported, failed])
  child.kill('SIGKILL')
  await closed
  return rest
}
