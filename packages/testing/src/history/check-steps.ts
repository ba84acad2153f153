/** Rules about what happens inside durable calls: steps, sleeps, waits and children. */
import type { EventOf } from '@loom-agent/kernel'
import { named } from './check-calls.ts'
import { checkFiles } from './check-files.ts'
import { blame, type CallNote, isEarly, isPerformed, type Ledger, type RunChecks } from './ledger.ts'

type StepEvent = 'tool.step-started' | 'tool.step-finished' | 'child.started' | 'child.finished'

/** Events about the keys of durable calls. */
export const stepChecks: RunChecks<StepEvent> = {
  'tool.step-started': (ledger, run, { data, time }) => {
    const { call: id, key, effect, until, signal } = data
    const call = named(ledger, run, id)
    if (!call) return
    checkFiles(ledger, data, effect)
    if (!isEntered(ledger, call)) blame(ledger, 'HIST-26', `The step ${key} begins, and no driver performs the durable call ${id}.`)
    if (call.recorded.has(key)) blame(ledger, 'HIST-26', `The step ${key} of ${id} begins again, and it is recorded.`)
    const before = call.open.get(key)
    if (before?.epoch === ledger.epoch) blame(ledger, 'HIST-26', `The step ${key} of ${id} begins again under the same driver.`)
    else if (before?.effect === 'unsafe') blame(ledger, 'HIST-20', `The step ${key} of ${id} is unsafe, may have happened, and begins again.`)
    call.open.set(key, { epoch: ledger.epoch, effect, until, signal })
    const kept = signal === undefined || isOver(until, time) ? -1 : ledger.signals.indexOf(signal)
    if (kept === -1) return
    ledger.signals = ledger.signals.toSpliced(kept, 1)
    keep(ledger, call, key)
  },
  'tool.step-finished': (ledger, run, { data: { call: id, key, value }, time }) => {
    // A body that ran out of time may end its last step after the call, even after the turn: what happened is recorded.
    const call = run.known.get(id) ?? named(ledger, run, id)
    if (!call) return
    const { until, signal } = call.open.get(key) ?? {}
    const isExpiry = until !== undefined && (value as { status?: unknown } | undefined)?.status === 'expired'
    if (signal !== undefined && !isExpiry) blame(ledger, 'HIST-36', `The wait ${key} of ${id} ends without a signal and has not expired.`)
    if (!call.start?.durable) blame(ledger, 'HIST-26', `The step ${key} ends, and the durable call ${id} was never begun.`)
    if (until !== undefined && isEarly(ledger, time, until))
      blame(ledger, 'HIST-30', `The wait ${key} of ${id} ends at ${time}, and it was until ${until}.`)
    keep(ledger, call, key)
  },
  'child.started': (ledger, run, { data: { call: id, key, child } }) => {
    if (ledger.children.has(child)) blame(ledger, 'HIST-27', `The child ${child} is started again.`)
    const call = named(ledger, run, id)
    if (!call) return
    if (!isEntered(ledger, call)) blame(ledger, 'HIST-27', `The child ${child} is started, and no driver performs the durable call ${id}.`)
    if (call.recorded.has(key) || call.open.has(key)) blame(ledger, 'HIST-27', `The key ${key} of ${id} has a child already.`)
    call.open.set(key, { epoch: ledger.epoch })
    ledger.children.set(child, { run: run.id, call: id, key, finished: false })
    run.children += 1
    const { children } = run.limits
    if (children !== undefined && run.children > children) blame(ledger, 'HIST-44', `The child ${child} is started, and ${children} are allowed.`)
  },
  'child.finished': (ledger, run, { data: { call: id, key, child, calls = 0, children = 0 } }) => {
    const started = ledger.children.get(child)
    if (!started || started.call !== id || started.key !== key)
      return blame(ledger, 'HIST-27', `The child ${child} ends, and ${id} did not start it as ${key}.`)
    if (started.run !== run.id) blame(ledger, 'HIST-8', `The child ${child} of ${started.run} ends in ${run.id}.`)
    if (started.finished) return blame(ledger, 'HIST-27', `The child ${child} ends twice.`)
    started.finished = true
    run.calledBelow += calls
    run.children += children
    const call = run.known.get(id)
    if (call) keep(ledger, call, key)
  },
}

/** A signal settles the first open wait of its name whose time has not passed, or is kept for the next one; if no body reads it, it is kept as well. */
export function signalReceived(ledger: Ledger, { data, time }: EventOf<'signal.received'>): void {
  const { name } = data
  const calls = ledger.run?.calls.filter(({ settled }) => !settled) ?? []
  for (const call of calls) {
    for (const [key, wait] of call.open) {
      if (wait.signal !== name) continue
      if (!isOver(wait.until, time)) {
        if (data.keep) call.unread = [...call.unread, name]
        return keep(ledger, call, key)
      }
      wait.missed = true
    }
  }
  ledger.signals = [...ledger.signals, name]
}

const isOver = (until: number | undefined, time: number): boolean => until !== undefined && until <= time

const isEntered = (ledger: Ledger, call: CallNote): boolean => isPerformed(ledger, call) && call.start?.durable === true

/** Notes that a key is recorded: by an answer, a value or an error. */
export function keep(ledger: Ledger, call: CallNote, key: string): void {
  if (call.recorded.has(key)) blame(ledger, 'HIST-26', `The key ${key} of ${call.id} is recorded a second time.`)
  call.recorded.add(key)
  call.open.delete(key)
  call.moved = true
}
