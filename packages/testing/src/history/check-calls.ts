/** Rules about calls: when they begin, how they end, and when they are in doubt. */
import type { EventOf } from '@loom-agent/kernel'
import { checkFiles } from './check-files.ts'
import { useRecorded } from './check-forks.ts'
import { blame, type CallNote, isPerformed, type Ledger, type RunChecks, type RunNote } from './ledger.ts'

type CallEvent = `tool.${'started' | 'denied' | 'finished' | 'suspended' | 'in-doubt'}`

/** The call of this turn that an event is about. */
export function named(ledger: Ledger, run: RunNote, id: string): CallNote | undefined {
  const call = run.calls[Number(id.slice(id.indexOf('.') + 1))]
  if (call?.id === id) return call
  blame(ledger, 'HIST-16', `The call ${id} was not proposed in turn ${ledger.turn}.`)
  return undefined
}

/** Events about whole calls. */
export const callChecks: RunChecks<CallEvent> = {
  'tool.started': (ledger, run, { data }) => {
    const call = named(ledger, run, data.call)
    if (!call) return
    checkBeginning(ledger, call)
    checkWaits(ledger, call)
    checkOrder(ledger, run, call)
    checkCount(ledger, run, call)
    call.standing = 'running'
    call.unread = []
    call.start = { epoch: ledger.epoch, effect: data.effect, durable: data.durable === true }
  },
  'tool.denied': (ledger, run, { data }) => {
    const call = named(ledger, run, data.call)
    if (!call) return
    if (isPerformed(ledger, call)) blame(ledger, 'HIST-23', `The call ${call.id} is denied while it is performed.`)
    settle(ledger, call)
  },
  'tool.finished': (ledger, run, { data }) => {
    const call = named(ledger, run, data.call)
    if (!call) return
    checkFiles(ledger, data, call.start?.effect)
    // A hook may replace a call that has not begun, and in a fork so may an edit or the parent's record; the result says so itself.
    useRecorded(ledger, data.meta?.['recorded'])
    const isForked = ledger.fork !== undefined && (data.meta?.['edited'] === true || data.meta?.['recorded'] !== undefined)
    const isReplacement = (data.meta?.['answered'] === true || isForked) && call.standing === 'free' && !call.start
    const earned = isPerformed(ledger, call) || call.standing === 'responded' || isReplacement
    if (!call.settled && data.status === 'success' && !earned)
      blame(ledger, 'HIST-23', `The call ${call.id} succeeds (${call.standing}), and neither this driver nor a human nor a hook has done it.`)
    settle(ledger, call)
  },
  'tool.suspended': (ledger, run, { data }) => {
    const call = named(ledger, run, data.call)
    if (!call) return
    if (!isPerformed(ledger, call)) blame(ledger, 'HIST-25', `The call ${call.id} is suspended, and no driver performs it.`)
    else if (!call.start?.durable) blame(ledger, 'HIST-25', `The call ${call.id} is suspended, and it is not durable.`)
    call.standing = 'suspended'
    call.moved = false
  },
  'tool.in-doubt': checkDoubt,
}

function checkBeginning(ledger: Ledger, { id, settled, standing, start }: CallNote): void {
  if (settled) return blame(ledger, 'HIST-19', `The call ${id} begins, and it has its result.`)
  if (standing === 'asking') return blame(ledger, 'HIST-22', `The call ${id} begins while a question about it is open.`)
  if (standing === 'refused') return blame(ledger, 'HIST-22', `The call ${id} begins, and a human has rejected it.`)
  if (standing === 'responded') return blame(ledger, 'HIST-22', `The call ${id} begins, and a human has given its result.`)
  if (standing === 'doubtful') return blame(ledger, 'HIST-20', `The call ${id} begins again while it is in doubt.`)
  if (standing !== 'running' || !start) return
  if (start.epoch === ledger.epoch) return blame(ledger, 'HIST-19', `The call ${id} begins, and this driver performs it already.`)
  if (start.effect === 'unsafe' && !start.durable) blame(ledger, 'HIST-20', `The call ${id} is unsafe, may have happened, and begins again.`)
}

/** A signal that came too late wakes nobody: a body that waits for nothing else goes on when the wait has ended as expired. */
function checkWaits(ledger: Ledger, { id, standing, open, moved }: CallNote): void {
  if (standing !== 'suspended' || moved || ![...open.values()].every(({ signal }) => signal !== undefined)) return
  for (const [key, { missed, until }] of open)
    if (missed)
      blame(ledger, 'HIST-36', `The call ${id} goes on after a signal that came too late for ${key}, which was until ${until} and has not ended.`)
}

function checkOrder(ledger: Ledger, run: RunNote, call: CallNote): void {
  if (!call.serial) return
  const before = firstOpenSerial(run)
  if (before && before.index < call.index) blame(ledger, 'HIST-21', `The call ${call.id} begins before ${before.id} has its result.`)
}

/** A call that was begun before may begin again, whatever the limit is by now. */
function checkCount(ledger: Ledger, { called, limits: { calls } }: RunNote, { id, index, start }: CallNote): void {
  if (calls !== undefined && !start && called + index >= calls) blame(ledger, 'HIST-44', `The call ${id} begins, and ${calls} calls are allowed.`)
}

/** The first serial call of the turn without a result. Calls that were seen to have theirs are not looked at again. */
function firstOpenSerial(run: RunNote): CallNote | undefined {
  while (run.calls[run.inOrder]?.settled || run.calls[run.inOrder]?.serial === false) run.inOrder += 1
  return run.calls[run.inOrder]
}

function settle(ledger: Ledger, call: CallNote): void {
  if (call.settled) return blame(ledger, 'HIST-17', `The call ${call.id} gets a second result.`)
  call.settled = true
  if (call.unread.length > 0) ledger.signals = [...call.unread, ...ledger.signals]
  for (const [id, { asked }] of ledger.questions) if (asked.call === call.id) ledger.questions.delete(id)
}

function checkDoubt(ledger: Ledger, run: RunNote, { data: { call: id, key } }: EventOf<'tool.in-doubt'>): void {
  const call = named(ledger, run, id)
  if (!call) return
  if (key !== undefined) {
    const step = call.open.get(key)
    if (step?.effect !== 'unsafe' || step.epoch === ledger.epoch)
      blame(ledger, 'HIST-24', `The step ${key} of ${id} is in doubt, and no unsafe one was lost.`)
    if (step) step.doubtful = true
    return
  }
  const { start, settled, standing } = call
  const lost = standing === 'running' && start?.effect === 'unsafe' && !start.durable && start.epoch !== ledger.epoch
  const unsure = standing === 'running' && start?.effect === 'reconcilable'
  if (settled || !(lost || unsure)) blame(ledger, 'HIST-24', `The call ${id} is in doubt, and its performer was not lost.`)
  call.standing = 'doubtful'
}
