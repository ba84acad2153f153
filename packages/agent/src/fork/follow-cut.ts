/** What a parent did after the cut on the run that its fork goes on with. */
import { type Call, evolve, type Frame, fold, isOver, items, type LoomEvent } from '@loom-agent/kernel'
import type { Cut } from './fork-types.ts'

/** What followed the cut: the events of one run, and the calls that its model proposed. */
interface Followed {
  readonly events: readonly LoomEvent[]
  readonly calls: readonly Call[]
}

/** What followed the cut in the run that a fork goes on with: the run at the cut, or for another input the next one where that had its answer. */
export function followCut({ events, edits, moment, before: { run } }: Cut & { readonly before: Frame }): Followed {
  const later = events.slice(moment.seq)
  const isNew = edits.some(({ kind }) => kind === 'input')
  const hasAnswer = isNew && !later.some((event) => event.run === run?.id && event.type === 'model.replied')
  const goesOn = run && !hasAnswer && (!isOver(run) || run.status === 'failed')
  const followed = goesOn ? run.id : isNew ? later.find(({ type }) => type === 'run.started')?.run : undefined
  if (followed === undefined) return { events: [], calls: [] }
  const calls = new Map<string, Call>()
  let frame = fold(moment.thread, events.slice(0, moment.seq))
  for (const event of later) {
    frame = evolve(frame, event)
    if (event.run !== followed || !frame.run || !proposes(event)) continue
    // A hook may have replaced the reply, and its calls with it.
    for (const id of calls.keys()) if (id.startsWith(`${frame.turn}.`)) calls.delete(id)
    for (const call of items(frame.run.calls)) calls.set(call.id, call)
  }
  return { events: later.filter((event) => event.run === followed), calls: [...calls.values()] }
}

const proposes = ({ type, data }: LoomEvent): boolean => type === 'model.replied' || (type === 'hook.applied' && 'parts' in data.patch)
