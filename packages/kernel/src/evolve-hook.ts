/** What a hook's patch does to the frame. */
import type { EventOf, Limits, ToolOutcome } from './event.ts'
import type { Frame, Run } from './frame.ts'
import { changeCall, type Fresh, propose, tell } from './fresh.ts'
import type { Json, JsonObject } from './json.ts'
import { at, replaceAt } from './list.ts'
import type { Message, Part } from './message.ts'

/** The fields a patch may have: of a call, of a reply, of a request (opaque to the fold), of the run. */
interface Patch {
  readonly input?: Json
  readonly outcome?: Partial<ToolOutcome>
  readonly parts?: readonly Part[]
  readonly say?: readonly Message[]
  readonly settings?: JsonObject
  readonly limits?: Limits
  readonly system?: string
}

/** Applies a hook's patch. */
export function hookApplied(frame: Fresh<Frame>, run: Fresh<Run>, event: EventOf<'hook.applied'>): void {
  const { point, call: id, patch } = event.data
  const { input, outcome, parts, say = [], settings, limits, system } = patch as Patch
  if (id !== undefined) {
    return changeCall(frame, run, id, (call) => {
      if (input !== undefined) call.input = input
      if (outcome && call.outcome) call.outcome = { ...call.outcome, ...outcome }
    })
  }
  if (point === 'beforeModelCall') run.patch = patch
  else if (parts) replaceReply(frame, run, parts)
  else {
    // Between a reply and the next turn a message has to wait, or it would stand between calls and their results.
    const waits = run.phase !== 'context' && run.phase !== 'model'
    if (waits) frame.steering = [...frame.steering, ...say.map((message) => ({ seq: event.seq, priority: 0, message }))]
    else for (const message of say) tell(frame, event, { origin: 'hook', message })
    run.settings = { ...run.settings, ...settings }
    run.limits = { ...run.limits, ...limits }
    if (system !== undefined) run.rebase = { reason: 'hook', system }
    if (run.phase === 'model') run.phase = 'context'
  }
}

function replaceReply(frame: Fresh<Frame>, run: Fresh<Run>, parts: readonly Part[]): void {
  const index = frame.history.length - 1
  const last = at(frame.history, index)
  if (last?.origin !== 'reply') return
  frame.history = replaceAt(frame.history, index, { ...last, message: { role: 'assistant', parts } })
  propose(frame, run, parts)
}
