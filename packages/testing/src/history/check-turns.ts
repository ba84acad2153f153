/** Rules about turns: the context, the model, and what it proposes. */
import type { Part, Rebase } from '@loom-agent/kernel'
import { checkInstructions } from './check-forks.ts'
import { moveOn } from './check-runs.ts'
import { blame, type CallNote, type Ledger, type RunChecks, type RunNote } from './ledger.ts'

type TurnEvent =
  | 'turn.entered'
  | `context.${'assembled' | 'compressed' | 'compression-failed'}`
  | 'retrieval.finished'
  | `model.${'requested' | 'streamed' | 'replied' | 'failed'}`

/** Segments go on where the one before ends, say why something is left out, and name summaries that were made. */
function checkSegments(ledger: Ledger, { segments = [] }: Rebase): void {
  let from = 0
  for (const segment of segments) {
    if (!Number.isSafeInteger(segment.to) || segment.to < from) blame(ledger, 'HIST-45', `A segment ends at ${segment.to}, and it starts at ${from}.`)
    if (segment.as === 'summary' && 'summary' in segment && !(segment.summary < ledger.summaries))
      blame(ledger, 'HIST-45', `A segment shows the summary ${segment.summary}, and there are ${ledger.summaries}.`)
    if (segment.as === 'dropped' && segment.reason === '') blame(ledger, 'HIST-45', `A segment drops entries up to ${segment.to} and says no reason.`)
    from = segment.to
  }
}

/** Events about the passes of a run. */
export const turnChecks: RunChecks<TurnEvent> = {
  'turn.entered': (ledger, run, { data: { turn } }) => {
    if (turn !== ledger.turn + 1) blame(ledger, 'HIST-12', `The turn ${turn} is entered, and ${ledger.turn + 1} is next.`)
    if (run.phase === 'context' || run.phase === 'model') blame(ledger, 'HIST-12', `The turn ${ledger.turn} is left without a reply.`)
    const taken = turn - run.firstTurn
    const { turns } = run.limits
    if (turns !== undefined && taken >= turns) blame(ledger, 'HIST-12', `${run.id} has taken ${taken} turns, and ${turns} are allowed.`)
    run.called += run.calls.length + run.calledBelow
    run.calledBelow = 0
    moveOn(ledger, run, `The turn ${turn} is entered`)
    ledger.turn = turn
    ledger.steered = []
    run.phase = 'context'
    run.attempt = 0
    run.recounts = false
  },
  'context.assembled': (ledger, run, { data: { rebase } }) => {
    if (run.phase === 'enter' || run.phase === 'replied') blame(ledger, 'HIST-13', 'A context is assembled outside of a turn that needs one.')
    else if (run.sent) blame(ledger, 'HIST-13', `A context is assembled while attempt ${run.sent.attempt} is under way.`)
    if (!rebase && !ledger.rebased) blame(ledger, 'HIST-13', 'The first context of a thread extends nothing: it has to be a rebase.')
    if (rebase) checkSegments(ledger, rebase)
    ledger.rebased = true
    ledger.system = rebase?.system ?? ledger.system
    run.phase = 'model'
  },
  'context.compressed': (ledger, _run, { data: { from, to }, seq }) => {
    if (!(from >= 1 && from <= to && to < seq)) blame(ledger, 'HIST-13', `The summary covers ${from} to ${to}, which is no range of the past.`)
    ledger.summaries += 1
  },
  'context.compression-failed': () => {},
  'retrieval.finished': () => {},
  'model.requested': (ledger, run, { data: { attempt } }) => {
    checkInstructions(ledger)
    if (run.phase === 'replied') blame(ledger, 'HIST-14', 'The model is asked again in a turn that has its reply.')
    else if (run.phase !== 'model') blame(ledger, 'HIST-13', 'The model is asked before the context is assembled.')
    if (run.sent) blame(ledger, 'HIST-14', `Attempt ${attempt} begins while attempt ${run.sent.attempt} is under way.`)
    if (run.failed) blame(ledger, 'HIST-14', `Attempt ${attempt} begins after a failure for good.`)
    if (attempt !== run.attempt + 1 && !(run.recounts && attempt === 1))
      blame(ledger, 'HIST-14', `The attempt is called ${attempt}, and ${run.attempt + 1} is next.`)
    run.attempt = attempt
    run.recounts = false
    run.sent = { attempt, epoch: ledger.epoch }
  },
  'model.streamed': (ledger, run, { data: { attempt } }) => {
    if (run.sent?.attempt !== attempt) blame(ledger, 'HIST-15', `Attempt ${attempt} was streamed, and ${run.sent?.attempt ?? 'none'} is under way.`)
  },
  'model.replied': (ledger, run, { data: { parts, output } }) => {
    if (!run.sent) blame(ledger, 'HIST-15', 'The model replies, and no attempt is under way.')
    else if (run.sent.epoch !== ledger.epoch) {
      blame(ledger, 'HIST-15', `The reply comes under epoch ${ledger.epoch}, and epoch ${run.sent.epoch} had asked.`)
    }
    run.sent = undefined
    run.hasText = false
    run.failed = false
    run.unfit = output !== undefined && 'error' in output
    propose(ledger, run, parts)
  },
  'model.failed': (ledger, run, { data: { attempt, retryAt, error, partial } }) => {
    // A request that was lost with its process is made again under its number.
    if (error.code === 'LOOM_MODEL_LOST') run.attempt = Math.max(0, run.attempt - 1)
    if (run.sent?.attempt !== attempt) blame(ledger, 'HIST-15', `Attempt ${attempt} fails, and ${run.sent?.attempt ?? 'none'} is under way.`)
    run.sent = undefined
    run.hasText = partial !== undefined
    run.failed = retryAt === undefined
  },
}

/** Notes the calls of a reply under Loom's own ids for them. */
export function propose(ledger: Ledger, run: RunNote, parts: readonly Part[]): void {
  const calls = parts.filter((part) => part.type === 'call')
  run.phase = 'replied'
  run.inOrder = 0
  run.calls = calls.map(
    (part, index): CallNote => ({
      id: `${ledger.turn}.${index}`,
      index,
      serial: part.serial === true,
      standing: 'free',
      start: undefined,
      settled: false,
      open: new Map(),
      recorded: new Set(),
      moved: false,
      unread: [],
    }),
  )
  for (const call of run.calls) run.known.set(call.id, call)
}
