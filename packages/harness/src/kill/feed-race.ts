/**
 * The feed under kills: processes append to the same threads and are killed, readers leave and return with their cursor, a server dies.
 *
 * Nothing is judged by the journal: what was to be seen is what the writers announced and were acknowledged, on pipes that outlive them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Finding, randomOf } from '@loom-agent/testing/crash'
import { onLines } from '../process/lines.ts'
import type { PostgresServer } from '../servers/postgres-server.ts'
import { programWith, type SourceFault } from '../source-faults/source-fault.ts'
import { type FeedAttempt, judgeFeed, type SeenEntry } from './judge-feed.ts'
import { type JournalPlace, makePlace, openJournal, type Site } from './place.ts'

/** A writer: so many appends, by so many loops at the same time. */
export interface FeedWriterJob {
  readonly place: JournalPlace
  readonly writer: number
  readonly seed: number
  readonly appends: number
  readonly together: number
  readonly threads: number
  /** How likely a thread is removed instead. */
  readonly removals: number
}

/** A reader: from a cursor on, page by page. The last one ends when nothing more is to come; the others read until they are killed. */
export interface FeedReaderJob {
  readonly place: JournalPlace
  readonly from: string | undefined
  readonly limit: number
  readonly isLast: boolean
}

/** What a writer reports: what it is about to do, and then how it ended. */
export type FeedLine =
  | ({ readonly id: number } & Pick<FeedAttempt, 'kind' | 'thread' | 'incarnation' | 'seq'>)
  | { readonly id: number; readonly outcome: 'acknowledged' | 'refused' }

/** How the race is run. */
export interface FeedRaceOptions extends Site {
  readonly name: string
  readonly kind: 'sqlite' | 'postgres'
  readonly writers: number
  readonly appends: number
  /** Kills of writers, and how often each reader leaves. */
  readonly kills: number
  readonly departures: number
  /** The server, which is killed so often. */
  readonly server?: PostgresServer
  readonly serverKills?: number
  readonly seed: number
  /** A fault that is planted in the readers. */
  readonly fault?: SourceFault
  readonly onProgress?: (appends: number) => void
}

/** What was done, and what was found. */
export interface FeedRaceReport {
  readonly journal: 'sqlite' | 'postgres'
  readonly seed: number
  readonly writers: number
  readonly appends: number
  readonly removals: number
  /** Attempts of killed writers of which nobody knows whether they were committed. */
  readonly unknown: number
  readonly kills: number
  readonly serverKills: number
  /** Readers, how often they left and returned, and the entries that they saw together. */
  readonly readers: number
  readonly returns: number
  readonly seen: number
  readonly findings: readonly Finding[]
}

/** Entries of a page, for each reader. */
const pageSizes = [7, 100, 1000]
const [together, removals, appendsOfAThread] = [3, 1 / 100, 100]

interface Race {
  readonly options: FeedRaceOptions
  readonly place: JournalPlace
  readonly random: () => number
  readonly attempts: FeedAttempt[]
  readonly findings: Finding[]
  /** Appends that were acknowledged. */
  acknowledged: number
  kills: number
  serverKills: number
  returns: number
  isOver: boolean
}

/** Runs the race. */
export async function feedRace(options: FeedRaceOptions): Promise<FeedRaceReport> {
  const { name, kind, writers, seed } = options
  const place = await makePlace(kind, name, options)
  const counts = { acknowledged: 0, kills: 0, serverKills: 0, returns: 0 }
  const race: Race = { options, place, random: randomOf(seed), attempts: [], findings: [], ...counts, isOver: false }
  if (place.kind === 'postgres') await slowCommits(place)
  const readers = pageSizes.map((limit) => runReader(race, limit))
  const shares = Array.from({ length: writers }, (_, writer) => shareOf(options.appends, writers, writer))
  const server = killServer(race)
  await Promise.all(shares.map((appends, writer) => runWriter(race, { writer, appends })))
  race.isOver = true
  await server
  const readings = (await Promise.all(readers)).map((entries, index) => ({ reader: `reader ${index + 1}`, entries }))
  const { attempts, kills, serverKills, returns, acknowledged } = race
  const removed = attempts.filter((attempt) => attempt.kind === 'removed' && attempt.outcome === 'acknowledged').length
  return {
    journal: kind,
    seed,
    writers,
    appends: acknowledged,
    removals: removed,
    unknown: attempts.filter(({ outcome }) => outcome === 'unknown').length,
    kills,
    serverKills,
    readers: readings.length,
    returns,
    seen: readings.reduce((sum, { entries }) => sum + entries.length, 0),
    findings: [...race.findings, ...judgeFeed(attempts, readings)],
  }
}

/** Some commits of the server take a moment: they become visible after others that came later. */
async function slowCommits(place: Extract<JournalPlace, { kind: 'postgres' }>): Promise<void> {
  // The tables are made by the first operation.
  const journal = await openJournal(place)
  await journal.threads({ limit: 1 })
  await journal.close()
  // Loaded on use: most processes need no server.
  const { default: driver } = await import('postgres')
  const sql = driver(place.url, { max: 1, onnotice: () => {} })
  const body = `begin if random() < 0.1 then perform pg_sleep(0.2); end if; return null; end`
  await sql.unsafe(`create function ${place.schema}.slow() returns trigger language plpgsql as '${body}'`)
  await sql.unsafe(
    `create constraint trigger slow after insert on ${place.schema}.batches deferrable initially deferred for each row execute function ${place.schema}.slow()`,
  )
  await sql.end()
}

/** A share of a whole number: all shares together are the number. */
const shareOf = (whole: number, parts: number, part: number): number => Math.floor((whole * (part + 1)) / parts) - Math.floor((whole * part) / parts)

/** One process after another: all but the last append until they are killed, and the last does what is left of the writer's appends. */
async function runWriter(race: Race, { writer, appends }: { writer: number; appends: number }): Promise<void> {
  const { options, place, random, attempts, findings } = race
  const kills = shareOf(options.kills, options.writers, writer)
  const threads = Math.max(3, Math.floor(options.appends / appendsOfAThread))
  let done = 0
  for (let life = 0; life < kills || (life === kills && done < appends); life += 1) {
    const seed = Math.floor(random() * 1e9)
    const isLast = life === kills
    const job: FeedWriterJob = { place, writer, seed, appends: isLast ? appends - done : Number.MAX_SAFE_INTEGER, together, threads, removals }
    const doomedAt = isLast ? Number.POSITIVE_INFINITY : Math.floor(((life + 0.2 + random() * 0.8) * appends) / (kills + 1))
    const own = new Map<number, FeedAttempt>()
    const child = startProgram('feed-writer-process', job)
    onLines(child.stdout as Readable, (text) => {
      const line = JSON.parse(text) as FeedLine
      const attempt = own.get(line.id)
      if (!('outcome' in line)) {
        const { kind, thread, incarnation, seq } = line
        const announced: FeedAttempt = { kind, thread, incarnation, seq, outcome: 'unknown' }
        own.set(line.id, announced)
        attempts.push(announced)
        // The kill comes when something is announced: in the middle of an append.
        if (done >= doomedAt) child.kill('SIGKILL')
      } else if (attempt) {
        attempt.outcome = line.outcome
        if (attempt.kind === 'removed' || line.outcome === 'refused') return
        done += 1
        race.acknowledged += 1
        options.onProgress?.(race.acknowledged)
      }
    })
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    if (signal === 'SIGKILL') race.kills += 1
    else if (code !== 0) return void findings.push({ kind: 'failed', at: `writer ${writer}`, message: `it ended with ${code}` })
  }
}

/** One reader: it is killed now and then, and the next process continues from the last entry that was reported. */
async function runReader(race: Race, limit: number): Promise<readonly SeenEntry[]> {
  const { options, place, random, findings } = race
  const entries: SeenEntry[] = []
  const stay = Math.max(5, Math.floor(options.appends / (options.departures + 1)))
  for (let departures = 0; ; ) {
    const isLast = race.isOver
    const leavesAt = departures < options.departures ? entries.length + Math.floor(random() * stay * 1.5) : Number.POSITIVE_INFINITY
    const child = startProgram('feed-reader-process', { place, from: entries.at(-1)?.position, limit, isLast } satisfies FeedReaderJob, options.fault)
    let isGone = false
    const leave = (): void => {
      isGone = true
      child.kill('SIGKILL')
    }
    onLines(child.stdout as Readable, (line) => {
      // What arrives after the reader has left was not processed: it comes again.
      if (isGone) return
      entries.push(JSON.parse(line) as SeenEntry)
      if (!isLast && entries.length >= leavesAt) leave()
    })
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    const whenOver = isLast ? undefined : untilOver(race, closed, leave)
    const [code, signal] = await closed
    await whenOver
    if (code !== 0 && signal === null) findings.push({ kind: 'failed', at: `reader ${limit}`, message: `it ended with ${code}` })
    if (isLast || findings.length > 0) return entries
    departures += 1
    race.returns += 1
    await pause(Math.floor(random() * 200))
  }
}

/** Lets a reader leave when the writers are done: another one reads to the end. */
async function untilOver(race: Race, closed: Promise<unknown>, leave: () => void): Promise<void> {
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })
  while (!isClosed && !race.isOver) await pause(50)
  if (!isClosed) leave()
}

/** Kills the server so often, each time after another share of the appends. */
async function killServer(race: Race): Promise<void> {
  const { server, serverKills = 0, appends } = race.options
  for (let kill = 0; server && kill < serverKills; kill += 1) {
    while (race.acknowledged < ((kill + 0.5) * appends) / serverKills && !race.isOver) await pause(5)
    if (race.isOver) return
    await server.kill()
    await server.start()
    race.serverKills += 1
  }
}

function startProgram(name: string, job: FeedWriterJob | FeedReaderJob, fault?: SourceFault): ChildProcess {
  const { args, env } = programWith(import.meta.url, name, fault)
  return spawn(process.execPath, [...args, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'], env })
}
