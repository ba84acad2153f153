/** Rules about what happens inside durable calls: steps, sleeps and children. */
import { named } from './check-calls.ts'
import { blame, type CallNote, isEarly, isPerformed, type Ledger, type RunChecks } from './ledger.ts'

type StepEvent = 'tool.step-started' | 'tool.step-finished' | 'child.started' | 'child.finished'

/** Events about the keys of durable calls. */
export const stepChecks: RunChecks<StepEvent> = {
  'tool.step-started': (ledger, run, { data: { call: id, key, effect, until } }) => {
    const call = named(ledger, run, id)
    if (!call) return
    if (!isEntered(ledger, call)) blame(ledger, 'HIST-26', `The step ${key} begins, and no driver performs the durable call ${id}.`)
    if (call.recorded.has(key)) blame(ledger, 'HIST-26', `The step ${key} of ${id} begins again, and it is recorded.`)
    const before = call.open.get(key)
    if (before?.epoch === ledger.epoch) blame(ledger, 'HIST-26', `The step ${key} of ${id} begins again under the same driver.`)
    else if (before?.effect === 'unsafe') blame(ledger, 'HIST-20', `The step ${key} of ${id} is unsafe, may have happened, and begins again.`)
    call.open.set(key, { epoch: ledger.epoch, effect, until })
  },
  'tool.step-finished': (ledger, run, { data: { call: id, key }, time }) => {
    // A body that ran out of time may end its last step after the call, even after the turn: what happened is recorded.
    const call = run.known.get(id) ?? named(ledger, run, id)
    if (!call) return
    const until = call.open.get(key)?.until
    if (!call.start?.durable) blame(ledger, 'HIST-26', `The step ${key} ends, and the durable call ${id} was never begun.`)
    if (until !== undefined && isEarly(ledger, time, until))
      blame(ledger, 'HIST-30', `The sleep ${key} of ${id} ends at ${time}, and it was until ${until}.`)
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
  },
  'child.finished': (ledger, run, { data: { call: id, key, child } }) => {
    const started = ledger.children.get(child)
    if (!started || started.call !== id || started.key !== key)
      return blame(ledger, 'HIST-27', `The child ${child} ends, and ${id} did not start it as ${key}.`)
    if (started.run !== run.id) blame(ledger, 'HIST-8', `The child ${child} of ${started.run} ends in ${run.id}.`)
    if (started.finished) return blame(ledger, 'HIST-27', `The child ${child} ends twice.`)
    started.finished = true
    const call = run.known.get(id)
    if (call) keep(ledger, call, key)
  },
}

const isEntered = (ledger: Ledger, call: CallNote): boolean => isPerformed(ledger, call) && call.start?.durable === true

/** Notes that a key is recorded: by an answer, a value or an error. */
export function keep(ledger: Ledger, call: CallNote, key: string): void {
  if (call.recorded.has(key)) blame(ledger, 'HIST-26', `The key ${key} of ${call.id} is recorded a second time.`)
  call.recorded.add(key)
  call.open.delete(key)
}
