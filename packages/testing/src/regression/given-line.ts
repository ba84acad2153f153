/** Recorded inputs of contributors, appended again at their place. */
import { type Draft, evolve, type Frame, type LoomEvent, place, summarize } from '@loom-agent/kernel'
import type { Replay } from './replay.ts'
import { placeOf } from './script.ts'
import { type ThreadReplay, take } from './thread-replay.ts'

/** Appends a recorded input; false when it does not fit here. */
export function give(replay: Replay, threadReplay: ThreadReplay, index: number): boolean {
  const { thread, frame, lines } = threadReplay
  const event = lines[index]?.event
  const draft = event && addressed(frame, event)
  if (!draft) return false
  replay.clock.reach(event.time)
  replay.progress += 1
  const at = { time: event.time, run: frame.run?.id, turn: frame.turn }
  threadReplay.frame = place({ thread, seq: frame.seq + 1, ...at }, [draft]).reduce(evolve, frame)
  take(threadReplay, index)
  const { incarnation } = threadReplay.frame
  const batch = { id: `given.${index}`, incarnation, expected: frame.seq, ...at, events: [draft], summary: summarize(threadReplay.frame) }
  // The journal in memory stores synchronously: what follows sees the batch.
  void replay.journal.append(thread, batch)
  return true
}

/** An answer goes to the question that is open at the same place; its ordinal may be another one. */
function addressed({ questions }: Frame, event: LoomEvent): Draft | undefined {
  if (event.type !== 'question.answered') return event
  const wanted = placeOf(event.data.id)
  const id = Object.keys(questions).find((open) => placeOf(open) === wanted)
  return id === undefined ? undefined : { type: event.type, data: { ...event.data, id } }
}
