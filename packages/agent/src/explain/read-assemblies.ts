/** Reading the contexts of a thread, one by one. Loaded on use. */
import type { Journal } from '@loom-agent/kernel'
import { createScales } from '../context/tokens.ts'
import { recordOf } from '../look/record-of.ts'
import { wireToolsOf } from '../model/request.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { nameMoment } from '../types/moment.ts'
import { checkThread } from '../types/thread-id.ts'
import type { AssemblyRecord } from './assemblies.ts'
import { type Assembled, createContextFold } from './context-fold.ts'
import { createPromptTracker, type PromptTracker, type Tracked } from './prompt-tracker.ts'
import { tokensOfMessage, tokensOfTools } from './tokens.ts'

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
