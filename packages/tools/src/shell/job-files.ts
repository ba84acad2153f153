/**
 * Background jobs as files: a folder for each, with what was started, what it printed, and how it ended.
 *
 * JOB-1. The id of a job is made of the key of its call, and its folder is made once: the same call never starts a second one.
 * JOB-2. A job is known by its process number and the time at which that process was started, or by the mark in its environment (SHELL-2). A job that
 *     neither runs nor has left a code was killed, where the model has asked for that, or is lost; it is never started again.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProcesses, isRunning, type ProcessId } from './processes.ts'
import { refusal } from './refusal.ts'

/** What is recorded of a job. */
export interface JobRecord {
  /** Its id. */
  readonly id: string
  /** The thread whose model started it. */
  readonly thread: string
  /** The call that started it. */
  readonly call?: string
  /** The command. */
  readonly command: string
  /** Where it runs. */
  readonly cwd: string
  /** The mark of its processes. */
  readonly mark: string
  /** Its shell, once it was started. */
  readonly process?: ProcessId
}

/** How a job is. */
export type JobStatus =
  | { readonly status: 'running' }
  | {
      readonly status: 'ended'
      /** The code that it ended with. */
      readonly exitCode: number
    }
  | {
      /** `killed`: it was ended because the model asked for that. `lost`: it no longer runs, and nobody knows why. */
      readonly status: 'killed' | 'lost'
    }

/** The id of the job of a call. */
export const jobIdOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 12)

/** A file of a job. */
export const jobFile = (folder: string, id: string, name: 'job.json' | 'output' | 'exit' | 'killed' | 'told' | 'files'): string =>
  join(folder, id, name)

/** Makes the folder of a job; returns false when it is there already (JOB-1). */
export function claimJob(folder: string, record: JobRecord): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    mkdirSync(join(folder, record.id), { mode: 0o700 })
  } catch (error) {
    if (existsSync(join(folder, record.id))) return false
    throw error
  }
  writeRecord(folder, record)
  return true
}

/** Writes the record of a job, whole. */
export function writeRecord(folder: string, record: JobRecord): void {
  const place = jobFile(folder, record.id, 'job.json')
  writeFileSync(`${place}.new`, JSON.stringify(record), { mode: 0o600 })
  renameSync(`${place}.new`, place)
}

/** The record of a job; undefined when there is none. */
export function readRecord(folder: string, id: string): JobRecord | undefined {
  const place = jobFile(folder, id, 'job.json')
  return existsSync(place) ? (JSON.parse(readFileSync(place, 'utf8')) as JobRecord) : undefined
}

/** All jobs, or those of one thread. */
export function listJobs(folder: string, thread?: string): readonly JobRecord[] {
  if (!existsSync(folder)) return []
  const records = readdirSync(folder)
    .filter((name) => /^[\da-f]{12}$/.test(name))
    .flatMap((id) => readRecord(folder, id) ?? [])
  return records.filter((record) => thread === undefined || record.thread === thread)
}

/** The job of this id in the thread; refuses another one. */
export function requireJob(folder: string, id: string, thread: string): JobRecord {
  const record = /^[\da-f]{12}$/.test(id) ? readRecord(folder, id) : undefined
  if (record?.thread === thread) return record
  const known = listJobs(folder, thread).map((job) => job.id)
  const advice = known.length === 0 ? 'There are no jobs in this thread.' : `The jobs of this thread are ${known.join(', ')}.`
  throw refusal('LOOM_TOOL_INPUT_INVALID', `There is no job ${id.slice(0, 40)}. ${advice}`)
}

/** How a job is now (JOB-2). */
export function statusOf(folder: string, record: JobRecord): JobStatus {
  const exit = exitOf(folder, record.id)
  if (exit !== undefined) return { status: 'ended', exitCode: exit }
  if (record.process && isRunning(record.process)) return { status: 'running' }
  if (findProcesses({ mark: record.mark, outputs: [] }).length > 0) return { status: 'running' }
  // It may have ended while it was looked for.
  const late = exitOf(folder, record.id)
  if (late !== undefined) return { status: 'ended', exitCode: late }
  return { status: existsSync(jobFile(folder, record.id, 'killed')) ? 'killed' : 'lost' }
}

function exitOf(folder: string, id: string): number | undefined {
  const place = jobFile(folder, id, 'exit')
  const text = existsSync(place) ? readFileSync(place, 'utf8') : ''
  return /^\d+\n$/.test(text) ? Number(text) : undefined
}
