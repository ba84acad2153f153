/** Damage of the files of a journal. It is always reported. */
import type { JsonObject, LoomError, Seq } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'

/**
 * `torn`: the end of a file is not whole, as a power failure leaves it; it is cut off and kept beside the file (`copy`).
 * `damaged`: something that was durable is not what was written; the thread can be read up to there and not be written.
 * `unknown`: the file is not one that this version can read. `blob`: a blob of format 1 is missing or not what was written.
 */
export type DamageKind = 'torn' | 'damaged' | 'unknown' | 'blob'

/** One damaged place of a file. */
export type Damage = Readonly<{
  kind: DamageKind
  /** The name of the file in the folder. */
  file: string
  thread?: string | undefined
  /** Where it starts, in bytes. */
  offset: number
  /** Where it starts, as a line number from 1. */
  line: number
  /** The first event that is affected. */
  seq: Seq
  reason: string
  /** The file that holds what was cut off. */
  copy?: string | undefined
}>

/** A damage, in a sentence. */
export function describeDamage({ kind, file, thread, offset, line, seq, reason, copy }: Damage): string {
  const where = `${file}, line ${line}, byte ${offset}${thread === undefined ? '' : `, ${thread}@${seq}`}`
  const kept = copy === undefined ? '' : ` What was cut off is kept in ${copy}.`
  return `The journal is ${kind === 'torn' ? 'torn' : 'damaged'} (${where}): ${reason}.${kept}`
}

/** The error of an operation that needs what is damaged. */
export function damageError(damage: Damage): LoomError {
  const advice = 'Restore the file from a copy, or keep what readEvents returns until then and remove the thread.'
  const { kind, file, thread, offset, line, seq } = damage
  const context: JsonObject = { kind, file, thread, offset, line, seq }
  return journalError('damaged', `${describeDamage(damage)} ${advice}`, { context })
}

/** Emits a warning of the process; used when no `onDamage` was given. */
export function warnOfDamage(damage: Damage): void {
  process.emitWarning(describeDamage(damage), { type: 'LoomJournalWarning', code: `LOOM_${damage.kind.toUpperCase()}` })
}
