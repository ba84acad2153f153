/** Recorded inputs of contributors, given again at their place. */
import { type Draft, evolve, type Frame, type LoomEvent, nextPlace, place } from '@loom-agent/kernel'
import { type EpochReplay, findLine, take } from './epoch-replay.ts'
import { questionPlaceOf } from './script.ts'

/** Gives a recorded input; false when it does not fit here. */
export function give(epoch: EpochReplay, index: number): boolean {
  const { thread, frame, lines } = epoch
  const event = lines[index]?.event
  const draft = event && addressed(frame, event)
  if (!draft) return false
  const [given] = place(nextPlace(frame, event.time), [draft])
  if (!given) return false
  epoch.progress += 1
  epoch.frame = evolve(frame, given)
  epoch.added.push(given)
  epoch.seqs.set(given.seq, event.seq)
  take(epoch, index)
  for (const hint of [...(epoch.watchers.get(thread) ?? [])]) hint(given.seq)
  return true
}

/** Gives what came before a line; false when there was nothing. */
export function giveBefore(epoch: EpochReplay, end: number): boolean {
  const passed = new Set<number>()
  let isGiven = false
  for (;;) {
    const index = findLine(epoch, ({ kind }, at) => kind === 'given' && !passed.has(at), end)
    if (index === undefined) return isGiven
    passed.add(index)
    isGiven = give(epoch, index) || isGiven
  }
}

/** An answer goes to the question that is open at the same place; its ordinal may be another one. */
function addressed({ questions }: Frame, event: LoomEvent): Draft | undefined {
  if (event.type !== 'question.answered') return event
  const wanted = questionPlaceOf(event.data.id)
  const id = Object.keys(questions).find((open) => questionPlaceOf(open) === wanted)
  return id === undefined ? undefined : { type: event.type, data: { ...event.data, id } }
}
