/**
 * Schedules and a webhook in servers that are killed: two processes on one journal, each with a wall clock of its own that is off by seconds, ended by
 * SIGKILL at any moment and started again with another clock.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { postgres } from '@loom-agent/journals/postgres'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { createWebhookSecret, pauseSchedule } from '@loom-agent/server'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { type Receiver, receive, receivedOnce } from './webhook-world.ts'

const often = { agent: 'clerk', input: 'Go.', every: '1s', missed: 'all', most: 1000 } as const

/** The schedules of a storm: two whose runs have threads of their own, and one with a thread for all. */
export const stormSchedules: { readonly [name: string]: typeof often & { readonly thread?: string } } = {
  one: often,
  other: often,
  shared: { ...often, thread: 'shared' },
}

/** The journal of a storm: a SQLite file, or a PostgreSQL server. */
export const openStorm = (where: string): Journal => (where.startsWith('postgres:') ? postgres(where) : sqlite(where))

/** How a storm is made. */
export interface StormOptions {
  /** How many processes are killed. */
  readonly kills: number
  /** Draws from 0 to 1. */
  readonly random: () => number
  /** The address of a PostgreSQL server; default: a SQLite file. */
  readonly address?: string | undefined
}

/** What came of a storm. */
export interface StormEnd {
  readonly kills: number
  /** Due times that were decided about. */
  readonly due: number
  /** Runs that were started. */
  readonly runs: number
  /** Requests that the receiver got, and deliveries among them. */
  readonly requests: number
  readonly deliveries: number
  /** What is not as it has to be. */
  readonly faults: readonly string[]
}

/** Milliseconds by which a clock is off at most, in either direction. */
const mostSkew = 4000
const together = 2

/** Makes a storm, and judges what is left when it is over. */
export async function storm({ kills, random, address }: StormOptions): Promise<StormEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'loom-storm-'))
  const where = address ?? join(folder, 'loom.db')
  const secret = createWebhookSecret()
  const to = await receive([secret])
  to.reply = () => (random() < 0.2 ? 500 : 204)
  const journal = openStorm(where)
  const running: ChildProcess[] = []
  try {
    const start = async (): Promise<void> =>
      void running.push(await startServer([where, to.url, secret, String(Math.round((random() * 2 - 1) * mostSkew))]))
    for (let n = 0; n < together; n += 1) await start()
    for (let n = 0; n < kills; n += 1) {
      await somethingIsStored(journal, random)
      const [killed] = running.splice(Math.floor(random() * running.length), 1)
      if (killed) await killNow(killed)
      await start()
    }
    for (const name of Object.keys(stormSchedules)) await pauseSchedule(journal, name)
    await until(async () => (await journal.threads({ status: 'running' })).length === 0 && (await leftOf(journal)) === 0)
    const finished = await finishedOf(journal)
    await until(() => receivedOnce(to).length >= finished.length)
    return await judge(journal, to, kills)
  } finally {
    await Promise.all(running.map(killNow))
    await to.close()
    await journal.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startServer(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--conditions=loom-source', join(import.meta.dirname, 'storm-process.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return child
}

async function killNow(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Waits until a schedule or the webhook goes on, and a moment more: what follows is cut off at any point. */
async function somethingIsStored(journal: Journal, random: () => number): Promise<void> {
  const threads = [...scheduleThreads, 'webhook:out', 'shared']
  const thread = threads[Math.floor(random() * threads.length)] ?? ''
  const seqOf = async (): Promise<number> => (await journal.head(thread))?.seq ?? 0
  const before = await seqOf()
  await until(async () => (await seqOf()) > before)
  await idle(Math.floor(random() * 40))
}

const scheduleThreads = Object.keys(stormSchedules).map((name) => `schedule:${name}`)

/** How many decisions are not carried out. */
async function leftOf(journal: Journal): Promise<number> {
  const all = await Promise.all(scheduleThreads.map((thread) => eventsOf(journal, thread)))
  return all.flat().filter(isDecision).length - all.flat().filter(({ type }) => type === 'schedule.started').length
}

const isDecision = (event: LoomEvent): boolean => event.type === 'schedule.due' && event.data.starts.length > 0

async function runEvents(journal: Journal, type: LoomEvent['type']): Promise<readonly LoomEvent[]> {
  const found: LoomEvent[] = []
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ agent: 'clerk', limit: 100, ...(after !== undefined && { after }) })
    for (const { thread } of page) found.push(...(await eventsOf(journal, thread)).filter((event) => event.type === type))
    after = page.at(-1)?.thread
    if (page.length < 100) return found
  }
}

const finishedOf = (journal: Journal): Promise<readonly LoomEvent[]> => runEvents(journal, 'run.finished')

/** The ids of the starts that threads have recorded. */
async function startsOf(journal: Journal): Promise<readonly string[]> {
  const [started, queued] = await Promise.all([runEvents(journal, 'run.started'), runEvents(journal, 'run.queued')])
  return [...started, ...queued].flatMap((event) =>
    'request' in event.data ? [(event.data.request as { start?: { id: string } }).start?.id ?? 'none'] : [],
  )
}

/** What is not as it has to be: due times with no run or with two, decisions that leave a due time out, deliveries that are missing or in another order. */
export async function judge(journal: Journal, to: Receiver, kills: number): Promise<StormEnd> {
  const faults: string[] = []
  const starts = await startsOf(journal)
  const wanted: string[] = []
  for (const thread of scheduleThreads) {
    const events = await eventsOf(journal, thread)
    const set = events.find((event) => event.type === 'schedule.set')
    const decided = events.flatMap((event) => (event.type === 'schedule.due' ? [event.data] : []))
    for (const { skipped } of decided) if (skipped) faults.push(`${thread} has skipped due times`)
    const times = decided.flatMap((due) => due.starts)
    const from = set && 'from' in set.data ? set.data.from : 0
    const expected = Array.from({ length: times.length }, (_, index) => from + (index + 1) * 1000)
    if (times.join() !== expected.join()) faults.push(`${thread} has decided about other due times than each one once`)
    wanted.push(...times.map((time) => `${thread}:${new Date(time).toISOString()}`))
  }
  if ([...starts].sort().join() !== [...wanted].sort().join()) faults.push(`${starts.length} runs were started for ${wanted.length} due times`)
  const finished = await finishedOf(journal)
  const received = receivedOnce(to)
  const keyOf = ({ thread, seq }: { readonly thread: string; readonly seq: number }): string => `${thread}@${seq}`
  const got = new Set(received.map(keyOf))
  for (const event of finished) if (!got.has(keyOf(event))) faults.push(`${keyOf(event)} was not received`)
  if (got.size !== received.length) faults.push('an event was received under two ids')
  const last = new Map<string, number>()
  for (const { thread, seq } of received) {
    if (seq < (last.get(thread) ?? 0)) faults.push(`${thread}@${seq} came after a later one`)
    last.set(thread, seq)
  }
  return { kills, due: wanted.length, runs: starts.length, requests: to.receipts.length, deliveries: received.length, faults }
}
