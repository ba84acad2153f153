/**
 * Flushing, proved apart from kills: a killed process loses nothing that it has written, but a machine without power loses what was not synced.
 *
 * A program is traced while it appends. From the trace the files are rebuilt as they could be on disk at any moment, with every write that was
 * not followed by a sync lost, torn or scattered; then the journal is opened, and everything acknowledged until then must be there.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sqlite } from '@loom-agent/journals/sqlite'
import { isLoomError, type LoomEvent } from '@loom-agent/kernel'
import { eventsOf, randomOf } from '@loom-agent/testing/crash'
import { programOf } from '../process/program.ts'
import { afterPowerFailure, createFolder, type Folder, type PowerFailure, type StoredFile } from './power-failure.ts'
import { applyOperation, type FileOperation, readTrace, straceOptions } from './trace.ts'
import { type Build, textAt } from './written.ts'

/** How much is tried. */
export interface FlushProofOptions {
  readonly build?: Build
  /** Groups of batches that the traced program appends. */
  readonly rounds: number
  /** Power failures. */
  readonly schedules: number
  readonly seed: number
  readonly onProgress?: (done: number) => void
}

/** What was tried, and the figures. */
export interface FlushProofReport {
  readonly operations: number
  /** Batches that were acknowledged. */
  readonly acknowledged: number
  readonly commits: number
  /** Syncs of the database's files. */
  readonly syncs: number
  /** Acknowledgements that came while something written was not synced. */
  readonly unsynced: number
  /** Writes that moved pages from the WAL into the database. */
  readonly moved: number
  readonly schedules: number
  /** Acknowledged batches that were looked for, all schedules together. */
  readonly checked: number
  /** Schedules in which something was missing or damaged. */
  readonly broken: number
  readonly problems: readonly string[]
}

/** What was acknowledged until a moment: how long each thread is. */
type Acknowledged = ReadonlyMap<string, number>

const database = 'loom.db'
const failures: readonly PowerFailure[] = ['forget', 'tear', 'scatter']
/** Problems that are reported in full. */
const mostProblems = 5

/** Traces a program that appends, and fails the power at many moments. */
export async function flushProof({ build = 'strict', rounds, schedules, seed, onProgress }: FlushProofOptions): Promise<FlushProofReport> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loom-flush-')))
  try {
    const operations = await traced(folder, { build, rounds })
    const random = randomOf(seed)
    const moments = Array.from({ length: schedules }, () => momentIn(operations, random)).sort((a, b) => a - b)
    const disk = createFolder<StoredFile>()
    const acknowledged = new Map<string, number>()
    const report = { checked: 0, broken: 0, problems: [] as string[] }
    let done = 0
    for (const [index, moment] of moments.entries()) {
      for (; done < moment; done += 1) follow(disk, acknowledged, operations[done] as FileOperation)
      const how = failures[index % failures.length] as PowerFailure
      const problem = await restart(join(folder, 'restored'), { disk, acknowledged, how, random })
      for (const seq of acknowledged.values()) report.checked += seq
      if (problem !== undefined) report.broken += 1
      if (problem !== undefined && report.problems.length < mostProblems) report.problems.push(`after operation ${moment} (${how}): ${problem}`)
      onProgress?.(index + 1)
    }
    return { ...countsOf(operations), schedules, ...report }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function traced(folder: string, { build, rounds }: { build: Build; rounds: number }): Promise<readonly FileOperation[]> {
  const written = join(folder, 'written')
  const trace = join(folder, 'trace')
  await mkdir(written)
  const { args, env } = programOf(import.meta.url, 'writer-process')
  const program = [process.execPath, ...args, written, String(rounds), build]
  await promisify(execFile)('strace', [...straceOptions, '-o', trace, ...program], { maxBuffer: 1 << 26, env })
  return readTrace(await readFile(trace, 'latin1'), written)
}

/** Half of the moments are right after an acknowledgement. */
function momentIn(operations: readonly FileOperation[], random: () => number): number {
  const any = Math.floor(random() * (operations.length + 1))
  if (random() < 0.5) return any
  const next = operations.findIndex(({ kind }, index) => index >= any && kind === 'printed')
  return next === -1 ? any : next + 1
}

function follow(disk: Folder<StoredFile>, acknowledged: Map<string, number>, operation: FileOperation): void {
  if (operation.kind !== 'printed') return applyOperation(disk, operation)
  for (const [, thread = '', seq] of operation.line.matchAll(/^acknowledged (\w+) (\d+)$/gm)) acknowledged.set(thread, Number(seq))
}

type Outage = Readonly<{ disk: Folder<StoredFile>; acknowledged: Acknowledged; how: PowerFailure; random: () => number }>

/** Writes what a power failure has left, opens the journal and looks for what was acknowledged; returns what is wrong. */
async function restart(folder: string, { disk, acknowledged, how, random }: Outage): Promise<string | undefined> {
  await mkdir(folder)
  try {
    const { names, contents } = afterPowerFailure(disk, how, random)
    for (const [name, file] of names) await writeFile(join(folder, name), contents.get(file) ?? '')
    return await missing(join(folder, database), acknowledged)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function missing(path: string, acknowledged: Acknowledged): Promise<string | undefined> {
  try {
    const journal = sqlite(path)
    try {
      for (const [thread, seq] of acknowledged) {
        const events = await eventsOf(journal, thread)
        const wrong = Array.from({ length: seq }, (_, index) => index).find((index) => textIn(events[index]) !== textAt(thread, index + 1))
        if (wrong !== undefined) return `${thread}@${wrong + 1} was acknowledged up to ${seq}, and the journal ends at ${events.length}`
      }
      return undefined
    } finally {
      await journal.close()
    }
  } catch (error) {
    if (isLoomError(error)) return error.message
    throw error
  }
}

function textIn(event: LoomEvent | undefined): string | undefined {
  if (event?.type !== 'model.replied') return undefined
  const [part] = event.data.parts
  return part?.type === 'text' ? part.text : undefined
}

function countsOf(operations: readonly FileOperation[]): Omit<FlushProofReport, 'schedules' | 'checked' | 'broken' | 'problems'> {
  let [acknowledged, commits, syncs, unsynced, written, moved] = [0, 0, 0, 0, 0, 0]
  for (const operation of operations) {
    if (operation.kind === 'sync') [syncs, written] = [syncs + 1, 0]
    if (operation.kind === 'write') written += 1
    if (operation.kind === 'write' && operation.name === database) moved += 1
    if (operation.kind !== 'printed') continue
    const lines = [...operation.line.matchAll(/^acknowledged/gm)].length
    acknowledged += lines
    if (written > 0) unsynced += lines
    commits = Number(/^commits (\d+)$/m.exec(operation.line)?.[1] ?? commits)
  }
  return { operations: operations.length, acknowledged, commits, syncs, unsynced, moved }
}
