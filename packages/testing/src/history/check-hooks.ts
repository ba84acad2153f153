/** Rules about the patches of hooks. */

import { type HookPoint, hookPoints } from '@loom-agent/agent'
import type { EventOf, Limits, Part } from '@loom-agent/kernel'
import { named } from './check-calls.ts'
import { propose } from './check-turns.ts'
import { blame, type CallNote, type Ledger, type RunNote, unsettled } from './ledger.ts'

/** Judges a patch, and records what it changes about the rules ahead. */
export function hookApplied(ledger: Ledger, run: RunNote, { data }: EventOf<'hook.applied'>): void {
  const { point, call: id, patch } = data
  if (!isPoint(point)) return blame(ledger, 'HIST-34', `There is no point ${point}.`)
  const ofCall = point === 'beforeToolExecution' || point === 'afterToolExecution'
  if (ofCall !== (id !== undefined)) return blame(ledger, 'HIST-34', `A patch of ${point} is about ${id ?? 'no call'}.`)
  const call = id === undefined ? undefined : named(ledger, run, id)
  if (ofCall && !call) return
  if (!isPlace(run, point, call)) blame(ledger, 'HIST-34', `A patch of ${point} comes in the wrong place.`)
  if (ofCall || point === 'beforeModelCall') return
  const { parts, limits } = patch as { parts?: readonly Part[]; limits?: Limits }
  if (parts) propose(ledger, run, parts)
  run.limits = { ...run.limits, ...limits }
  // What a hook says of the context has to be assembled before the model can see it.
  if (run.phase === 'model') run.phase = 'context'
}

const isPoint = (point: string): point is HookPoint => (hookPoints as readonly string[]).includes(point)

/** A point is passed once a later event is durable. A patch stays when the context it was made for is dropped and assembled again. */
function isPlace(run: RunNote, point: HookPoint, call: CallNote | undefined): boolean {
  const asking = run.phase === 'context' || run.phase === 'model'
  switch (point) {
    case 'beforeIterationStart':
      return !asking && unsettled(run).length === 0
    case 'beforeContextAssembly':
      return run.phase === 'context'
    case 'afterContextAssembly':
    case 'beforeModelCall':
      return asking && run.sent === undefined
    case 'afterModelReply':
      return run.phase === 'replied' && run.calls.every((one) => !one.settled && !one.start && one.standing === 'free')
    case 'beforeToolExecution':
      return call !== undefined && !call.settled && !call.start
    case 'afterToolExecution':
      return call?.settled === true
    case 'beforeRecursion':
    case 'afterIterationEnd':
      return run.phase === 'replied' && unsettled(run).length === 0
  }
}
