/** The program behind `nestedAsks`: begins the tree, or answers one of its questions, says where the tree rests, and waits to be killed. */
import { type Question, type Result, respond } from '@loom-agent/agent'
import { frameAt } from '@loom-agent/kernel'
import { type NestedJob, type NestedRest, nestedAgent } from './nested.ts'
import { reachOutside } from './outside.ts'
import { openPlace } from './place.ts'

const job = JSON.parse(process.argv[2] ?? '') as NestedJob
const outside = await reachOutside(job.port)
const journal = await openPlace(job.place)
const root = nestedAgent(job, outside, journal)

const { run } = await frameAt(journal, job.thread)
const handle = run ? root.resume(job.thread) : root.start('Ask around.', { thread: job.thread })

async function answerOne({ questions }: Result, pick: number): Promise<NestedRest['answered']> {
  const { id, prompt } = questions[Math.floor(pick * questions.length)] as Question
  const value = `${prompt} by ${job.process}`
  await handle.answer(id, respond(value))
  return { prompt, value }
}

const found = await handle.result()
const answered = job.pick === undefined ? undefined : await answerOne(found, job.pick)
const { status, text, questions } = await handle.result()
console.log(JSON.stringify({ status, text, open: questions.length, ...(answered && { answered }) } satisfies NestedRest))
