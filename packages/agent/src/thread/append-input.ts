/** Visitors append inputs, without an epoch: they look at the fold, say what they have to say, and look again when somebody was faster. */
import { type Clock, type Draft, evolve, type Frame, type Ids, type Journal, LoomError, place, summarize } from '@loom-agent/kernel'
import { catchUp, forget, type Resident } from './thread-cache.ts'

/** What a visitor needs. */
export interface Visit {
  readonly journal: Journal
  readonly clock: Clock
  readonly ids: Ids
}

/** How often a visitor looks again before it gives up; only a thread that is written without pause gets there. */
const tries = 1000

/** Appends what `say` answers for the current frame; nothing when it answers nothing. Answers the frame afterwards. */
export async function visit(visitor: Visit, resident: Resident, say: (frame: Frame) => readonly Draft[]): Promise<Frame> {
  const { journal, clock, ids } = visitor
  const id = ids()
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const { frame } = resident
    const events = say(frame)
    if (events.length === 0) return frame
    const start = { time: clock.now(), run: frame.run?.id, turn: frame.turn }
    const placed = place({ thread: frame.thread, seq: frame.seq + 1, ...start }, events)
    const next = placed.reduce(evolve, frame)
    const result = await journal.append(frame.thread, { id, expected: frame.seq, ...start, events, summary: summarize(next) })
    if (result.kind === 'appended') {
      if (resident.frame === frame && result.seq === next.seq) resident.frame = next
      else await catchUp(journal, resident)
      return resident.frame
    }
    if (result.kind === 'conflict' && result.seq < frame.seq) forget(resident)
    await catchUp(journal, resident)
  }
  const advice = 'Something appends to it without pause; find out what.'
  throw new LoomError('LOOM_JOURNAL_CONFLICT', `The thread ${resident.frame.thread} could not be written in ${tries} tries. ${advice}`)
}

/** Ids that name threads: no separators of ids, nothing that cannot be seen. */
export function checkThread(thread: string): void {
  if (typeof thread === 'string' && thread.length > 0 && thread.length <= 200 && !/[#@\p{Cc}\p{Cs}]/u.test(thread) && thread.trim() === thread) return
  const rule = 'Use 1 to 200 characters without #, @, control characters and outer blanks.'
  throw new LoomError('LOOM_THREAD_INVALID', `${JSON.stringify(String(thread).slice(0, 80))} cannot be the id of a thread. ${rule}`)
}
