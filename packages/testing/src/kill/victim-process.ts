/**
 * The program that is killed: it is handed a job on its input, goes on with its threads from wherever they are, and announces what it does on
 * descriptor 3.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Agent, RunHandle } from '@loom-agent/agent'
import { frameAt, isLoomError } from '@loom-agent/kernel'
import { type Announcer, createAnnouncer, type Ending } from './announcer.ts'
import type { Errand, Job } from './job.ts'
import { reachOutside } from './outside.ts'
import { victimAgent } from './victim-agent.ts'
import { victimJournal } from './victim-journal.ts'

const job = JSON.parse(readFileSync(0, 'utf8')) as Job
const announcer = createAnnouncer(3)

async function main(): Promise<void> {
  const outside = await reachOutside(job.port)
  await outside.hello(`${job.life}/${job.process}`)
  announcer.enter('opening')
  const journal = await victimJournal(job, announcer)
  const clerk = victimAgent({ job, outside, announcer }, journal)
  if (job.way === 'recover') await clerk.recover()
  const endings = await Promise.all(job.errands.map((errand) => pursue(clerk, errand)))
  announcer.enter('over')
  announcer.say({ kind: 'ended', endings })
  // What is left over of a driver that has lost its thread may still have something to say.
  if (job.linger.end) await pause(job.linger.end)
  await journal.close()
  outside.close()
}

/**
 * Goes on with a thread, or begins it, until its run is over or waits.
 *
 * A process that was killed while it began the run may have begun it all the same: what it had sent may reach the server's tables after somebody has
 * looked. So a run is begun on condition that there is none.
 */
async function pursue(clerk: Agent, { thread, input }: Errand): Promise<Ending> {
  const { run } = await frameAt(clerk.journal, thread)
  if (run) return follow(clerk.resume(thread))
  try {
    return await follow(clerk.start(input, { thread, whenBusy: 'reject' }))
  } catch (error) {
    if (!isLoomError(error) || error.code !== 'LOOM_THREAD_BUSY') throw error
    return follow(clerk.resume(thread))
  }
}

async function follow(handle: RunHandle): Promise<Ending> {
  if (job.way === 'resume') await tell(handle, announcer)
  const { status, text } = await handle.result()
  return { thread: handle.thread, status, text }
}

/** Says what clients are told. */
async function tell(handle: RunHandle, { say }: Announcer): Promise<void> {
  for await (const event of handle.events({ nested: true })) if ('seq' in event) say({ kind: 'told', event })
}

main().catch((error: unknown) => {
  announcer.say({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exitCode = 1
})
