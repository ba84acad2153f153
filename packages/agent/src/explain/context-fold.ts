/**
 * The contexts of a thread: a fold over its events.
 *
 * EXPLAIN-1. Everything that is said about a request follows from recorded facts: no agent, model, tool, hook or strategy is asked.
 */
import {
  at,
  type ContextBudget,
  type Entry,
  type EventOf,
  emptyFrame,
  evolve,
  type Frame,
  type LoomEvent,
  type Part,
  type Seq,
} from '@loom-agent/kernel'
import { systemBy } from '../context/describe-layers.ts'

/** A request that was made of a context, and the frame before it. */
export interface Attempted {
  readonly event: EventOf<'model.requested'>
  readonly before: Frame
  /** The hook that changed the messages of this one request. */
  readonly hook: string | undefined
}

/** The rebase that is in force. */
export interface RebaseInForce {
  readonly seq: Seq
  readonly turn: number
  readonly reason: string
  readonly budget: ContextBudget | undefined
  /** Who gave the system text. */
  readonly systemBy: 'agent' | 'hook' | 'fork'
}

/** A context that was assembled, and the requests that were made of it. */
export interface Assembled {
  readonly event: EventOf<'context.assembled'>
  readonly after: Frame
  readonly rebase: RebaseInForce | undefined
  readonly requests: readonly Attempted[]
}

/** Something that a hook has replaced before the model could be sent it. */
export interface Overwritten {
  readonly what: 'reply' | 'result'
  /** The seq of the event that replaced it. */
  readonly seq: Seq
  readonly turn: number
  readonly hook: string | undefined
  /** The entry as it would have been. */
  readonly entry: Entry
}

/** Folds events one after another. */
export interface ContextFold {
  /** Takes the next event; returns the context that is complete with it. */
  take(event: LoomEvent): Assembled | undefined
  /** The last context, when there are no more events. */
  end(): Assembled | undefined
  /** The frame after the last event. */
  frame(): Frame
  /** What hooks have replaced so far. */
  readonly overwritten: readonly Overwritten[]
}

/** The fold of a thread before its first event. */
export function createContextFold(thread: string): ContextFold {
  let frame = emptyFrame(thread)
  let open: (Assembled & { readonly requests: Attempted[] }) | undefined
  let rebase: RebaseInForce | undefined
  let hook: string | undefined
  const overwritten: Overwritten[] = []

  const assembled = (event: EventOf<'context.assembled'>, before: Frame): Assembled | undefined => {
    const complete = open
    const { rebase: made } = event.data
    if (made) {
      rebase = { seq: event.seq, turn: before.turn, reason: made.reason, budget: made.budget, systemBy: systemBy(before, made.system) }
    }
    open = { event, after: frame, rebase, requests: [] }
    hook = undefined
    return complete
  }

  return {
    take(event) {
      const before = frame
      frame = evolve(frame, event)
      if (event.type === 'context.assembled') return assembled(event, before)
      if (event.type === 'model.requested') open?.requests.push({ event, before, hook })
      if (event.type === 'hook.applied') {
        if (event.data.point === 'beforeModelCall') hook = event.data.hook ?? 'a hook'
        const lost = overwrittenBy(event, before)
        if (lost) overwritten.push(lost)
      }
      return undefined
    },
    end: () => open,
    frame: () => frame,
    overwritten,
  }
}

/** What the patch of a hook puts something else in place of: the reply, or the result of a call. */
function overwrittenBy({ data, seq }: EventOf<'hook.applied'>, { history, run, turn }: Frame): Overwritten | undefined {
  const { patch, call: id, hook } = data
  const place = { seq, turn, hook }
  if (id !== undefined) {
    const index = Number(id.slice(id.indexOf('.') + 1))
    const call = run && at(run.calls, index)
    if (patch['outcome'] === undefined || !call?.outcome) return undefined
    const results = [{ call: id, id: call.part.id, name: call.part.name, output: call.outcome.output }]
    return { ...place, what: 'result', entry: { seq, origin: 'results', turn, message: { role: 'tool', results } } }
  }
  const last = at(history, history.length - 1)
  return isParts(patch['parts']) && last?.origin === 'reply' ? { ...place, what: 'reply', entry: last } : undefined
}

const isParts = (value: unknown): value is readonly Part[] => Array.isArray(value)
