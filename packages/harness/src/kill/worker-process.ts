/** The program that is killed: it reads a job from its input, drives its threads from wherever they are, and reports on descriptor 3. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Agent, Question, RunHandle } from '@loom-agent/agent'
import { storedFrame } from '@loom-agent/agent/kit'
import { isLoomError, type LoomEvent } from '@loom-agent/kernel'
import { steadyAnswer } from '../plan/plan-agent.ts'
import type { PlannedThread, WorkerJob } from './job.ts'
import { answerOf, openProcess, processAgent } from './planned-process.ts'
import { createReporter, type Ending } from './reporter.ts'
import { workerJournal } from './worker-journal.ts'

const job = JSON.parse(readFileSync(0, 'utf8')) as WorkerJob
const reporter = createReporter(3)
const notified = (event: LoomEvent): void => reporter.write({ kind: 'notified', event })

async function main(): Promise<void> {
  const opened = await openProcess(job, () => {
    reporter.enter('opening')
    return workerJournal(job, reporter)
  })
  const agent = processAgent(job, opened, {
    reporter,
    options: {
      // A recovering process has no handle to watch: its observers get what clients get.
      observers: job.start === 'recover' ? [notified] : [],
      ...(job.attended && { onQuestion: (question: Question) => answerOf(job, opened.world, question) }),
    },
  })
  if (job.start === 'recover') await agent.recover()
  const endings = await Promise.all(job.threads.map((thread) => drive(agent, thread)))
  reporter.write({ kind: 'ended', endings })
  reporter.enter('over')
  // A driver that has lost its thread may still have something to report.
  if (job.delays?.end) await pause(job.delays.end)
  await opened.close()
}

/**
 * Resumes a thread, or starts it, until its run is over or waits.
 *
 * A process that was killed while it started the run may have started it all the same: what it had sent may reach the server's tables after this
 * process has read them. So a run is started on condition that there is none.
 */
async function drive(agent: Agent, { thread, input }: PlannedThread): Promise<Ending> {
  const { run } = await storedFrame(agent.journal, thread)
  if (run) return follow(agent.resume(thread))
  try {
    return await follow(agent.start(input, { thread, whenBusy: 'reject' }))
  } catch (error) {
    if (!isLoomError(error) || error.code !== 'LOOM_THREAD_BUSY') throw error
    return follow(agent.resume(thread))
  }
}

async function follow(handle: RunHandle): Promise<Ending> {
  if (job.pick !== undefined) await answerOne(handle, job.pick)
  else if (job.start === 'resume') for await (const event of handle.events({ nested: true })) if ('seq' in event) notified(event)
  const { status, text } = await handle.result()
  return { thread: handle.thread, status, text }
}

async function answerOne(handle: RunHandle, pick: number): Promise<void> {
  const { questions } = await handle.result()
  const question = questions[Math.floor(pick * questions.length)] as Question
  await handle.answer(question.id, steadyAnswer(question))
  reporter.write({ kind: 'answered', question: question.id })
}

main().catch((error: unknown) => {
  reporter.write({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exitCode = 1
})
