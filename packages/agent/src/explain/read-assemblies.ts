/** Reading the contexts of a thread, one by one. Loaded on use. */
import type { Journal, Segment } from '@loom-agent/kernel'
import { createScales } from '../context/tokens.ts'
import { recordOf } from '../look/record-of.ts'
import { wireToolsOf } from '../model/request.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { nameMoment } from '../types/moment.ts'
import { checkThread } from '../types/thread-id.ts'
import { type Assembled, createContextFold } from './context-fold.ts'
import { createPromptTracker, type PromptTracker, type Tracked } from './prompt-tracker.ts'
import { tokensOfMessage, tokensOfTools } from './tokens.ts'

/** One context of a thread, as plain data. */
export interface AssemblyRecord {
  /** The moment when it was assembled: `thread@seq`. */
  readonly at: string
  /** Its turn. */
  readonly turn: number
  /** When it was assembled, in milliseconds since 1970. */
  readonly time: number
  /** The moment of the last request that was made of it; absent when none was. */
  readonly request?: string
  /** The id of the model. */
  readonly model: string
  /** The attempts that were made with it. */
  readonly attempts: number
  /** How many messages the request had. */
  readonly messages: number
  /** The tokens of the request, as strategies count them. */
  readonly tokens: number
  /** How many entries of the history there were. */
  readonly entries: number
  /** The rebase, where there was one: its cause, what it shows of the history, and by which budget. */
  readonly rebase?: { readonly reason: string; readonly segments: readonly Segment[]; readonly budget?: object }
  /** The ids of the items that were added. */
  readonly items?: readonly string[]
  /** The hook that changed the messages. */
  readonly hook?: string
}

/** Every context of a thread, in order. */
export async function* readAssemblies(journal: Journal, thread: string): AsyncGenerator<AssemblyRecord, void> {
  requireJournal('assembliesOf', journal)
  checkThread(thread)
  const fold = createContextFold(thread)
  const tracker = createPromptTracker()
  const weigh = createWeighing()
  for await (const event of recordOf(journal, thread)) {
    const assembled = fold.take(event)
    if (assembled) yield recordedAs(assembled, tracker, weigh)
  }
  const last = fold.end()
  if (last) yield recordedAs(last, tracker, weigh)
}

function recordedAs(assembled: Assembled, tracker: PromptTracker, weigh: (tracked: Tracked) => number): AssemblyRecord {
  const { event, requests } = assembled
  const { rebase, items } = event.data
  const attempt = requests.at(-1)
  const tracked = tracker.update(assembled, attempt)
  return {
    at: nameMoment(event),
    turn: tracked.frame.turn,
    time: event.time,
    ...(attempt && { request: nameMoment(attempt.event) }),
    model: tracked.model,
    attempts: requests.length,
    messages: tracked.length,
    tokens: weigh(tracked),
    entries: tracked.frame.context.covered,
    ...(rebase && { rebase: { reason: rebase.reason, segments: rebase.segments ?? [], ...(rebase.budget && { budget: rebase.budget }) } }),
    ...(items && { items: items.map(({ id }) => id) }),
    ...(tracked.keep < tracked.rendered.length || tracked.inserted.length > 0 ? { hook: attempt?.hook ?? 'a hook' } : {}),
  }
}

/** The tokens of requests. A message that follows others is weighed once. */
function createWeighing(): (tracked: Tracked) => number {
  const scaleOf = createScales()
  let read = { renderings: -1, messages: 0, sum: 0 }
  return ({ rendered, renderings, sources, placeOf, keep, inserted, frame }) => {
    if (renderings !== read.renderings) read = { renderings, messages: 0, sum: 0 }
    for (; read.messages < rendered.length; read.messages += 1) read.sum += tokensOfMessage(rendered[read.messages] as (typeof rendered)[number])
    let sum = read.sum
    for (let message = keep; message < sources.length; message += 1) {
      if (placeOf(message) < 0) sum -= tokensOfMessage(rendered[message] as (typeof rendered)[number])
    }
    for (const { message } of inserted) sum += tokensOfMessage(message)
    return scaleOf(frame).total(sum + tokensOfTools(wireToolsOf(frame.context.tools)))
  }
}
