/** Rules about forks: what they begin with, which instructions they send, and what they take from the record of their parent. */
import type { EventOf, LoomEvent } from '@loom-agent/kernel'
import { blame, type ForkNote, type Ledger } from './ledger.ts'

/** The note of a fork. */
export function noteFork({ from, effects, edits, instructions }: EventOf<'thread.forked'>['data']): ForkNote {
  const at = from.lastIndexOf('@')
  const made = Array.isArray(edits) ? (edits as ForkNote['edits']) : []
  return { parent: from.slice(0, at), cut: Number(from.slice(at + 1)), effects, edits: made, instructions, used: new Set(), driven: false }
}

/** Whether an event before the first driver of a fork is what its edits make. */
export function isMadeByEdit({ edits }: ForkNote, { type, data }: LoomEvent): boolean {
  const has = (kind: string, call?: string): boolean => edits.some((edit) => edit.kind === kind && edit.call === call)
  if (type === 'tool.denied') return has('deny', data.call)
  if (type === 'tool.finished') return data.meta?.['edited'] === true ? has('result', data.call) : data.errorType === 'cancelled' && has('input')
  return (type === 'run.stopped' && has('input')) || (type === 'hook.applied' && has('instructions'))
}

/** A fork with instructions sends no others. */
export function checkInstructions(ledger: Ledger): void {
  const instructions = ledger.fork?.instructions
  const { system } = ledger
  // A fork that is read without its past may have had its instructions before.
  if (instructions !== undefined && system !== undefined && system !== instructions)
    blame(ledger, 'HIST-40', `The model is sent the instructions "${system}", and those of the fork are "${instructions}".`)
}

/** What is taken from the record of the parent names a moment after the cut, once, and only where effects are recorded. */
export function checkRecorded(ledger: Ledger, moment: unknown): void {
  if (moment === undefined) return
  const { fork } = ledger
  const at = String(moment)
  const seq = Number(at.slice(at.lastIndexOf('@') + 1))
  if (fork?.effects !== 'recorded') blame(ledger, 'HIST-41', `${at} is used, and the thread takes nothing from a record.`)
  else if (at.slice(0, at.lastIndexOf('@')) !== fork.parent || !(seq > fork.cut))
    blame(ledger, 'HIST-41', `${at} is not after ${fork.parent}@${fork.cut}.`)
}

/** The result of a call, or the answer to a question, is used once; several approvers may have settled one question. */
export function useRecorded(ledger: Ledger, moment: unknown): void {
  checkRecorded(ledger, moment)
  if (typeof moment !== 'string' || !ledger.fork) return
  if (ledger.fork.used.has(moment)) blame(ledger, 'HIST-41', `${moment} is used a second time.`)
  ledger.fork.used.add(moment)
}
