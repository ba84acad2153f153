/** Questions three levels down, answered in any order, each by another process: every step once, every answer to its asker. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomOf } from '../power-failure.ts'
import { onLines } from './lines.ts'
import { levels, type NestedJob, type NestedRest, subjects, surveySteps } from './nested.ts'
import type { Outside } from './outside.ts'
import { type Ground, makePlace } from './place.ts'
import { programOf } from './program.ts'

/** How the tree is asked. */
export interface NestedAsksOptions extends Ground {
  readonly outside: Outside
  readonly seed: number
}

/** What came of it. */
export interface NestedAsksReport {
  readonly processes: number
  readonly depth: number
  /** The questions in the order in which they were answered. */
  readonly order: readonly string[]
  readonly problems: readonly string[]
}

const questions = subjects.length * 2

/** Lets one process begin and one after the other answer a question, killing each, until the tree has its answer. */
export async function nestedAsks(options: NestedAsksOptions): Promise<NestedAsksReport> {
  const { outside, seed } = options
  const life = `nested-${seed}`
  const random = randomOf(seed)
  const job = { life, place: await makePlace('sqlite', life, options), port: outside.port, thread: life }
  const given = new Map<string, string>()
  const problems: string[] = []
  let rest = await oneProcess({ ...job, process: 1 })
  for (let number = 2; number <= questions + 1; number += 1) {
    if (rest.status !== 'waiting') problems.push(`after ${number - 2} answers the tree is ${rest.status}: ${rest.text}`)
    rest = await oneProcess({ ...job, process: number, pick: random() })
    if (rest.answered) given.set(rest.answered.prompt, rest.answered.value)
  }
  const expected = subjects.map((subject) => `${subject}: ${given.get(`first of ${subject}`)}, ${given.get(`second of ${subject}`)}`).join('; ')
  if (rest.status !== 'done' || rest.text !== expected) problems.push(`the tree ended as ${rest.status}: ${rest.text} instead of ${expected}`)
  if (given.size !== questions) problems.push(`${given.size} questions were answered, and there are ${questions}`)
  problems.push(...wrongSteps((await outside.deeds(life)).map(({ label }) => label)))
  return { processes: questions + 1, depth: levels, order: [...given.keys()], problems }
}

function wrongSteps(done: readonly string[]): readonly string[] {
  const counts = subjects.flatMap((subject) => surveySteps.map((step) => [`${subject}/${step}`, 0] as const))
  const times = new Map<string, number>(counts)
  for (const label of done) times.set(label, (times.get(label) ?? 0) + 1)
  return [...times].filter(([, count]) => count !== 1).map(([label, count]) => `${label} happened ${count} times`)
}

/** A process that is killed once it has said where the tree rests. */
async function oneProcess(job: NestedJob): Promise<NestedRest> {
  const { args, env } = programOf(import.meta.url, 'nested-process')
  const child = spawn(process.execPath, [...args, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'pipe'], env })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const closed = once(child, 'close')
  const said = new Promise<NestedRest>((resolve) => onLines(child.stdout, (line) => resolve(JSON.parse(line) as NestedRest)))
  const failed = closed.then((): NestedRest => ({ status: 'gone', text: errors, open: 0 }))
  const rest = await Promise.race([said, failed])
  child.kill('SIGKILL')
  await closed
  return rest
}
