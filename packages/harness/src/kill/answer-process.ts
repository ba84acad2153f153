/** The program behind `nestedAsks`: starts the tree, or answers one of its questions, reports where the tree rests, and waits to be killed. */
import { type Question, type Result, respond } from '@loom-agent/agent'
import { frameAt } from '@loom-agent/kernel'
import type { AnswerJob, TreeStatus } from './nested-asks.ts'
import { openProcess, processAgent } from './planned-process.ts'

const job = JSON.parse(process.argv[2] ?? '') as AnswerJob
const opened = await openProcess(job)
const root = processAgent(job, opened)
const { run } = await frameAt(opened.journal, job.thread)
const handle = run ? root.resume(job.thread) : root.start(job.input, { thread: job.thread })

async function answerOne({ questions }: Result, pick: number): Promise<string> {
  const { id } = questions[Math.floor(pick * questions.length)] as Question
  await handle.answer(id, respond(`answer of process ${job.process}`))
  return id
}

const found = await handle.result()
const answered = job.pick === undefined ? undefined : await answerOne(found, job.pick)
const { status, text } = await handle.result()
console.log(JSON.stringify({ status, text, ...(answered !== undefined && { answered }) } satisfies TreeStatus))
