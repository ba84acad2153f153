/** What a hook's patch does to the frame. */
import type { EventOf, ToolOutcome } from './event.ts'
import { addMessage, callOf, type Folding, indexOf, propose } from './fresh.ts'
import type { Json, JsonObject } from './json.ts'
import { at, replaceAt } from './list.ts'
import type { Message, Part } from './message.ts'
import type { Limits } from './run-request.ts'

/** The fields a patch may have: of a call, of a reply, of a request (opaque to the fold), of the run. */
type Patch = Readonly<{ input?: Json; outcome?: Partial<ToolOutcome>; settings?: JsonObject; limits?: Limits; system?: string }>
/** A list of objects, or nothing: a patch comes from a program, and values of another form are ignored. */
const listOf = <T>(value: Json | undefined): readonly T[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null) ? value : undefined

/** Applies a hook's patch. */
export function hookApplied(folding: Folding, event: EventOf<'hook.applied'>): void {
  const { frame, run } = folding
  const { point, call: id, patch } = event.data
  const { input, outcome, settings, limits, system } = patch as Patch
  const parts = listOf<Part>(patch['parts'])
  const say = listOf<Message>(patch['say']) ?? []
  const steered = listOf<{ readonly seq: number; readonly message: Message }>(patch['steering']) ?? []
  if (id !== undefined) {
    const call = callOf(run, id)
    if (!call) return
    // Another output has another whole: what the hook took out is not read again.
    const patched = call.outcome && { ...call.outcome, ...(outcome?.output && { whole: undefined }), ...outcome }
    const changed = { ...call, hooks: [...call.hooks, point], input: input ?? call.input, outcome: patched }
    run.calls = replaceAt(run.calls, indexOf(id), changed)
    return
  }
  frame.hooked = [...frame.hooked, point]
  if (point === 'beforeModelCall') run.patch = patch
  else if (parts) replaceReply(folding, parts)
  else {
    // After a reply a message waits for the next turn: it must not come between calls and their results.
    const waits = run.phase !== 'context' && run.phase !== 'model'
    if (waits) frame.steering = [...frame.steering, ...say.map((message) => ({ seq: event.seq, priority: 0, message }))]
    else for (const message of say) addMessage(frame, event, { origin: 'hook', message })
    // A guard has looked at messages that wait.
    for (const { seq, message } of steered)
      frame.steering = frame.steering.map((waiting) => (waiting.seq === seq ? { ...waiting, message } : waiting))
    run.settings = { ...run.settings, ...settings }
    run.limits = { ...run.limits, ...limits }
    if (system !== undefined) run.rebase = { reason: 'hook', system }
    if (run.phase === 'model') run.phase = 'context'
  }
}

function replaceReply({ frame, run }: Folding, parts: readonly Part[]): void {
  const index = frame.history.length - 1
  const last = at(frame.history, index)
  if (last?.origin !== 'reply') return
  frame.history = replaceAt(frame.history, index, { ...last, message: { role: 'assistant', parts } })
  propose({ frame, run }, parts)
}
