/** Journals of threads whose driver was lost, and that another process resumed. */
import { approve, memoryJournal, type SignedAnswer } from '@loom-agent/agent'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { eventsOf } from '../../../../test/support/threads.ts'
import type { OnPrompt, Scenario } from './real-journals.ts'

/** A crash: what was played, how much of it was durable, and what the next process answers. */
export interface Crash {
  readonly scenario: Scenario
  readonly journal: Journal
  /** The last seq that was written. */
  readonly cut: number
  readonly answer?: SignedAnswer
  readonly onPrompt?: OnPrompt
}

/** Resumes in another process what a crash has left, and returns what the journal then holds. */
export async function resumed({ scenario, journal, cut, answer = approve({ by: 'cat' }), onPrompt }: Crash): Promise<readonly LoomEvent[]> {
  const { name, createAgent } = scenario
  const left = memoryJournal()
  // Children live on threads of their own: they may be ahead of what their parent has recorded.
  for (const { thread } of await journal.threads()) await copy(journal, left, { thread, cut: thread === name ? cut : undefined })
  await createAgent(left, onPrompt)
    .resume(name, { onQuestion: () => answer })
    .result()
  return eventsOf(left, name)
}

async function copy(
  from: Journal,
  to: Journal,
  { thread, cut = Number.POSITIVE_INFINITY }: { thread: string; cut: number | undefined },
): Promise<void> {
  const incarnation = (await from.head(thread))?.incarnation ?? thread
  let epoch = 0
  for (const event of await eventsOf(from, thread)) {
    if (event.seq > cut) return
    const { type, seq, time, run, turn } = event
    for (; type === 'driver.acquired' && epoch < event.data.epoch; epoch += 1) {
      await to.acquire(thread, { worker: 'lost', incarnation, seen: epoch })
      await to.release(thread, { epoch: epoch + 1, incarnation })
    }
    await to.append(thread, { id: `copy ${seq}`, incarnation, expected: seq - 1, time, run, turn, events: [event], summary: { status: 'running' } })
  }
}
