/**
 * Background jobs: they survive the turn and the process that started them.
 *
 * JOB-3. The end of a job reaches its thread as one steered message. Who sends it claims it first; what a sender that was lost had not sent is sent by the
 *     next one, which looks into the journal before.
 */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { steer } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import type { FolderWorkspace } from '../workspace/workspace.ts'
import { marked } from './environment.ts'
import { keepFiles, recordJobChanges } from './job-changes.ts'
import { claimJob, type JobRecord, type JobStatus, jobFile, jobIdOf, listJobs, readRecord, statusOf, writeRecord } from './job-files.ts'
import { wholeLength, withoutStart } from './output.ts'
import { endProcesses, isRunning, type ProcessId, processId } from './processes.ts'
import { refusal } from './refusal.ts'
import { bashFor, type Running, shellArguments } from './run-command.ts'
import { confined, newMark } from './start-program.ts'

/** Where jobs are kept, and where their ends are told. */
export interface JobsOptions {
  /** The folder of the jobs' files; only the owner may read it. */
  readonly folder: string
  /** The journal of the threads: the end of a job is steered to its thread. Default: nobody is told. */
  readonly journal?: Journal | undefined
  /** The workspace that jobs change: what one has changed is recorded on its thread when it has ended. Default: nobody looks. */
  readonly workspace?: FolderWorkspace | undefined
  /** Bytes of output that a job may have; default 16 MiB. A job that prints more is ended by the closed pipe. */
  readonly maxJobBytes?: number | undefined
}

/** The program that passes on so many bytes, as soon as they come. The head of other systems passes them on later. */
const limiter = process.platform === 'linux' ? 'dd bs=65536 iflag=count_bytes count="$bytes" status=none' : 'head -c "$bytes"'

/**
 * Runs the program, keeps its output within the bound, and records its code. The program, the files and the bound are arguments: the script is the same for
 * all jobs. It runs outside of the sandbox of the program, which can reach none of the files.
 */
const script = [
  'output=$1 exit=$2 bytes=$3; shift 3',
  `{ "$@" 2>&1; } </dev/null | ${limiter} >"$output"`,
  'printf "%s\\n" "$PIPESTATUS" >"$exit"',
].join('\n')

/** Starts the job of a call, or returns the one that the call has started already. */
export async function startJob(
  command: string,
  running: Running & { readonly key: string; readonly thread: string; readonly call: string },
  jobs: JobsOptions,
): Promise<JobRecord> {
  const { folder, maxJobBytes = 16 * 1024 * 1024 } = jobs
  const { shell, cwd, key, thread, call } = running
  const record: JobRecord = { id: jobIdOf(key), thread, call, command, cwd, mark: newMark() }
  const { id, mark } = record
  const known = readRecord(folder, id)
  if (known) return known
  // Before it is claimed: a job that cannot be confined was never there.
  const { file, args, env, end } = await confined(bashFor(command, running), running)
  if (!claimJob(folder, record)) {
    await end()
    return readRecord(folder, id) ?? record
  }
  await keepFiles(jobs, record)
  const files = [jobFile(folder, id, 'output'), jobFile(folder, id, 'exit')]
  const given = [...files, String(maxJobBytes), file, ...args]
  const child = spawn(shell, [...shellArguments, '-c', script, 'bash', ...given], { cwd, env: marked(env, mark), detached: true, stdio: 'ignore' })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', () => reject(refusal('LOOM_TOOL_UNAVAILABLE', `${shell} could not be started. Tell the user that there is no such shell.`)))
  })
  child.unref()
  const process = processId(child.pid ?? 0)
  const started = { ...record, ...(process && { process }) }
  writeRecord(folder, started)
  child.once('exit', () => void Promise.all([end(), tellOrFollow(jobs, started)]).catch(() => {}))
  return started
}

/** A part of what a job has printed. */
export interface JobOutput {
  readonly text: string
  /** Where the next part begins. */
  readonly next: number
  readonly bytes: number
}

/** Reads output from an offset on; a negative one counts from the end. */
export function readOutput(folder: string, id: string, { offset, most }: { readonly offset: number; readonly most: number }): JobOutput {
  const place = jobFile(folder, id, 'output')
  const bytes = existsSync(place) ? statSync(place).size : 0
  const from = offset < 0 ? Math.max(0, bytes + offset) : Math.min(offset, bytes)
  if (from >= bytes) return { text: '', next: bytes, bytes }
  const buffer = Buffer.alloc(Math.min(most, bytes - from))
  const file = openSync(place, 'r')
  try {
    const read = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, from))
    const length = from + read.length < bytes ? wholeLength(read) || read.length : read.length
    return { text: withoutStart(read.subarray(0, length)), next: from + length, bytes }
  } finally {
    closeSync(file)
  }
}

/** Ends a job and its processes, because the model has asked for that. */
export async function endJob({ folder }: JobsOptions, record: JobRecord, grace: number): Promise<JobStatus> {
  const { id, mark, process: shell } = record
  const isOpen = statusOf(folder, record).status === 'running'
  // Noted first: who looks while it ends knows why.
  if (isOpen) writeFileSync(jobFile(folder, id, 'killed'), '', { mode: 0o600 })
  await endProcesses({ mark, outputs: [], ...(shell && isOpen && { session: shell.pid }) }, grace)
  return statusOf(folder, record)
}

const withoutCode: Readonly<Record<Exclude<JobStatus['status'], 'ended'>, string>> = {
  running: 'is running',
  killed: 'was killed, as the tool job was asked to do',
  lost: 'was lost: it no longer runs, and left no code',
}

const wordsOf = (record: JobRecord, status: JobStatus, tail: string): string => {
  const how = status.status === 'ended' ? `ended with code ${status.exitCode}` : withoutCode[status.status]
  const printed = tail === '' ? 'It printed nothing.' : `The end of its output:\n${tail}`
  return `The background job ${record.id} (${record.command.slice(0, 200)}) ${how}. ${printed}`
}

interface Claim {
  readonly by?: ProcessId
  readonly isSent: boolean
}

/** Tells the thread of a job how it ended, once (JOB-3). Returns whether this call did. */
export async function tellEnd(jobs: JobsOptions, record: JobRecord): Promise<boolean> {
  const { folder, journal } = jobs
  const status = statusOf(folder, record)
  if (!journal || status.status === 'running') return false
  const place = jobFile(folder, record.id, 'told')
  const by = `job:${record.id}`
  const own = processId(process.pid)
  const claim: Claim = { ...(own && { by: own }), isSent: false }
  try {
    writeFileSync(place, JSON.stringify(claim), { flag: 'wx' })
  } catch {
    const other = readClaim(place)
    // Another process is sending it, or has; or was lost after it had sent it.
    if (other.isSent || (other.by && isRunning(other.by)) || (await isTold(journal, record.thread, by))) return false
    writeFileSync(place, JSON.stringify(claim))
  }
  // A message about its end is the last of a job: its reader finds what the job has changed.
  await recordJobChanges(jobs, record)
  await steer(journal, record.thread, wordsOf(record, status, readOutput(folder, record.id, { offset: -2_000, most: 2_000 }).text), { by })
  writeFileSync(place, JSON.stringify({ ...claim, isSent: true }))
  return true
}

function readClaim(place: string): Claim {
  try {
    return JSON.parse(readFileSync(place, 'utf8')) as Claim
  } catch {
    // It was lost while it was written: nothing was sent.
    return { isSent: false }
  }
}

async function isTold(journal: Journal, thread: string, by: string): Promise<boolean> {
  const events = await journal.read(thread)
  return events.some((event) => event.type === 'message.steered' && event.data.by === by)
}

/** A job, and how it is. */
export interface FoundJob {
  /** Its id. */
  readonly id: string
  /** The thread whose model started it. */
  readonly thread: string
  /** Its command. */
  readonly command: string
  /** Whether it runs, has ended, was killed, or is lost. */
  readonly status: JobStatus['status']
  /** The code that it ended with. */
  readonly exitCode?: number
}

/** A job as it is shown. */
export const foundJob = (folder: string, record: JobRecord): FoundJob => {
  const { id, thread, command } = record
  return { id, thread, command, ...statusOf(folder, record) }
}

const interval = 1_000

/** Follows a job of which nothing else reports the end: looks at it every second until it has ended. Does not keep the process running. */
function follow(jobs: JobsOptions, record: JobRecord): void {
  const timer = setInterval(() => {
    if (statusOf(jobs.folder, record).status === 'running') return
    clearInterval(timer)
    void tellEnd(jobs, record).catch(() => {})
  }, interval)
  timer.unref()
}

/** Tells the thread how a job ended; where the shell of the job is gone and what it started is not, when that is gone too. */
async function tellOrFollow(jobs: JobsOptions, record: JobRecord): Promise<void> {
  if (statusOf(jobs.folder, record).status === 'running') follow(jobs, record)
  else await tellEnd(jobs, record)
}

/**
 * Finds the jobs of earlier processes again: tells the threads of those that have ended or are lost, and follows the others. Call it when a program starts.
 *
 * @example
 * const jobs = await recoverJobs({ folder: './.jobs', journal })
 */
export async function recoverJobs(options: JobsOptions): Promise<readonly FoundJob[]> {
  const jobs = { ...options, folder: resolve(options.folder) }
  const records = listJobs(jobs.folder)
  for (const record of records) {
    await tellOrFollow(jobs, record).catch(() => {})
  }
  return records.map((record) => foundJob(jobs.folder, record))
}
