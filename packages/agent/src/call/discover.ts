/** Stage 1: find the tool. */
import { type Call, indexOf } from '@loom-agent/kernel'
import { callUserNow } from '../platform/call-user.ts'
import type { Cancellation } from '../platform/cancellation.ts'
import { nearest } from '../platform/expected.ts'
import { messageOf, shown, toSentence } from '../platform/normalize.ts'
import type { ErasedDefinition } from '../tool/define.ts'
import { type CallJob, incompatible, type Refusal, refuse } from './call-job.ts'
import type { PreparingWork } from './call-work.ts'

const shortName = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}...` : name)

/** Finds the tool of a call and whether it is available. A call that was answered or started never silently becomes an error. */
export function discover(call: Call, cancellation: Cancellation, work: PreparingWork): CallJob | Refusal {
  const { name } = call.part
  const refused = call.start ? undefined : beyondLimit(call, work)
  if (refused) return refused
  const { tools } = work.context.toolbox
  const tool = tools.get(name)
  if (!tool) {
    if (call.start || call.answer) return incompatible(work.outbox.frame, call, `The tool ${shortName(name)} does not exist any more.`)
    const names = [...tools.keys()]
    const near = nearest(name, names)
    const advice = near
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `The tools are: ${names.join(', ')}.`
        : 'There are no tools; answer without one.'
    return refuse(call, 'not-found', `There is no tool called "${shortName(name)}". ${advice}`)
  }
  const { available = true } = tool.definition
  // A call that was started was available then: its effect class decides what happens to it.
  const problem = available === true || call.start ? undefined : unavailability(available, work)
  if (problem !== undefined) return refuse(call, 'unavailable', `The tool ${name} is not available now${problem} Do without it, or try later.`)
  const { input } = call
  return {
    call,
    cancellation,
    tool,
    input,
    value: input,
    lock: undefined,
    digest: undefined,
    allowedBy: undefined,
    isConditional: false,
    taint: undefined,
    times: undefined,
  }
}

/** Refuses a call beyond the limit of the run: the calls of this turn are the last that were counted. */
function beyondLimit(call: Call, { outbox }: PreparingWork): Refusal | undefined {
  const { run } = outbox.frame
  const most = run?.limits.calls
  if (!run || most === undefined || run.called <= most || run.called - run.calls.length + indexOf(call.id) < most) return undefined
  return refuse(call, 'limit', `The run may make ${most} calls with those of its children, and this one exceeds that. Answer with what you have.`)
}

/** Undefined when the tool is available; otherwise why it is not, as far as that is known. */
function unavailability(available: ErasedDefinition['available'], { outbox, context }: PreparingWork): string | undefined {
  try {
    const asked = { thread: outbox.frame.thread, deps: context.deps }
    const returned: unknown = typeof available === 'function' ? callUserNow(() => available(asked)) : available
    if (typeof returned === 'boolean') return returned ? undefined : '.'
    return `: it returned ${shown(returned)}, which is neither true nor false.`
  } catch (error) {
    return `: ${toSentence(messageOf(error))}`
  }
}
