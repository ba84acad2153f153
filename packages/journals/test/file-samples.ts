/** What the tests of the file journal append, and where. */

import { type FaultyDisk, type FaultyDiskOptions, faultyDisk } from '@loom-agent/harness/disk'
import type { Batch, Claim, Draft, Journal, Json } from '@loom-agent/kernel'
import { expect } from 'vitest'
import { type Damage, type FileMode, file } from '../src/file/index.ts'
import { journalError } from '../src/storage/failure.ts'

/** A fact that is small and changes nothing; it is flushed in every mode. */
export const fact = (value: Json): Draft => ({ type: 'memory.recorded', data: { key: 'fact', value } })
/** A fact that a relaxed journal need not flush. */
export const passing = (value: Json): Draft => ({ type: 'hook.applied', data: { point: 'p', patch: { value } } })

let ids = 0

/** A batch at a seq, under its own id. */
export function batchAt(expected: number, events: readonly Draft[], more: Partial<Batch> = {}): Batch {
  ids += 1
  return { id: `b${ids}`, incarnation: 'i', expected, time: 1000 + expected, events, summary: { status: 'idle' }, ...more }
}

/** A claim of a thread that was started with `batchAt`. */
export function claimOf(worker: string, seen: number, more: Partial<Claim> = {}): Claim {
  return { worker, incarnation: 'i', seen, ...more }
}

/** Appends, and expects that it was accepted. */
export async function accepted(journal: Journal, thread: string, batch: Batch): Promise<void> {
  expect(await journal.append(thread, batch)).toEqual({ kind: 'appended', seq: batch.expected + batch.events.length })
}

/** A journal on a disk in memory, and what it reported. */
export interface World {
  readonly disk: FaultyDisk
  readonly damage: Damage[]
  open(mode?: FileMode): ReturnType<typeof file>
  /** The path of a thread's file. */
  path(stem: string): string
  /** Removes the anchors of the folder, as if they were from a power failure that took them: what is missing cannot be noticed any more. */
  forgetAnchors(): Promise<void>
  /** Puts a file where a thread's file is, in a folder of the present format. */
  put(stem: string, bytes: Uint8Array): Promise<void>
}

const feed = Buffer.from('{"loom":"feed","format":2}\n{"reserved":0}\n')

/** The start of a batch, as a killed process leaves it. */
export const tornLine = '{"id":"torn'

/** A disk in memory with nothing on it. */
export function worldOf(options: FaultyDiskOptions = {}): World {
  const disk = faultyDisk(options)
  const damage: Damage[] = []
  return {
    disk,
    damage,
    open: (mode = 'strict') => file('journal', { mode, onDamage: (found) => damage.push(found), ports: { disk: disk.boot(), now: () => 5 } }),
    path: (stem) => `journal/${stem}.jsonl`,
    forgetAnchors: () => disk.boot().remove('journal/anchors'),
    async put(stem, bytes) {
      const outside = disk.boot()
      await outside.makeFolder('journal')
      for (const [name, content] of [
        [`${stem}.jsonl`, bytes],
        ['feed', feed],
      ] as const) {
        await outside.open(`journal/${name}`, 'create')
        disk.replace(`journal/${name}`, content)
      }
      await outside.syncFolder('journal')
    },
  }
}

/** The codes of the ways in which a journal fails. */
export const codes = {
  unusable: journalError('unusable', '').code,
  unavailable: journalError('unavailable', '').code,
  damaged: journalError('damaged', '').code,
  closed: journalError('closed', '').code,
}

/** The code of the error with which something fails. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof Error && 'code' in error ? String(error.code) : 'none'
}
